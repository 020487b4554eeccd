/**
 * Two gateways of one fleet in one process: one cloud, one printer and one badge reader between them, one PostgreSQL,
 * and to that a line for each that can be cut. Each is a device of its own, and both are set up for the same terminal.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { printerAddress } from '../../../src/domain/printer/printer-address.ts';
import type { CutLine } from '../cut-line.ts';
import { layLine } from '../cut-line.ts';
import type { Postgres } from './postgres.ts';
import type { Running, Stage, StageOptions } from '../agent/stage.ts';
import { runAgent, setStage } from '../agent/stage.ts';
import { eventually } from '../patience.ts';

/** The reader's own pause for a badge that lies there: on the time of both gateways, which the engine shares. */
export const untilBadgeMayBeHeldAgain = () => systemClock.sleep(seconds(1.6));

/** Its first connection; on a machine that stalls, the second one. */
export async function reachesEngine(agent: Running): Promise<void> {
  const reported = ({ msg }: { readonly msg: string }) => msg === 'engine found' || msg === 'engine back';
  await eventually(() => expect(agent.records.some(reported)).toBe(true));
  await agent.told(agent.records.find(reported)?.msg ?? '');
}

export interface Gateway {
  readonly folder: string;
  readonly configFile: string;
  /** To the engine. */
  readonly line: CutLine;
  start(): Promise<Running>;
}

export interface FleetStage extends AsyncDisposable {
  readonly stage: Stage;
  /** Preferred for the terminal. */
  readonly a: Gateway;
  readonly b: Gateway;
  /** Of the fleet's database. */
  readonly url: string;
}

export async function setFleetStage(postgres: Postgres, options: StageOptions = {}): Promise<FleetStage> {
  await using opened = new AsyncDisposableStack();
  const url = await postgres.newDatabase();
  const stage = opened.use(await setStage(options));
  const printers = (options.terminal?.['printers'] as readonly { uri: string }[] | undefined) ?? [
    stage.printer,
  ];
  const [group = ''] = printers.map(({ uri }) => printerAddress(uri)).toSorted();
  const [preferred, other] = idsByWeight(group);

  const lines = opened.use(new AsyncDisposableStack());
  const agents = opened.use(new AsyncDisposableStack());

  async function gateway(name: string, id: string): Promise<Gateway> {
    const line = lines.use(await layLine(postgres.port));
    const folder = join(stage.folder, name);
    mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'state', 'member.json'), JSON.stringify({ memberId: id }), { mode: 0o600 });
    const base = parse(readFileSync(stage.configFile, 'utf8')) as Record<string, object>;
    const configFile = join(folder, 'platen.yaml');
    const config = {
      ...base,
      stateDir: join(folder, 'state'),
      device: { ...base['device'], clientId: name },
      fleet: {
        engine: { url: url.replace(`:${postgres.port}/`, `:${line.port}/`) },
        key: Buffer.alloc(32, 7).toString('base64'),
      },
    };
    writeFileSync(configFile, stringify(config), { mode: 0o600 });
    return { folder, configFile, line, start: async () => agents.use(await runAgent(configFile, options)) };
  }

  const a = await gateway('gateway-a', preferred);
  const b = await gateway('gateway-b', other);
  const held = opened.move();
  return { stage, a, b, url, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Two members, that of the higher weight first (F11). */
function idsByWeight(group: string): readonly [string, string] {
  const weight = (id: string) => createHash('sha256').update(`${group} ${id}`).digest('hex');
  const [one, other] = [randomUUID(), randomUUID()];
  return weight(one) > weight(other) ? [one, other] : [other, one];
}
