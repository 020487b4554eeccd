/**
 * `platen check`, the doctor: everything a release depends on, a line each with what was found, how long it took, and
 * what to do. It changes nothing and may run beside the daemon; so may the test page, which waits its turn at the
 * printer.
 */
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadConfig } from '../config/load.ts';
import type { Config, TerminalConfig } from '../config/schema.ts';
import { examineServices, examineToken } from './check-cloud.ts';
import { examinePrinter } from './check-printer.ts';
import { examineReaders } from './check-readers.ts';
import { examineTestPage } from './check-test-page.ts';
import type { Examination, Finding } from './examination.ts';
import { examined } from './examination.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { examineConverter } from './opened-converter.ts';
import { table } from './table.ts';

export interface CheckOptions {
  readonly config: string;
  readonly json?: boolean;
  /** The terminal, or true for the only one. */
  readonly printTestPage?: string | true;
}

export async function checkCommand(options: CheckOptions, io: Io): Promise<number> {
  const { config: file, json, printTestPage } = options;
  const config = loadConfig(file, io.env);
  const examinations: readonly (readonly [string, Examination])[] =
    printTestPage === undefined
      ? everything(file, config, io)
      : [examineTestPage({ config, terminal: terminalOf(config, printTestPage), io })];
  const findings = await Promise.all(examinations.map(([what, examine]) => examined(what, examine)));
  io.out(json ? JSON.stringify(findings, undefined, 2) : table(findings.map(cells)));
  return findings.some(({ state }) => state === 'failed') ? exitCode.failed : exitCode.ok;
}

const everything = (file: string, config: Config, io: Io): readonly (readonly [string, Examination])[] => [
  ['config', async () => `${file}: ${config.terminals.length} terminals`],
  ['state directory', () => examineStateDir(config.stateDir)],
  ...examineServices(config, io),
  ['device token', () => examineToken(config, io)],
  ['converter', () => examineConverter(config, io)],
  ...config.terminals.flatMap((terminal) => [
    ...examineReaders({ config, terminal, io }),
    ...examinePrinter({ config, terminal, io }),
  ]),
];

function terminalOf({ terminals }: Config, wanted: string | true): TerminalConfig {
  const ids = terminals.map(({ id }) => id).join(', ');
  const [found, another] = wanted === true ? terminals : terminals.filter(({ id }) => id === wanted);
  if (another) throw new CommandFailed(`say at which terminal: ${ids}`);
  if (!found) throw new CommandFailed(`there is no such terminal; there are: ${ids || 'none'}`);
  return found;
}

const marks = { ok: 'ok', waiting: 'wait', failed: 'FAIL' } as const;
const cells = (one: Finding) => [marks[one.state], one.what, `${one.milliseconds} ms`, one.detail];

/** Megabytes: room for the ledger and one usual document. */
const leastFree = 64;

async function examineStateDir(stateDir: string): Promise<string> {
  const existing = (await exists(stateDir)) ? stateDir : dirname(stateDir);
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${existing} cannot be written; give it to the user that runs platen`, { cause });
  }
  const { bavail, bsize } = await statfs(existing);
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  if (free < leastFree) throw new Error(`${existing} has ${free} MB free; make room for ${leastFree} MB`);
  return existing === stateDir
    ? `${stateDir}, ${free} MB free`
    : `${stateDir} will be made at the first start, ${free} MB free`;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
