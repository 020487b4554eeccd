/**
 * `platen check`, the doctor: everything a release depends on, a line each with what was found, how long it took, and
 * what to do. It changes nothing and may run beside the daemon.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cloudAddress } from '../agent.ts';
import { createCloud } from '../cloud/client.ts';
import { loadConfig } from '../config/load.ts';
import type { Config, TerminalConfig } from '../config/schema.ts';
import { systemChance } from '../core/chance.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { createLog } from '../core/log.ts';
import { isProblem } from '../domain/problem.ts';
import { DeviceTokenHolder } from '../machines/device-tokens.ts';
import { createIppPrinter } from '../printing/ipp-printer.ts';
import { systemTrust } from '../printing/system-trust.ts';
import { version } from '../version.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { askStatus } from './status.ts';
import { table } from './table.ts';

interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'waiting' | 'failed';
  readonly detail: string;
  readonly milliseconds: number;
}

/** What an examination found; a thrown error is a failure. */
type Examination = () => Promise<string | { readonly waiting: string }>;

const examinationLimit = seconds(15);

export async function checkCommand(
  { config: file, json }: { config: string; json?: boolean },
  io: Io,
): Promise<number> {
  const config = loadConfig(file, io.env);
  const examinations: readonly [string, Examination][] = [
    ['config', async () => `${file}: ${config.terminals.length} terminals`],
    ['state directory', () => examineStateDir(config.stateDir)],
    ['cloud', () => examineCloud(config, io)],
    ['device token', () => examineToken(config, io)],
    ...config.terminals.flatMap((terminal) => ofTerminal(terminal, io)),
  ];
  const findings = await Promise.all(examinations.map(([what, examine]) => examined(what, examine)));
  io.out(json ? JSON.stringify(findings, undefined, 2) : table(findings.map(cells)));
  return findings.some(({ state }) => state === 'failed') ? exitCode.failed : exitCode.ok;
}

async function examined(what: string, examine: Examination): Promise<Finding> {
  const since = systemClock.monotonic();
  const took = () => Math.round(systemClock.monotonic() - since);
  try {
    const found = await examine();
    return typeof found === 'string'
      ? { what, state: 'ok', detail: found, milliseconds: took() }
      : { what, state: 'waiting', detail: found.waiting, milliseconds: took() };
  } catch (error) {
    const detail = isProblem(error) ? `${error.message}. ${error.advice}` : (error as Error).message;
    return { what, state: 'failed', detail, milliseconds: took() };
  }
}

const marks = { ok: 'ok', waiting: 'wait', failed: 'FAIL' } as const;
const cells = (one: Finding) => [marks[one.state], one.what, `${one.milliseconds} ms`, one.detail];

async function examineStateDir(stateDir: string): Promise<string> {
  const existing = (await exists(stateDir)) ? stateDir : dirname(stateDir);
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${existing} cannot be written; give it to the user that runs platen`, { cause });
  }
  return existing === stateDir ? stateDir : `${stateDir} will be made at the first start`;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function examineCloud(config: Config, io: Io): Promise<string> {
  await using cloud = createCloud({
    ...cloudAddress(config),
    clientType: config.device.clientType,
    description: config.device.description,
    version,
    report: config.status.report,
    deviceTokens: new DeviceTokenHolder(),
    clock: systemClock,
    chance: systemChance,
    log: quiet(),
  });
  const server = await cloud.version({ signal: systemClock.deadline(examinationLimit, io.stop) });
  return `${config.cloud.baseUrl} answers, version ${server.version}`;
}

async function examineToken(config: Config, io: Io): ReturnType<Examination> {
  const status = await askStatus(config, io);
  if (!status) return { waiting: 'the agent is not running; start it with platen run' };
  const { state, tokenExpiresIn } = status.enrollment;
  if (state === 'authorized')
    return `the device is authorized, its token lives ${Math.round(tokenExpiresIn / 60_000)} min more`;
  if (state === 'awaitingApproval')
    return { waiting: 'an administrator has to approve this device in the print service' };
  throw new Error(`the device is not authorized (${state}); see platen status`);
}

function ofTerminal(terminal: TerminalConfig, io: Io): [string, Examination][] {
  return [
    ...terminal.readers.map((reader): [string, Examination] => {
      const path = reader.type === 'serial' ? reader.path : reader.type;
      return [`reader of ${terminal.id}`, () => examineReader(path)];
    }),
    [`printer of ${terminal.id}`, () => examinePrinter(terminal, io)],
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
  { printer: { uri, outputType, stallSeconds } }: TerminalConfig,
  io: Io,
): Promise<string> {
  const log = quiet();
  const stall = seconds(stallSeconds);
  const trust = systemTrust();
  await using printer = createIppPrinter({ uri, outputType, stall, clock: systemClock, log, trust });
  const seen = await printer.describe({ signal: systemClock.deadline(examinationLimit, io.stop) });
  const about = [
    `${uri} (${seen.makeAndModel}) is ${seen.state}`,
    `takes ${seen.formats.join(', ')}`,
    seen.mediaReady.length > 0 ? `has ${seen.mediaReady.join(', ')}` : 'does not say what paper it has',
  ].join('; ');
  if (!seen.ready) throw new Error(`${about}; needs attention: ${seen.stateReasons.join(', ')}`);
  return about;
}

/** A check tells its findings itself. */
const quiet = () => createLog({ level: 'fatal' });
