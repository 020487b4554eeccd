/**
 * Deeds of an administrator on the page: the result of a release that ended as *unknown*, and the acknowledgement of a
 * condition. The caller must have shown a token or a certificate. A listener without either answers all users of this
 * machine, and takes no word from any of them (T02).
 */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { printable } from '../../core/text/printable.ts';
import type { UnsettledRelease } from '../../domain/ports/ledger.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import type { AdministratorsWord, Sayer } from '../../domain/release.ts';
import { administratorsWords, shortReleaseId } from '../../domain/release.ts';
import type { UnsettledAnswer } from './answers.ts';

export interface Deeds {
  unsettled(): readonly (UnsettledRelease & { readonly place: string })[];
  settle(
    releaseIds: readonly string[],
    word: AdministratorsWord,
    sayer: Sayer,
  ): Promise<{ readonly settled: readonly string[]; readonly left: readonly string[] }>;
  /** False: there is no such condition any more. */
  acknowledge(
    which: { readonly code: keyof typeof problemKinds; readonly scope: string; readonly subject: string },
    note: string,
    sayer: Sayer,
  ): boolean;
}

/** It must fit a line of the log, and may not be empty. */
const name = z.string().trim().min(1).max(60);
export const administratorsWord = z.strictObject({
  releaseIds: z
    .array(z.string().regex(/^[0-9a-f]{32}$/))
    .min(1)
    .max(500),
  word: z.enum(administratorsWords),
});
const namedWord = administratorsWord.extend({ name });
const acknowledgement = z.strictObject({
  code: z.custom<keyof typeof problemKinds>(
    (code) => typeof code === 'string' && Object.hasOwn(problemKinds, code),
  ),
  scope: z.string().max(200),
  subject: z.string().max(300),
  note: z.string().trim().max(200),
  name,
});

export function serveDeeds(app: FastifyInstance, deeds: Deeds, mayTell: boolean): void {
  app.get(
    '/unsettled',
    async (): Promise<UnsettledAnswer> => ({ releases: deeds.unsettled().map(answerOf) }),
  );

  app.post('/unsettled', async ({ body, raw }, reply) => {
    if (!mayTell) return refuse(reply, 403, notWithoutToken);
    const { data: wish } = namedWord.safeParse(body);
    if (!wish)
      return refuse(reply, 400, 'releaseIds (whole ids), word (came-out, did-not-come-out) and name');
    return deeds.settle(wish.releaseIds, wish.word, { name: nameOf(raw, wish.name) });
  });

  app.post('/conditions/acknowledge', async ({ body, raw }, reply) => {
    if (!mayTell) return refuse(reply, 403, notWithoutToken);
    const { data: wish } = acknowledgement.safeParse(body);
    if (!wish) return refuse(reply, 400, 'code, scope, subject, note (at most 200 characters) and name');
    const { note, ...which } = wish;
    const isThere = deeds.acknowledge(which, printable(note), { name: nameOf(raw, wish.name) });
    return isThere ? {} : refuse(reply, 409, 'This condition is over.');
  });
}

const notWithoutToken =
  'This gateway takes no word from its page. Set operations.token, or operations.tls.clientCaFile, and restart Platen.';

const refuse = (reply: FastifyReply, status: 400 | 403 | 409, detail: string) =>
  reply.code(status).send({ detail });

/** The name of a certificate counts more than the typed one. */
function nameOf({ socket }: IncomingMessage, typed: string): string {
  const subject =
    socket instanceof TLSSocket && socket.authorized && socket.getPeerX509Certificate()?.subject;
  const [, common] = (subject || '').match(/^CN=(.+)$/m) ?? [];
  return printable((common ?? typed).slice(0, 60));
}

const answerOf = (release: ReturnType<Deeds['unsettled']>[number]): UnsettledAnswer['releases'][number] => {
  const { releaseId, terminal, place, printerUri, endedAt, startedAt, documentPages, problem, state } =
    release;
  return {
    releaseId,
    code: shortReleaseId(releaseId),
    terminal,
    place,
    printer: printerUri ?? null,
    endedAt: endedAt ?? startedAt,
    pages: documentPages ?? null,
    isPartial: state === 'PARTIAL',
    problem: problem ?? null,
    hasRecord: release.hasRecord,
  };
};
