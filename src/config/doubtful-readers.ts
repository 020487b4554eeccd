/**
 * Finds readers that do not work on this operating system, and terminals that would share a badge reader, a stick or
 * a TTY of a prompt.
 */
import type { Mistake } from './mistakes.ts';
import type { TerminalConfig } from './schema/config.ts';
import type { StickConfig } from './schema/stick.ts';
import type { PromptConfig } from './schema/prompt.ts';
import type { ReaderConfig } from './schema/reader.ts';
import { kindOf, readerKinds } from './schema/reader.ts';

interface AllReaders {
  readonly terminals: readonly { readonly id: string; readonly readers: readonly ReaderConfig[] }[];
}

/** If two readers cannot be told apart, a badge at one terminal could open a session at the other. */
export function withoutDistinction({ terminals }: AllReaders): Mistake[] {
  const earlier: { readonly reader: ReaderConfig; readonly terminal: string }[] = [];
  return terminals.flatMap(({ id, readers }, index) =>
    readers.flatMap((reader, at) => {
      const messages = earlier.flatMap((one) =>
        one.reader.type === reader.type
          ? (kindOf(reader).mistakable(one.reader, reader, one.terminal) ?? [])
          : [],
      );
      earlier.push({ reader, terminal: id });
      return messages.slice(0, 1).map((message) => ({ path: ['terminals', index, 'readers', at], message }));
    }),
  );
}

/** Whether two terminals use the same badge reader, stick or TTY, so that only one of them can run. */
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

/** With a shared stick, one person's files would be shown to the person at the other terminal. */
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

interface ReadersOf {
  readonly terminals: readonly { readonly readers: readonly Pick<ReaderConfig, 'type'>[] }[];
}

export function readersOfOtherSystems(
  { terminals }: ReadersOf,
  platform: NodeJS.Platform = process.platform,
): Mistake[] {
  return terminals.flatMap(({ readers }, index) =>
    readers.flatMap(({ type }, at) => {
      const message = readerKinds[type].refusal(platform);
      return message === undefined ? [] : [{ path: ['terminals', index, 'readers', at, 'type'], message }];
    }),
  );
}
