/** The pieces of a support bundle: the name, the content and the source of each. */
import { z } from 'zod';
import type { Io } from '../io.ts';
import type { RunProgram } from '../program.ts';
import type { UserOptions } from '../service-access.ts';
import { checkCommand } from '../check/check.ts';
import { askControl } from '../control-call.ts';
import type { AuditEvent } from '../../cloud/administration/audit-logs.ts';
import type { Config } from '../../config/schema/config.ts';
import { systemClock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import { atService, loginAs } from '../service-access.ts';
import type { KnownConfig } from './config.ts';
import { outboxText, releasesText } from './ledger.ts';
import { agentsLog, filesLog, journalsLog } from './log.ts';
import { roomText, startsText, stateListing, unitText, versionsText } from './machine.ts';
import type { Pseudonym } from './pseudonyms.ts';

export interface Piece {
  readonly name: string;
  readonly what: string;
  /** Throws or rejects with the reason if the piece is not available. */
  text(): string | Promise<string>;
}

export interface Sources {
  readonly file: string;
  readonly known: KnownConfig;
  /** A file with the log, in addition to the other sources. */
  readonly logFile: string | undefined;
  readonly journal: Promise<string | undefined>;
  /** The user for the service's audit log. Absent: it is not read. */
  readonly user: UserOptions | undefined;
  readonly pseudonym: Pseudonym;
  readonly io: Io;
  readonly run: RunProgram;
}

export const piecesFrom = (sources: Sources): readonly Piece[] => [
  ...(sources.known.config === undefined ? ofWrongFile(sources) : ofRightFile(sources)),
  ...ofAgent(sources),
  ...ofService(sources),
  ...ofLedger(sources),
  ...ofLog(sources),
  ...ofMachine(sources),
];

const ofRightFile = ({ file, known, io }: Sources): readonly Piece[] => [
  {
    name: 'config.yaml',
    what: 'the configuration; all secrets are replaced, names of secret files stay',
    text: () => known.text,
  },
  { name: 'check.json', what: 'the findings of platen check', text: () => checkText(file, io) },
];

const ofWrongFile = ({ known }: Sources): readonly Piece[] => [
  {
    name: 'config.yaml',
    what: 'the keys of the configuration without their values: it has mistakes',
    text: () => known.text,
  },
  {
    name: 'mistakes.txt',
    what: 'the mistakes of the configuration',
    text: () => known.mistakes.join('\n'),
  },
];

const ofAgent = ({ known: { stateDir }, io }: Sources): readonly Piece[] => [
  {
    name: 'status.json',
    what: 'the status of the running agent',
    text: () => statusText(stateDir, io),
  },
  { name: 'metrics.txt', what: 'its metrics', text: () => metricsText(stateDir, io) },
];

const ofService = ({ known: { config }, user, pseudonym, io }: Sources): readonly Piece[] =>
  user === undefined
    ? []
    : [
        {
          name: 'audit-log.jsonl',
          what: "the service's audit log of the last 24 hours, at most 5000 events; people are pseudonyms of this bundle",
          text() {
            if (config) return auditText(config, { user, pseudonym }, io);
            throw new Error('the configuration has mistakes');
          },
        },
      ];

const ofLedger = ({ known, pseudonym }: Sources): readonly Piece[] => [
  {
    name: 'releases.jsonl',
    what: 'the last 1000 releases with events and times; people are pseudonyms of this bundle',
    text: () => releasesText(known, pseudonym),
  },
  {
    name: 'outbox.json',
    what: 'the number of waiting history records, and the dead letters without names and titles',
    text: () => outboxText(known),
  },
];

const ofLog = ({ file, known, logFile, journal, io }: Sources): readonly Piece[] => [
  {
    name: 'log-agent.jsonl',
    what: 'the newest records of the running agent',
    text: () => agentsLog({ stateDir: known.stateDir, file }, io),
  },
  {
    name: 'log-journal.jsonl',
    what: "the unit's journal of a week, at most 5000 lines",
    text: async () => journalsLog(await journal),
  },
  ...(logFile === undefined
    ? []
    : [{ name: 'log-file.jsonl', what: 'records of the named log file', text: () => filesLog(logFile) }]),
];

const ofMachine = ({ known: { stateDir }, run }: Sources): readonly Piece[] => [
  {
    name: 'versions.json',
    what: 'versions of Platen, Node, the system and related programs',
    text: () => versionsText(run),
  },
  { name: 'unit.txt', what: 'how systemd sees the unit', text: () => unitText(run) },
  {
    name: 'starts.txt',
    what: 'the starts of the agent in the last minutes, if it was not stopped normally since',
    text: () => startsText(stateDir),
  },
  {
    name: 'state-files.txt',
    what: 'modes, owners, sizes and names of files in the state directory, without their contents',
    text: () => stateListing(stateDir),
  },
  {
    name: 'machine.json',
    what: 'disk, memory, load, names of network interfaces without addresses',
    text: () => roomText(stateDir),
  },
];

/** The answers of the running agent and of the doctor, for a support bundle. */

/** Fields of every version of the agent. Other programs have no such answer. */
const status = z.looseObject({ version: z.string(), terminals: z.array(z.unknown()) });

/** Rejects if no agent answers. */
async function statusText(stateDir: string, io: Io): Promise<string> {
  const said = status.parse(JSON.parse(await pageOf(stateDir, '/status', io)));
  return JSON.stringify(withoutCodes(said), undefined, 2);
}

/** Rejects if no agent answers. */
const metricsText = (stateDir: string, io: Io): Promise<string> => pageOf(stateDir, '/metrics', io);

async function pageOf(stateDir: string, path: string, io: Io): Promise<string> {
  const answer = await askControl({ stateDir }, io, { method: 'GET', path });
  if (answer?.status !== 200) throw new Error(`no agent of this version answers on ${stateDir}`);
  return answer.text;
}

/** While a device waits for approval, its user code is secret: it would show the device to a person who may approve. */
function withoutCodes(said: unknown): unknown {
  if (Array.isArray(said)) return said.map(withoutCodes);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(
    Object.entries(said).map(([key, one]) => [key, key === 'userCode' ? '[left out]' : withoutCodes(one)]),
  );
}

/** What `platen check --json` finds. */
async function checkText(config: string, io: Io): Promise<string> {
  const lines: string[] = [];
  const tell = (text: string): void => void lines.push(text);
  await checkCommand({ config, json: true }, { ...io, out: tell, error: tell, screen: undefined });
  return lines.join('\n');
}

/** The service's audit log of the last day for a support bundle: the actions, with pseudonyms for the people. */
const most = 5000;

interface AuditedBy {
  /** The user for the call, with the permission ViewLog. */
  readonly user: UserOptions;
  readonly pseudonym: Pseudonym;
}

/** One line of JSON for each event. Rejects with the reason if the log is not available. */
function auditText(config: Config, { user, pseudonym }: AuditedBy, io: Io): Promise<string> {
  return atService(config, io, async (cloud) => {
    const token = await loginAs(cloud, user, io);
    const to = systemClock.now();
    const span = { from: to - hours(24), to, most };
    const events = await cloud.directory(token).auditLogs.read(span, { signal: io.stop, token });
    const names = new Set([user.user, ...events.flatMap((event) => event.user?.name ?? [])]);
    return events.map((event) => `${JSON.stringify(shown(event, pseudonym, names))}\n`).join('');
  });
}

/** Only values that are single words and no names. The service may write anything into these fields. */
function shown(
  { user, errorCode, ...event }: AuditEvent,
  pseudonym: Pseudonym,
  names: ReadonlySet<string>,
): object {
  const words = Object.entries(event).map(([field, value]) => [
    field,
    value === undefined || (isWord.test(value) && !names.has(value)) ? value : '[left out]',
  ]);
  return {
    ...Object.fromEntries(words),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(user === undefined ? {} : { user: pseudonym(user) }),
  };
}

const isWord = /^[\w:.+/-]{1,64}$/;
