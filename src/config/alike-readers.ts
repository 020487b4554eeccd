/**
 * Whether two terminals would get the badges of one reader, or prompt on one TTY. Readers that dial in at one address must be told apart, by where they come from or by their hello lines, those of
 * pcscd by their names, and those that are dialled by their addresses: else one reader's badge would open a session at
 * another one's terminal.
 */
import { AddressSet } from '../core/address-set.ts';
import { canNameOne } from '../domain/terminal/smart-card-reader.ts';
import { areHidAlike } from './schema/hid.ts';
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './schema/reader.ts';
import { placeText } from './schema/reader.ts';
import { areSerialAlike } from './schema/serial.ts';
import type { TerminalConfig } from './schema/config.ts';
import type { PromptConfig } from './schema/prompt.ts';
import type { StickConfig } from './schema/person/stick.ts';

type DiallingReader = Extract<ReaderConfig, { type: 'tcp-listen' }>;
type DialledReader = Extract<ReaderConfig, { type: 'tcp-connect' }>;
type SmartCardReader = Extract<ReaderConfig, { type: 'pcsc' }>;

interface Readers {
  readonly terminals: readonly { readonly id: string; readonly readers: readonly ReaderConfig[] }[];
}

export function withoutDistinction({ terminals }: Readers): Mistake[] {
  const earlier: { readonly reader: ReaderConfig; readonly terminal: string }[] = [];
  return terminals.flatMap(({ id, readers }, index) =>
    readers.flatMap((reader, at) => {
      const messages = earlier.flatMap((one) => mistakable(one, reader) ?? []);
      earlier.push({ reader, terminal: id });
      return messages.slice(0, 1).map((message) => ({ path: ['terminals', index, 'readers', at], message }));
    }),
  );
}

/** What is to be done about it that the one could be taken for the other. */
function mistakable(
  { reader: one, terminal }: { readonly reader: ReaderConfig; readonly terminal: string },
  other: ReaderConfig,
): string | undefined {
  if (one.type === 'tcp-listen' && other.type === 'tcp-listen' && dialAlike(one, other))
    return (
      `looks the same to Platen as the reader of ${terminal} at ${placeText(other.listen)}. ` +
      'Give them different addresses in from, or different hello lines'
    );
  if (one.type === 'pcsc' && other.type === 'pcsc' && areNamedAlike(one, other))
    return (
      `is the same smart-card reader as that of ${terminal}. Set reader to a different name for each. ` +
      'Numbers at the end of a name change, so Platen ignores them'
    );
  if (one.type === 'tcp-connect' && other.type === 'tcp-connect' && dialsSame(one, other))
    return `is the same reader as that of ${terminal}. Each terminal needs its own reader`;
  if (
    (one.type === 'hid' && other.type === 'hid' && areHidAlike(one, other)) ||
    (one.type === 'serial' && other.type === 'serial' && areSerialAlike(one, other))
  )
    return `is the same device as the reader of ${terminal}. Add the serial number to each, or set path`;
  return undefined;
}

const areNamedAlike = (one: SmartCardReader, other: SmartCardReader): boolean =>
  canNameOne(one.reader ?? '*', other.reader ?? '*');

const dialsSame = (one: DialledReader, other: DialledReader): boolean =>
  placeText(one.address).toLowerCase() === placeText(other.address).toLowerCase();

function dialAlike(one: DiallingReader, other: DiallingReader): boolean {
  if (placeText(one.listen) !== placeText(other.listen)) return false;
  const haveNames = one.hello !== undefined && other.hello !== undefined;
  if (haveNames && one.hello !== other.hello) return false;
  if (one.from.length === 0 || other.from.length === 0) return true;
  return one.from.some((a) => other.from.some((b) => holds(a, b) || holds(b, a)));
}

/** The network, or the one address, has the other one's first address in it. */
function holds(network: string, other: string): boolean {
  const [first = ''] = other.split('/');
  return new AddressSet([network]).has(first);
}

/** Whether two terminals read the same badge reader or stick, or prompt on the same TTY: then only one of them can run. */
export function useSameDevice(one: TerminalConfig, other: TerminalConfig): boolean {
  const terminals = [one, other];
  return sharedDevices({ terminals }).length > 0;
}

export const sharedDevices = (
  config: Parameters<typeof withoutDistinction>[0] & Prompted & Stuck,
): Mistake[] => [...withoutDistinction(config), ...withSharedTty(config), ...withSharedStick(config)];

interface Stuck {
  readonly terminals: readonly { readonly id: string; readonly stick?: StickConfig | undefined }[];
}

/** Else one person's stick would be shown to whoever signs in at the other terminal. */
function withSharedStick({ terminals }: Stuck): Mistake[] {
  return terminals.flatMap(({ stick: own }, index) => {
    const earlier = terminals.slice(0, index).find(({ stick }) => own && stick && areStickAlike(own, stick));
    const path = ['terminals', index, 'stick'];
    return earlier
      ? [{ path, message: `may be the stick of ${earlier.id} too. Give each terminal its own device` }]
      : [];
  });
}

const areStickAlike = (one: StickConfig, other: StickConfig): boolean =>
  one.device === 'auto' || other.device === 'auto' || one.device === other.device;

interface Prompted {
  readonly terminals: readonly {
    readonly id: string;
    readonly prompt?: PromptConfig | undefined;
    readonly readers: readonly ReaderConfig[];
  }[];
}

function withSharedTty({ terminals }: Prompted): Mistake[] {
  return terminals.flatMap(({ prompt: own, readers }, index) => {
    if (own === undefined) return [];
    const path = ['terminals', index, 'prompt'];
    const earlier = terminals.slice(0, index).find((one) => one.prompt?.tty === own.tty);
    if (earlier)
      return [{ path, message: `is the prompt of ${earlier.id} too. Give each terminal its own TTY` }];
    if (readers.some((reader) => 'path' in reader && reader.path === own.tty))
      return [
        {
          path,
          message:
            'is a reader of this terminal too. If the reader types like a keyboard, write only { tty: DEVICE, wedge: true }',
        },
      ];
    return [];
  });
}
