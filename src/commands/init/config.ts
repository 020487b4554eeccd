/**
 * The new configuration: the present one with the keys that were answered, and nothing else. If the service of a file
 * has an address below `.example` (RFC 2606), the file is the example of the package: its addresses and terminals are
 * no answers.
 */
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ConfigDraft } from '../../config/config-edit.ts';
import { draftOf } from '../../config/config-edit.ts';
import { checkConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/config.ts';
import type { ReaderSettings } from '../../config/schema/reader.ts';
import type { Secret } from '../../core/secret.ts';
import type { Answers } from './answers.ts';
import { authUrlFor } from './answers.ts';
import { readerForms, readerSettings } from './readers.ts';
import type { Io } from '../io.ts';

export interface TerminalAnswer {
  readonly id: string;
  readonly uri: string;
  readonly serialNumber: string;
}

/** The answers that are in the file already. */
export interface Present {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly description?: string | undefined;
  /** The source of the key, not the key itself. */
  readonly apiKey?: unknown;
  readonly terminals: readonly { readonly id: string; readonly uri: string; readonly serialNumber: string }[];
  /** Terminals with nothing but a name, which a person was to complete. */
  readonly unfinished: readonly string[];
}

/** The start of init if there is no file. */
export const newFile = ({ stateDir }: { readonly stateDir: string }): string => `\
# Platen on this machine. Every key that is not here has a default: see systemd/configure.md.
cloud:
  # The service. Its API is below /api/v1 of baseUrl, and its sign-in (OAuth) is below /oauth/v1 of authUrl.
  baseUrl: https://cloud.example:7300
  authUrl: https://cloud.example:7400
  apiKey: { file: api-key }

device:
  # What the administrator who approves this machine reads.
  description: Platen

stateDir: ${stateDir}

# Each is one printer with its readers; serialNumber is the printer's, as the service knows it.
terminals: []
`;

const loose = z.object({
  cloud: z.object({ baseUrl: z.string(), authUrl: z.string(), apiKey: z.unknown() }).partial().catch({}),
  device: z.object({ description: z.string() }).partial().catch({}),
  terminals: z.array(z.unknown()).catch([]),
});
const looseTerminal = z.object({
  id: z.string(),
  serialNumber: z.string(),
  printer: z.object({ uri: z.string() }).optional(),
  printers: z.array(z.object({ uri: z.string() })).optional(),
});
const nameAlone = z.object({
  id: z.string(),
  serialNumber: z.undefined().optional(),
  printer: z.undefined().optional(),
});

export function presentIn(draft: ConfigDraft): Present & { readonly isExample: boolean } {
  const { cloud, device, terminals } = loose.parse(asObject(draft.data()));
  const { baseUrl = '', apiKey } = cloud;
  const isExample = URL.canParse(baseUrl) && new URL(baseUrl).hostname.endsWith('.example');
  if (isExample) return { isExample, apiKey, terminals: [], unfinished: [] };
  const known = terminals.flatMap((one) => {
    const { data } = looseTerminal.safeParse(one);
    const uri = (data?.printers?.[0] ?? data?.printer)?.uri;
    return data && uri !== undefined ? [{ id: data.id, serialNumber: data.serialNumber, uri }] : [];
  });
  const unfinished = terminals.flatMap((one) => nameAlone.safeParse(one).data?.id ?? []);
  return { isExample, ...cloud, description: device.description, terminals: known, unfinished };
}

const asObject = (data: unknown): object => (typeof data === 'object' && data !== null ? data : {});

/** Writes the answers in the form of the file. Throws nothing, because the schema reports wrong values. */
export function applyAnswers(
  draft: ConfigDraft,
  answers: Omit<Answers, 'printers'> & {
    readonly terminals: readonly TerminalAnswer[];
    /** Where a given key is to be stored. */
    readonly keyTo: 'file' | 'sealed' | undefined;
  },
): void {
  const present = presentIn(draft);
  const { description, terminals, readers, keyTo } = answers;
  const baseUrl = answers.baseUrl ?? present.baseUrl;
  // Derived again if the service moves. If the service stays, a person has chosen the present address.
  const stays = present.baseUrl === baseUrl ? present.authUrl : undefined;
  const derived = baseUrl === undefined ? undefined : authUrlFor(baseUrl);
  draft.set({ path: ['cloud', 'baseUrl'], value: baseUrl });
  draft.set({ path: ['cloud', 'authUrl'], value: answers.authUrl ?? stays ?? derived });
  if (keyTo === 'sealed')
    draft.set({ path: ['cloud', 'apiKey'], value: { credential: 'api-key' }, flow: true });
  if (keyTo === 'file' && keyFileOf(present.apiKey) === undefined) {
    draft.set({ path: ['cloud', 'apiKey'], value: { file: usualKeyFile }, flow: true });
  }
  // An administrator who approves many devices must be able to distinguish them.
  const isNew = present.isExample || (present.baseUrl === undefined && present.description === undefined);
  draft.set({
    path: ['device', 'description'],
    value: description ?? (isNew ? `Platen on ${hostname()}`.slice(0, 255) : undefined),
  });
  if (present.isExample) draft.set({ path: ['terminals'], value: [] });
  if (terminals.length > 0) removeUnfinished(draft, present.unfinished, terminals);
  for (const terminal of terminals) setTerminal(draft, terminal);
  const ids = terminalIds(draft);
  for (const [at, id] of ids.entries()) {
    const own = readers.filter(({ terminal = ids.length === 1 ? id : undefined }) => terminal === id);
    setReaders(
      draft,
      at,
      own.map(({ reader }) => readerSettings(reader)).filter((one) => one !== undefined),
    );
  }
}

export const usualKeyFile = 'api-key';

/** The path as the file has it; `undefined` if the key is not in a file of its own. */
export function keyFileOf(apiKey: unknown): string | undefined {
  const { data } = z.strictObject({ file: z.string() }).safeParse(apiKey);
  return data?.file;
}

const terminalIds = (draft: ConfigDraft): readonly unknown[] => {
  const { terminals } = asObject(draft.data()) as { terminals?: unknown };
  return Array.isArray(terminals) ? terminals.map((one) => (one as { id?: unknown } | null)?.id) : [];
};

function removeUnfinished(
  draft: ConfigDraft,
  unfinished: readonly string[],
  answered: readonly TerminalAnswer[],
): void {
  for (const id of unfinished.filter((one) => answered.every((terminal) => terminal.id !== one))) {
    draft.remove(['terminals', terminalIds(draft).indexOf(id)]);
  }
}

function setTerminal(draft: ConfigDraft, { id, uri, serialNumber }: TerminalAnswer): void {
  const ids = terminalIds(draft);
  const at = ids.indexOf(id);
  if (at < 0) {
    draft.set({ path: ['terminals', ids.length], value: { id, serialNumber, printer: { uri } } });
    return;
  }
  draft.set({ path: ['terminals', at, 'serialNumber'], value: serialNumber });
  draft.set({ path: ['terminals', at, 'printer', 'uri'], value: uri });
}

/** These become the readers of the terminal. Other settings of an existing reader stay, for example its baud rate. */
function setReaders(draft: ConfigDraft, at: number, named: readonly ReaderSettings[]): void {
  if (named.length === 0) return;
  const { terminals } = draft.data() as { terminals: readonly { readers?: readonly object[] }[] };
  const there = terminals[at]?.readers ?? [];
  const isSame = (settings: ReaderSettings) => (one: object) =>
    Object.entries(settings).every(([key, value]) =>
      isDeepStrictEqual((one as Record<string, unknown>)[key], value),
    );
  const value = named.map((settings) => there.find(isSame(settings)) ?? settings);
  draft.set({ path: ['terminals', at, 'readers'], value });
}

/** Mistakes in the answers, one each, with the names of the flags. */
export function readerMistakes(
  { readers }: Pick<Answers, 'readers'>,
  ids: readonly string[],
): readonly string[] {
  return readers.flatMap(({ terminal, reader }) => {
    if (!readerSettings(reader)) return [`--reader ${reader}: must be ${readerForms}`];
    if (terminal === undefined)
      return ids.length === 1 ? [] : [`--reader ${reader}: write the terminal before it: ID=${reader}`];
    return ids.includes(terminal) ? [] : [`--reader ${terminal}=${reader}: there is no terminal ${terminal}`];
  });
}

/**
 * The configuration that the agent would read, with the new key if there is one. Throws `ConfigInvalid` with all
 * faults; nothing was written.
 */
export function checkDraft(
  draft: ConfigDraft,
  { file, key, env }: { file: string; key: Secret | undefined; env: Io['env'] },
): Config {
  const trial = draftOf(file, draft.text());
  if (key) trial.set({ path: ['cloud', 'apiKey'], value: { env: keyVariable }, flow: true });
  // This key is sealed now, or was sealed before. No command can read it.
  if (isSealingKeySealed(draft)) trial.set({ path: sealingKeyPath, value: standIn });
  return checkConfig(trial.text(), { file, env: { ...env, [keyVariable]: key?.reveal() } });
}

export const sealingKeyPath = ['device', 'sealingKey'] as const;
const standIn = '0'.repeat(64);

export const isSealingKeySealed = (draft: ConfigDraft): boolean =>
  z
    .object({ device: z.object({ sealingKey: z.object({ credential: z.literal('sealing-key') }) }) })
    .safeParse(draft.data()).success;

const keyVariable = 'PLATEN_INIT_API_KEY';
