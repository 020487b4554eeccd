/**
 * The agent of a scene through all its lives: composed as `platen run` composes it, started, stopped in order, or killed.
 * Each start reads what the life before has left; a kill leaves the state directory as it is at that moment, a copy of
 * it, for what was killed may go on writing into its own for a turn.
 */
import { cpSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startAgent } from '../../src/agent/agent.ts';
import { checkConfig } from '../../src/config/load.ts';
import type { Chance } from '../../src/core/chance.ts';
import { createLog } from '../../src/core/log.ts';
import { stringify } from 'yaml';
import type { Life, Mortality } from './mortality.ts';
import type { Kiosk } from './screens.ts';
import type { VirtualClock, VirtualTime } from '../support/virtual-time.ts';

export interface AgentLives {
  readonly kiosk: Kiosk;
  /** The one that runs now. */
  current(): Life | undefined;
  /** Where it keeps its state now. */
  stateDir(): string;
  /** Resolves when it has started, or was killed over it. */
  start(): Promise<void>;
  /** In order; resolves when it has ended. */
  stop(): Promise<void>;
  /** At once, within the same turn. */
  kill(): void;
  /** As `platen outbox retry`. */
  retryOutbox(): Promise<void>;
  /** After every line of its log, with the line. */
  onLine(listener: (line: string) => void): () => void;
}

export interface LivesWorld {
  readonly folder: string;
  readonly time: VirtualTime;
  readonly mortality: Mortality;
  readonly chance: Chance;
  /** Without where its state is. */
  readonly settings: object;
  wrote(line: string, life: number): void;
  /** It ended by itself, which it never should. */
  failed(why: unknown): void;
  /** What it left can be looked at. */
  rested(stateDir: string): void;
}

interface Running {
  readonly life: Life;
  readonly clock: VirtualClock;
  readonly over: AbortController;
  running: Promise<void>;
}

export function createAgentLives(world: LivesWorld): AgentLives {
  const { folder, time, mortality, chance, settings } = world;
  const listeners = new Set<(line: string) => void>();
  let lives = 0;
  let copies = 0;
  let stateDir = join(folder, 'state-0');
  let now: Running | undefined;
  let address: string | undefined;

  const logOf = (life: Life, number: number) =>
    createLog({
      level: 'info',
      destination: {
        write(line) {
          if (life.isOver()) return;
          world.wrote(line, number);
          if (line.includes('"agent started"')) address = String(JSON.parse(line).kiosk);
          mortality.outside(() => listeners.forEach((listener) => listener(line)));
        },
      },
    });

  async function start(): Promise<void> {
    lives += 1;
    const life = mortality.bear();
    const clock = time.clock();
    const over = new AbortController();
    const { promise: born, resolve: isBorn } = Promise.withResolvers<void>();
    const file = join(folder, 'platen.yaml');
    const text = stringify({ ...settings, stateDir });
    const one: Running = { life, clock, over, running: Promise.resolve() };
    now = one;
    one.running = life.live(async () => {
      const config = checkConfig(text, { file, env: {} });
      const agent = await startAgent({ config, clock, chance, log: logOf(life, lives) });
      isBorn();
      await agent.run(over.signal);
    });
    one.running.catch((error: unknown) => {
      if (!life.isOver()) world.failed(error);
      isBorn();
    });
    await Promise.race([born, endOf(life)]);
  }

  /** Resolves when it was killed. */
  const deaths = new Map<Life, () => void>();
  const endOf = (life: Life) => new Promise<void>((resolve) => deaths.set(life, resolve));

  async function stop(): Promise<void> {
    const one = now;
    if (!one) return;
    one.over.abort();
    await Promise.race([one.running.catch(() => undefined), endOf(one.life)]);
    if (now !== one) return;
    // Its process is gone now, with whatever was left in it.
    one.life.kill();
    one.clock.stop();
    now = undefined;
    address = undefined;
    world.rested(stateDir);
  }

  function kill(): void {
    const one = now;
    if (!one) return;
    copies += 1;
    const copy = join(folder, `state-${copies}`);
    copyState(stateDir, copy);
    one.life.kill();
    one.clock.stop();
    now = undefined;
    address = undefined;
    stateDir = copy;
    world.rested(copy);
    deaths.get(one.life)?.();
    deaths.delete(one.life);
  }

  return {
    kiosk: {
      get address() {
        return address;
      },
      get life() {
        return lives;
      },
      launchSecret: () => readFileSync(join(stateDir, 'kiosk-launch'), 'utf8').trim(),
    },
    current: () => now?.life,
    stateDir: () => stateDir,
    start,
    stop,
    kill,
    retryOutbox: () =>
      new Promise((resolve) => {
        const asked = request(
          { socketPath: join(stateDir, 'control.sock'), method: 'POST', path: '/outbox/retry', agent: false },
          (answer) => answer.resume().once('close', resolve),
        );
        asked.on('error', () => resolve());
        asked.end();
      }),
    onLine(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** As it is now: where a file goes while it is copied, for Node unlinks in threads of its own, it is copied anew without it. */
function copyState(from: string, to: string): void {
  const isKept = (path: string) => !lstatSync(path).isSocket();
  for (;;) {
    try {
      return cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: isKept });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      rmSync(to, { recursive: true, force: true });
    }
  }
}
