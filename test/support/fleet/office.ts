/** An administrator beside a fleet: pushes configuration, rolls it out to all at once, and leads it back (F15, F16). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { commandHere } from '../command-here.ts';
import { eventually, patience } from '../patience.ts';
import { fleetKey } from './fleet-engine.ts';

type Files = Readonly<Record<string, object>>;
type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>;
export type Signer = 'first' | 'second';

export interface Office {
  /** The file of its public key, for `fleet.signers`. */
  signer(which: Signer): string;
  /** The number of the version. */
  push(files: Files, by?: Signer): Promise<number>;
  /** `soak`: seconds. */
  roll(version: number, soak: number, by?: Signer): Promise<void>;
  undo(): Promise<void>;
  /** The newest roll-out is; members look at it sooner than every ten seconds. */
  until(state: 'finished' | 'halted'): Promise<void>;
}

/** `folder` is made, and root's alone. */
export async function openOffice(folder: string, url: string, sql: Sql): Promise<Office> {
  mkdirSync(folder);
  const config = join(folder, 'fleet.yaml');
  const privateKey = (which: Signer): string => join(folder, which);
  const signer = (which: Signer): string => `${privateKey(which)}.pub`;
  for (const which of ['first', 'second'] as const) await done(['keygen', privateKey(which)]);
  const signers = [signer('first'), signer('second')];
  const access = { fleet: { engine: { url }, key: fleetKey.reveal(), signers } };
  writeFileSync(config, stringify(access), { mode: 0o600 });
  const directory = join(folder, 'directory');
  let highest = 0;

  /** Said again while the engine does not answer, as its sentence advises: faults of the engine last for seconds here. */
  async function done(words: readonly string[]): Promise<string> {
    const end = performance.now() + patience();
    for (;;) {
      const { code, out, error } = await commandHere(['fleet', ...words]);
      if (code === 0) return out;
      const isAway = error.includes('does not answer');
      if (!isAway || performance.now() > end) throw new Error(`platen fleet ${words.join(' ')}: ${error}`);
    }
  }
  const signed = (words: readonly string[], by: Signer): Promise<string> =>
    done([...words, '--key', privateKey(by), '-c', config]);
  /** Again where the engine was set back, until its number is one that no gateway has seen. */
  async function order(words: readonly string[], by: Signer): Promise<void> {
    for (;;) {
      const out = await signed([...words, '--steps', '100%'], by);
      const number = numberIn(out, /^Roll-out (\d+):/m);
      if (number > highest) {
        highest = number;
        return;
      }
      await sql(`UPDATE platen.rollout SET state = 'finished' WHERE number = ${number}`);
    }
  }
  return {
    signer,
    async push(files, by = 'first') {
      rmSync(directory, { recursive: true, force: true });
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), stringify(content));
      }
      const out = await signed(['push', directory, ...(by === 'second' ? ['--sign-again'] : [])], by);
      return numberIn(out, /^(?:Version|Nothing has changed since version) (\d+)/m);
    },
    roll: (version, soak, by = 'first') => order(['roll', String(version), '--soak', `${soak}s`], by),
    undo: () => order(['undo', '--soak', '0s'], 'first'),
    until: (state) =>
      eventually(
        async () => {
          await sql(`UPDATE platen.rollout SET looked_at = NULL; NOTIFY platen_rollout, ''`);
          const [row] = await sql(
            'SELECT state, gateway, why FROM platen.rollout ORDER BY number DESC LIMIT 1',
          );
          if (row?.['state'] !== state) throw new Error(`a roll-out is ${JSON.stringify(row)}, not ${state}`);
        },
        { interval: 500 },
      ),
  };
}

function numberIn(out: string, shape: RegExp): number {
  const found = shape.exec(out)?.[1];
  if (found === undefined) throw new Error(`no number in: ${out}`);
  return Number(found);
}
