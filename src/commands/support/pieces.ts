/** The pieces of a support bundle: how each is called, what it is, and where it comes from. */
import type { Io } from '../io.ts';
import { checkText, metricsText, statusText } from './agent.ts';
import { auditText } from './audit-log.ts';
import type { KnownConfig } from './config.ts';
import { outboxText, releasesText } from './ledger.ts';
import { agentsLog, filesLog, journalsLog } from './log.ts';
import { roomText, startsText, stateListing, unitText, versionsText } from './machine.ts';
import type { RunProgram } from '../program.ts';
import type { UserOptions } from '../service-access.ts';
import type { Pseudonym } from './pseudonyms.ts';

export interface Piece {
  readonly name: string;
  readonly what: string;
  /** Throws, or rejects with, what keeps it from being had. */
  text(): string | Promise<string>;
}

export interface Sources {
  readonly file: string;
  readonly known: KnownConfig;
  /** A file that has the log, besides. */
  readonly logFile: string | undefined;
  readonly journal: Promise<string | undefined>;
  /** Who reads the service's audit log; absent: nobody does. */
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
