/**
 * An entry of `readers` of a terminal (contract, section 2), and the table of reader kinds. A new kind needs a row
 * here, an opener in `station/readers.ts` and a check in `commands/check/reader/readers.ts`.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { AddressSet } from '../../core/address-set.ts';
import { canNameOne } from '../../domain/terminal/smart-card-reader.ts';
import { areHidAlike, areSerialAlike, hidReader, serialReader, usbDeviceOf } from './usb-readers.ts';
import { knownReaderOf } from './known-readers.ts';
import { silentAfterHours, textReader } from './text-reader.ts';
import type { Outside } from './values.ts';
import { isLoopback, listenAddress, readBy } from './values.ts';

const address = listenAddress.refine(({ port }) => port > 0, 'must contain a port');

/** A wider network would allow nearly every address (INVARIANTS.md T10). */
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
export type ReaderType = ReaderConfig['type'];
export type ReaderOf<Type extends ReaderType> = Extract<ReaderConfig, { type: Type }>;
type DiallingReader = ReaderOf<'tcp-listen'>;

/** A reader in the form of the configuration file. The schema checks its values. */
export type ReaderSettings = Readonly<Record<string, string | readonly string[]>>;

interface ReaderKind<Reader> {
  /** The name in logs, conditions, metrics and the status report. */
  nameOf(one: Reader): string;
  /** A message with advice if `other`, of a later terminal, could be confused with `one` of `terminal`. */
  mistakable(one: Reader, other: Reader, terminal: string): string | undefined;
  /** A message if the kind does not work on this operating system. */
  refusal(platform: NodeJS.Platform): string | undefined;
  /** The hosts and networks of the reader, whether it dials in or is dialled. */
  peersOf(one: Reader): readonly string[];
  /** The ways to write such a reader in an answer to `platen init`. */
  readonly forms: readonly string[];
  /** The settings for the text after `TYPE:` in such an answer; `undefined` if it does not fit. */
  settings(rest: string): ReaderSettings | undefined;
}

export const readerKinds: { readonly [Type in ReaderType]: ReaderKind<ReaderOf<Type>> } = {
  serial: {
    nameOf: deviceName,
    mistakable: (one, other, terminal) => (areSerialAlike(one, other) ? sameDevice(terminal) : undefined),
    refusal: () => undefined,
    peersOf: () => [],
    forms: ['serial:VENDOR:PRODUCT'],
    settings: (device) => (device === '' ? undefined : { type: 'serial', device }),
  },
  hid: {
    nameOf: deviceName,
    mistakable: (one, other, terminal) => (areHidAlike(one, other) ? sameDevice(terminal) : undefined),
    // Event nodes and hidraw nodes are interfaces of Linux.
    refusal: (platform) =>
      platform === 'linux'
        ? undefined
        : 'hid readers work only on Linux. Set the reader to serial, and write type: serial',
    peersOf: () => [],
    forms: ['hid:VENDOR:PRODUCT'],
    settings: (device) => (device === '' ? undefined : { type: 'hid', device, ...layoutOf(device) }),
  },
  pcsc: {
    nameOf: ({ type, reader: name }) => (name === undefined ? type : `${type} ${name}`),
    mistakable: ({ reader: one = '*' }, { reader: other = '*' }, terminal) =>
      canNameOne(one, other)
        ? `is the same smart-card reader as that of ${terminal}. Set reader to a different name for each. ` +
          'Numbers at the end of a name change, so Platen ignores them'
        : undefined,
    // Windows and macOS have their own resource managers.
    refusal: (platform) =>
      platform === 'win32' || platform === 'darwin'
        ? 'pcsc readers need pcscd of pcsc-lite, which this system does not have. Use a reader of another type'
        : undefined,
    peersOf: () => [],
    forms: ['pcsc', 'pcsc:NAME'],
    settings: (name) => (name === '' ? { type: 'pcsc' } : { type: 'pcsc', reader: name }),
  },
  'tcp-connect': {
    nameOf: ({ address: place }) => placeText(place),
    mistakable: (one, other, terminal) =>
      placeText(one.address).toLowerCase() === placeText(other.address).toLowerCase()
        ? `is the same reader as that of ${terminal}. Each terminal needs its own reader`
        : undefined,
    refusal: () => undefined,
    peersOf: ({ address: { host } }) => [host],
    forms: ['tcp-connect:HOST:PORT'],
    settings: (place) => (place === '' ? undefined : { type: 'tcp-connect', address: place }),
  },
  'tcp-listen': {
    nameOf: ({ type, listen, from, hello = '' }) =>
      [`${type} ${placeText(listen)}`, ...from, hello].join(' ').trim(),
    mistakable: (one, other, terminal) =>
      dialAlike(one, other)
        ? `looks the same to Platen as the reader of ${terminal} at ${placeText(other.listen)}. ` +
          'Give them different addresses in from, or different hello lines'
        : undefined,
    refusal: () => undefined,
    peersOf: ({ from }) => from,
    forms: ['tcp-listen:ADDRESS:PORT?from=ADDRESS&hello=LINE'],
    settings: dialsIn,
  },
};

export const kindOf = (one: ReaderConfig): ReaderKind<ReaderConfig> => readerKinds[one.type];

export const readerName = (one: ReaderConfig): string => kindOf(one).nameOf(one);

function deviceName({ type, path, device }: ReaderOf<'serial' | 'hid'>): string {
  return path ?? device ?? type;
}

const sameDevice = (terminal: string): string =>
  `is the same device as the reader of ${terminal}. Add the serial number to each, or set path`;

/** A known raw reader gets its layout. Any other reader is treated as a keyboard. */
function layoutOf(device: string): { layout?: string } {
  const known = knownReaderOf(usbDeviceOf(device));
  return known?.mode === 'raw' && known.layout !== undefined ? { layout: known.layout } : {};
}

/** Readers that dial in at the same address must differ in their source addresses or hello lines. */
function dialAlike(one: DiallingReader, other: DiallingReader): boolean {
  if (placeText(one.listen) !== placeText(other.listen)) return false;
  const haveNames = one.hello !== undefined && other.hello !== undefined;
  if (haveNames && one.hello !== other.hello) return false;
  if (one.from.length === 0 || other.from.length === 0) return true;
  return one.from.some((a) => other.from.some((b) => holds(a, b) || holds(b, a)));
}

/** Whether the network or address contains the first address of the other. */
function holds(network: string, other: string): boolean {
  const [first = ''] = other.split('/');
  return new AddressSet([network]).has(first);
}

/** `from` may come several times. The schema reports missing or wrong values. */
function dialsIn(place: string): ReaderSettings | undefined {
  const [listen = '', words, ...more] = place.split('?');
  const given = new URLSearchParams(words);
  const from = given.getAll('from');
  const [hello, ...hellos] = given.getAll('hello');
  const isOther = [...given.keys()].some((key) => key !== 'from' && key !== 'hello');
  if (place === '' || isOther || more.length > 0 || hellos.length > 0) return undefined;
  return {
    type: 'tcp-listen',
    listen,
    ...(from.length === 0 ? {} : { from }),
    ...(hello === undefined ? {} : { hello }),
  };
}

/** In the form of the configuration: `10.0.0.5:7382`, `[fd00::5]:7382`. */
export function placeText({ host, port }: DiallingReader['listen']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * `tls` of a `tcp-connect` reader: the reader speaks TLS and must prove its identity (INVARIANTS.md T10). There is no
 * trust on first use: a trusted authority must have signed its certificate, or the fingerprint must be configured.
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
