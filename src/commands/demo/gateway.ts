/** One gateway of the demo fleet: this program as a separate process, with its log and its page. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { PasserBy } from '../../simulator/passer-by.ts';
import { passBy } from '../../simulator/passer-by.ts';
import { launchFileIn } from '../../store/sealed/kiosk-secrets.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import type { LogRecord } from '../logs/sentences.ts';
import { startPlaten } from '../platen-process.ts';
import type { Narrator, Say } from './narrator.ts';
import { createNarrator } from './narrator.ts';

export interface Gateway extends AsyncDisposable {
  /** The name on screens and in the output of the fleet. */
  readonly name: string;
  /** The records of all its runs. */
  readonly log: Pick<Narrator, 'records' | 'next'>;
  /** Its page. Each new sentence of the page is told. */
  screen(): PasserBy;
  /** Resolves when its page is there. */
  start(): Promise<void>;
  /** SIGKILL, at any moment. */
  kill(): Promise<void>;
}

/** The log messages that are worth telling in a demo of a fleet. */
const telling: ReadonlySet<string> = new Set([
  'engine found',
  'engine away',
  'engine back',
  'terminal taken over',
  'terminal handed over',
  'session opened',
  'release started',
  'release ended',
  'claim refused',
  'claim taken over',
  'history accepted',
  'owed deletion made',
]);

export async function createGateway(
  { name, folder, config }: { readonly name: string; readonly folder: string; readonly config: object },
  { terminal, say, io }: { readonly terminal: string; readonly say: Say; readonly io: Io },
): Promise<Gateway> {
  const own = join(folder, name);
  const file = join(own, 'platen.yaml');
  await mkdir(own, { mode: 0o700 });
  const stateDir = join(own, 'state');
  await writeFile(file, stringify({ ...config, stateDir }), { mode: 0o600 });
  const log = createNarrator(
    (sentence) => say(`${name}: ${sentence}`),
    ({ msg }) => telling.has(msg),
  );
  let life: { readonly screen: PasserBy; kill(): Promise<void>; readonly open: AsyncDisposable } | undefined;

  /**
   * The cookie of a browser that was started with the launch secret. With it, the stream has the words for the person
   * in front.
   */
  async function launched(page: string): Promise<string> {
    const secret = (await readFile(launchFileIn(stateDir), 'utf8')).trim();
    const { headers } = await fetch(`${page}?launch=${secret}`, { redirect: 'manual' });
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  async function start(): Promise<void> {
    await using opening = new AsyncDisposableStack();
    const started = log.next('agent started');
    const process = opening.use(startPlaten(['run', '-c', file], { io, onLine: log.write }));
    const hasEnded = process.closed.then(() => Promise.reject(new CommandFailed(`${name} did not start`)));
    const { kiosk } = await Promise.race([started, hasEnded]);
    hasEnded.catch(() => {});
    const page = `http://${String(kiosk)}/t/${terminal}`;
    const screen = opening.use(passBy(page, { cookie: await launched(page) }));
    screen.onEvent((sentence) => say(`The screen of ${name} reads: ${sentence}`));
    life = { screen, kill: process.kill, open: opening.move() };
  }
  async function end(): Promise<void> {
    const ending = life?.open;
    life = undefined;
    await ending?.[Symbol.asyncDispose]();
  }
  return {
    name,
    log,
    start,
    screen() {
      if (!life) throw new Error(`${name} is not there`);
      return life.screen;
    },
    async kill() {
      await life?.kill();
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** The releases that have a record with this message. */
export const releasesSaid = (records: readonly LogRecord[], msg: string): readonly string[] =>
  records.filter((record) => record.msg === msg).map(({ releaseId }) => String(releaseId));
