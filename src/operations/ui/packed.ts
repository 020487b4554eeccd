/** An answer as gzip where the caller takes that: a thousand gateways are half a megabyte of much the same. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const packed = promisify(gzip);
/** Less is not worth it. */
const worthIt = 4096;
/** RFC 9110, 12.5.3; `gzip;q=0` is a refusal. */
const takesGzip = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/;

export async function sendPacked(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): Promise<FastifyReply> {
  const body = Buffer.from(JSON.stringify(answer));
  void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (body.length < worthIt || !takesGzip.test(headers['accept-encoding'] ?? '')) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(await packed(body, { level: 1 }));
}
