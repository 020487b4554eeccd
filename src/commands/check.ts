/**
 * `platen check`, the doctor: everything a release depends on, a line each with what was found, how long it took, and
 * what to do. It changes nothing and may run beside the daemon.
 */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadConfig } from '../config/load.ts';
import type { TerminalConfig } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { createLog } from '../core/log.ts';
import { spoolerQueue } from '../domain/spooler-queue.ts';
import { createPrinter } from '../printing/printer-by-uri.ts';
import { systemTrust } from '../printing/system-trust.ts';
import { examineServices, examineToken } from './check-cloud.ts';
import { examineQueue } from './check-queue.ts';
import type { Examination, Finding } from './examination.ts';
import { examinationLimit, examined } from './examination.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { table } from './table.ts';

export async function checkCommand(
  { config: file, json }: { config: string; json?: boolean },
  io: Io,
): Promise<number> {
  const config = loadConfig(file, io.env);
  const examinations: readonly (readonly [string, Examination])[] = [
    ['config', async () => `${file}: ${config.terminals.length} terminals`],
    ['state directory', () => examineStateDir(config.stateDir)],
    ...examineServices(config, io),
    ['device token', () => examineToken(config, io)],
    ...config.terminals.flatMap((terminal) => ofTerminal(terminal, io)),
  ];
  const findings = await Promise.all(examinations.map(([what, examine]) => examined(what, examine)));
  io.out(json ? JSON.stringify(findings, undefined, 2) : table(findings.map(cells)));
  return findings.some(({ state }) => state === 'failed') ? exitCode.failed : exitCode.ok;
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

function ofTerminal(terminal: TerminalConfig, io: Io): [string, Examination][] {
  return [
    ...terminal.readers.map((reader): [string, Examination] => {
      const path = reader.type === 'serial' ? reader.path : reader.type;
      return [`reader of ${terminal.id}`, () => examineReader(path)];
    }),
    [`printer of ${terminal.id}`, () => examinePrinter(terminal, io)],
    ...(spoolerQueue(terminal.printer.uri) === undefined
      ? []
      : [[`queue of ${terminal.id}`, () => examineQueue(terminal, io)] satisfies [string, Examination]]),
  ];
}

/** Opening it would take badges away from a running daemon, so it is only looked at. */
async function examineReader(path: string): Promise<string> {
  if (!(await exists(path))) throw new Error(`${path} is not there; plug the reader in, or mend the path`);
  if (!(await stat(path)).isCharacterDevice()) throw new Error(`${path} is no serial device; mend the path`);
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new Error(`${path} may not be opened; add the user that runs platen to the group dialout`, {
      cause,
    });
  }
  return `${path} can be opened`;
}

async function examinePrinter(
  { printer: { uri, outputType, pjl, stallSeconds, requireConfirmation } }: TerminalConfig,
  io: Io,
): ReturnType<Examination> {
  if (uri === 'auto') return { waiting: 'its address comes from the service; platen status shows it' };
  const log = quiet();
  const stall = seconds(stallSeconds);
  const trust = systemTrust();
  await using printer = createPrinter({ uri, outputType, pjl, stall, clock: systemClock, log, trust });
  const seen = await printer.describe({ signal: systemClock.deadline(examinationLimit, io.stop) });
  if (printer.kind === 'bytes') {
    return [
      `${uri} takes connections`,
      `is sent ${seen.formats.join(', ')}`,
      pjl === 'off' ? 'without PJL: one copy, as the printer is set' : 'in PJL: copies, sides, grey',
      `cannot confirm a print, which counts as ${requireConfirmation ? 'unknown' : 'handed over'}`,
    ].join('; ');
  }
  const about = [
    `${uri} (${seen.makeAndModel}) is ${seen.state}`,
    `takes ${seen.formats.join(', ')}`,
    seen.mediaReady.length > 0 ? `has ${seen.mediaReady.join(', ')}` : 'does not say what paper it has',
  ].join('; ');
  if (!seen.ready)
    throw new Error(`${about}; needs attention: ${seen.stateReasons.join(', ') || 'accepts no jobs'}`);
  return about;
}

/** A check tells its findings itself. */
const quiet = () => createLog({ level: 'fatal' });
