/** One entry of `readers` of a terminal (contract, section 2), and the name by which it is known everywhere. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { hidReader } from './hid.ts';
import type { Outside } from './values.ts';
import { serialReader } from './serial.ts';
import { silentAfterHours, textReader } from './text-reader.ts';
import { isLoopback, listenAddress, readBy } from './values.ts';

const address = listenAddress.refine(({ port }) => port > 0, 'must contain a port');

/** Wider networks would be a list that allows everybody (INVARIANTS.md T10). */
const widest = { 4: 8, 6: 16 } as const;

const source = z.string().refine((text) => {
  const [host = '', prefix, ...rest] = text.split('/');
  const family = isIP(host);
  if ((family !== 4 && family !== 6) || rest.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && bits >= widest[family] && bits <= (family === 4 ? 32 : 128);
}, 'must be an address or a network, for example 10.0.0.21 or 10.0.7.0/24');

const dialling = z
  .strictObject({
    type: z.literal('tcp-listen').describe('A network reader that connects to this machine'),
    listen: address
      .refine(({ host }) => isIP(host) !== 0, 'must be an address of this machine, for example 10.0.0.5:7382')
      .describe(
        'Address and port of this machine to which the reader connects. Several readers may use the same one',
      ),
    from: z.array(source).default([]).describe('Addresses or networks from which the reader may connect'),
    hello: z
      .string()
      .regex(/^[\u0020-\u007e]{1,128}$/, 'must be 1 to 128 printable characters')
      .optional()
      .describe(
        'The first line that the reader sends. It is needed if several readers connect from one address',
      ),
    ...textReader,
  })
  .refine(({ listen, from }) => isLoopback(listen.host) || from.length > 0, {
    path: ['from'],
    error: 'must contain the addresses of the reader, because listen is not a loopback address',
  })
  .refine(({ listen, from, hello }) => !isLoopback(listen.host) || from.length > 0 || hello !== undefined, {
    path: ['hello'],
    error:
      'must be the first line that the reader sends, or set from to its address. Otherwise every program on this machine could connect',
  });

export const reader = (outside: Outside) =>
  z.discriminatedUnion('type', [
    serialReader,
    hidReader,
    z.strictObject({
      type: z.literal('pcsc').describe('A smart-card reader, through pcscd'),
      reader: z
        .string()
        .regex(/^[\u0020-\u007e]{1,127}$/, 'must be 1 to 127 printable characters')
        .optional()
        .describe('Name of the reader in pcscd, with * for any text. Default: the first reader'),
      removalEndsSession: z
        .boolean()
        .default(false)
        .describe('true: the session ends when the person takes the card off the reader'),
      silentAfterHours,
    }),
    dialling,
    z.strictObject({
      type: z.literal('tcp-connect').describe('A network reader to which this machine connects'),
      address: address.describe('HOST:PORT of the reader'),
      tls: readerTls(outside),
      ...textReader,
    }),
  ]);

export type ReaderConfig = z.output<ReturnType<typeof reader>>;
type DiallingReader = Extract<ReaderConfig, { type: 'tcp-listen' }>;

/** In logs, conditions, metrics and the status report. */
export function readerName(one: ReaderConfig): string {
  switch (one.type) {
    case 'serial':
    case 'hid':
      return one.path ?? one.device ?? one.type;
    case 'pcsc':
      return one.reader === undefined ? one.type : `${one.type} ${one.reader}`;
    case 'tcp-connect':
      return placeText(one.address);
    default:
      return [`tcp-listen ${placeText(one.listen)}`, ...one.from, one.hello ?? ''].join(' ').trim();
  }
}

/** As it is written in the configuration: `10.0.0.5:7382`, `[fd00::5]:7382`. */
export const placeText = ({ host, port }: DiallingReader['listen']): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * `tls` of a `tcp-connect` reader: that it speaks TLS, and who it is (INVARIANTS.md T10). Nobody is trusted for having
 * been there first: a trusted authority has signed its certificate, or its fingerprint stands here.
 */
const readerTls = (outside: Outside) =>
  z
    .strictObject({
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for the reader, in addition to those of the system',
        ),
      fingerprint: z
        .string()
        .regex(/^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i, 'must be a SHA-256 fingerprint: 64 hexadecimal digits')
        .transform((text) =>
          text
            .replaceAll(':', '')
            .toUpperCase()
            .replace(/(..)(?=.)/g, '$1:'),
        )
        .optional()
        .describe("SHA-256 fingerprint of the reader's certificate, instead of caFile"),
    })
    .refine(({ caFile, fingerprint }) => caFile === undefined || fingerprint === undefined, {
      path: ['fingerprint'],
      error: 'must not be set together with caFile: this one certificate needs no authority',
    })
    .optional()
    .describe(
      'TLS for the connection to the reader. Without TLS, others on the network can read the card numbers',
    );
