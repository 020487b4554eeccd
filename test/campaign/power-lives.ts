/**
 * Lives of an agent on a disk that loses its power: each is played once, and cut at every flush of the disk. For each cut
 * the service is put back to what it was when the next flush came, the printer is off and on, and what came out until
 * then stays out: the latest world that this disk may meet. Then the agent starts, and a person badges (I1, I2, I7).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { table } from '../../src/commands/terminal-text/table.ts';
import { hours, milliseconds, seconds } from '../../src/core/duration.ts';
import type { CloudState } from '../../src/simulator/cloud/state.ts';
import { quarantineFolders } from '../../src/store/ledger/quarantine.ts';
import type { MortalAgent } from '../support/agent/mortal-agent.ts';
import { startMortalAgent } from '../support/agent/mortal-agent.ts';
import type { Running } from '../support/agent/stage.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { eventually } from '../support/patience.ts';
import type { FileSystem, History, RecordedDisk, Rest } from '../support/recorded-disk.ts';
import { mountRecordedDisk } from '../support/recorded-disk.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { openBooks } from '../support/store/books.ts';
import { release } from '../support/store/release-samples.ts';
import { spread } from './creation-kills.ts';
import { updates } from './package-life.ts';
import type { Verdict } from './kill-oracle.ts';
import { judge, titleOf, violationsOf } from './kill-oracle.ts';
import { isServed, until, untilReady } from './kill-runs.ts';
import type { KillStage, Output, Protocol } from './kill-stage.ts';
import { addDocument, aliceCards, protocols, setKillStage } from './kill-stage.ts';

interface Play {
  readonly stage: KillStage;
  readonly agent: MortalAgent;
  /** Another document comes out, and the service has its record. */
  letOneOut(): Promise<void>;
}

export interface Life {
  readonly name: string;
  readonly protocol: Protocol;
  /** Before the first start, on the disk. */
  prepare?(stage: KillStage): void | Promise<void>;
  /** From a terminal that is ready on; the first registration is behind it. */
  live(play: Play): Promise<void>;
  /** After a cut, before the agent starts; rejects with what is not whole. */
  boot?(stage: KillStage): Promise<void>;
}

/** In each life: so many documents, refreshes, reloads. */
const times = 2;
/** Milliseconds; so much quiet that the books are tidied (src/store/outbox/courier.ts), and some more. */
const untilTidied = 2500;

const releases = (protocol: Protocol): Life => ({
  name: `releases, ${protocol}`,
  protocol,
  async live({ letOneOut }) {
    for (let count = 0; count < times; count += 1) await letOneOut();
    await sleep(untilTidied);
  },
});

const refreshes: Life = {
  name: 'refresh of the token',
  protocol: 'ipp',
  prepare({ cloud }) {
    // Refreshed as soon as the agent looks whether it is due.
    cloud.changeSettings({ deviceTokenLife: seconds(6) });
  },
  async live({ stage, agent, letOneOut }) {
    for (let count = 1; count <= times; count += 1) {
      await until('the token is refreshed', () => agent.times('device token refreshed') >= count);
      await letOneOut();
    }
    stage.cloud.changeSettings({ deviceTokenLife: hours(1) });
  },
};

const reloads: Life = {
  name: 'reload',
  protocol: 'ipp',
  async live({ stage: { configFile }, agent, letOneOut }) {
    const before = parse(readFileSync(configFile, 'utf8')) as { terminals: object[] };
    const [lobby] = before.terminals;
    const another = { ...lobby, id: 'desk', serialNumber: 'SN-0002', readers: [] };
    const after = { ...before, terminals: [...before.terminals, another] };
    for (const [index, config] of [after, before, after].entries()) {
      writeFileSync(configFile, stringify(config));
      agent.signal('SIGHUP');
      await until('the configuration is read', () => agent.times('config reloaded') > index);
      await letOneOut();
    }
  },
};

/** They are compacted as soon as nobody wants anything: forty days ago, and more than a portion (src/store/ledger/compaction.ts). */
const olderReleases = 350;

const compaction: Life = {
  name: 'compaction',
  protocol: 'ipp',
  prepare({ folder }) {
    const older = join(folder, 'older');
    mkdirSync(older);
    makeOlderBooks(older);
    cpSync(older, join(folder, 'state'), { recursive: true });
    // They have been on the disk for long.
    execFileSync('sync');
  },
  async live({ letOneOut }) {
    for (let count = 0; count < times; count += 1) {
      await sleep(untilTidied);
      await letOneOut();
    }
  },
};

function makeOlderBooks(directory: string): void {
  const clock = createSteeredClock();
  clock.setAhead(milliseconds(Date.now() - hours(40 * 24) - clock.now()));
  using books = openBooks({ directory, clock });
  for (let number = 1; number <= olderReleases; number += 1) {
    release(books.ledger, 'HANDED-OVER', { release: number });
    for (const { id } of [books.outbox.next([])].filter((row) => row !== undefined))
      books.outbox.accepted(id);
  }
}

export const lives: readonly Life[] = [...protocols.map(releases), refreshes, reloads, compaction, updates];

/** All that is not the agent's, at one moment of its life. */
interface World {
  /** How many writes and flushes its disk had seen. */
  readonly recorded: number;
  readonly cloud: CloudState;
  readonly outputs: readonly Output[];
  readonly config: string;
}

function worldOf({ cloud, outputs, printer, configFile }: KillStage, recorded: number): World {
  const whole = outputs();
  // What the printer has of a document may come out, whatever becomes of the rest.
  const begun = printer.jobs.filter(
    ({ transfer, name }) => transfer !== 'awaited' && !whole.some(({ jobName }) => jobName === name),
  );
  return {
    recorded,
    cloud: copyOf(cloud.state),
    outputs: [...whole, ...begun.map(({ name }) => ({ jobName: name, sha256: '', complete: false }))],
    config: readFileSync(configFile, 'utf8'),
  };
}

const copyOf = ({ documents, ...others }: CloudState): CloudState => ({
  ...structuredClone(others),
  documents: documents.map(({ bytes, ...told }) => ({ ...structuredClone(told), bytes })),
});

/** Plays it to its orderly end. Gives the world at each change, the earliest first. */
async function played(life: Life, stage: KillStage, disk: RecordedDisk): Promise<readonly World[]> {
  const worlds: World[] = [];
  const note = () => void worlds.push(worldOf(stage, disk.recorded()));
  await life.prepare?.(stage);
  note();
  using _watching = stage.watch(note);
  await using agent = startMortalAgent(stage.configFile);
  await untilReady(agent);
  const cards = [...aliceCards];
  let documents = 0;
  await life.live({
    stage,
    agent,
    async letOneOut() {
      documents += 1;
      addDocument(stage, `Document ${documents}.pdf`, 0);
      await isServed(stage.reader, agent, cards);
      await until('its record is posted', () => stage.cloud.state.history.length === documents);
    },
  });
  agent.signal('SIGTERM');
  await until('the agent ends', agent.hasEnded);
  return worlds;
}

/** What the disk has after a flush, of what was written until the next one. */
const kinds = ['what was flushed', 'a rest, too', 'a flush that lied'] as const;
type Kind = (typeof kinds)[number];

interface Cut {
  readonly kind: Kind;
  readonly flush: number;
  readonly rest: Rest;
  /** The last one that this disk may meet. Where a flush lied, it is one of a later flush. */
  readonly world: World;
}

/** Each kind at so many flushes, evenly from one on that chance chooses. */
function cutsIn({ flushes }: History, worlds: readonly World[], most: number, dice: Dice): Cut[] {
  const worldAt = (index: number) => {
    const next = flushes[index + 1] ?? Number.POSITIVE_INFINITY;
    return worlds.findLast(({ recorded }) => recorded < next);
  };
  const begin = worlds[0]?.recorded ?? 0;
  const lived = [...flushes.entries()].filter(([, flush]) => flush >= begin);
  return spread(lived, Math.ceil(most / kinds.length), Math.floor(dice.number(2 ** 31))).flatMap(
    ([index, flush]) => {
      const world = worldAt(index);
      const later = worldAt(index + 1 + Math.floor(dice.number(flushes.length - index)));
      if (!world || !later) return [];
      return [
        { kind: 'what was flushed', flush, rest: 'nothing', world },
        {
          kind: 'a rest, too',
          flush,
          rest: dice.one(['the first', 'any', 'torn at 512', 'torn at 4096']),
          world,
        },
        { kind: 'a flush that lied', flush, rest: 'any', world: later },
      ] satisfies Cut[];
    },
  );
}

interface Outcome {
  readonly life: string;
  readonly kind: Kind;
  readonly isLossy: boolean;
  /** The agent started, and badges were served. */
  readonly isServing: boolean;
  readonly verdict: Verdict;
  /** A file is kept beside as damaged, or all books are. */
  readonly isSetAside: boolean;
  readonly violations: readonly string[];
}

interface Scene {
  readonly life: Life;
  readonly stage: KillStage;
  readonly clock: ForwardClock;
  readonly history: History;
  readonly dice: Dice;
}

async function outcomeOf({ kind, flush, rest, world }: Cut, scene: Scene): Promise<Outcome> {
  const { life, stage, clock, history, dice } = scene;
  const { cloud, printer, configFile, folder } = stage;
  Object.assign(cloud.state, copyOf(world.cloud));
  // A refresh that was under way may be repeated once (INVARIANTS.md B.2, step 6).
  cloud.forgiveReuse();
  await printer.reboot();
  writeFileSync(configFile, world.config);
  const [before, deviated] = [stage.outputs().length, stage.deviations().length];
  const records = {
    cloud,
    outputs: () => [...world.outputs, ...stage.outputs().slice(before)],
    deviations: () => stage.deviations().slice(deviated),
  };
  const isLie = kind === 'a flush that lied';
  using disk = history.mountAt(flush, rest, dice);
  const unfit = await life.boot?.(stage).catch((error: unknown) => `after a boot: ${String(error)}`);
  const agent = await stage
    .start()
    .catch((error: unknown) => `the agent does not start (I7): ${String(error)}`);
  const failure =
    typeof agent === 'string' ? agent : await served({ ...stage, ...records }, agent, { clock, isLie });
  const verdict = judge(records);
  const files = readdirSync(join(folder, 'state'));
  const [quarantined] = quarantineFolders(join(folder, 'state'));
  const broken = [
    ...[unfit, failure].filter((what) => what !== undefined),
    ...violationsOf(verdict),
    ...(quarantined ? [`the books are in quarantine: ${quarantined.reason}`] : []),
  ];
  // A disk that lies about a flush is outside of all promises but that of a start.
  const violations = isLie ? broken.filter((what) => what === agent) : broken;
  return {
    life: life.name,
    kind,
    isLossy: disk.gone > 0,
    isServing: failure === undefined && unfit === undefined,
    verdict,
    isSetAside: quarantined !== undefined || files.some((name) => name.includes('.damaged-')),
    violations: violations.map((what) => `${life.name}, ${kind} (${flush}, ${rest}): ${what}`),
  };
}

/**
 * Two badges are: all that may come out does, and all that is owed is posted. Gives why not. What a disk that lies has lost
 * is not waited for.
 */
async function served(
  stage: KillStage,
  agent: Running,
  { clock, isLie }: { readonly clock: ForwardClock; readonly isLie: boolean },
): Promise<string | undefined> {
  const { cloud, reader, outputs } = stage;
  const unreported = () =>
    outputs().filter(({ jobName }) => cloud.state.history.every(({ title }) => title !== titleOf(jobName)));
  try {
    const refused = agent.told('terminal out of service', ({ reason }) => reason === 'not-approved');
    const isReady = await Promise.race([
      agent.told('terminal ready').then(() => true),
      refused.then(() => false),
    ]);
    if (!isReady) throw new Error('the service does not let the device in');
    await agent.told('reader up');
    for (const card of aliceCards.slice(0, 2)) {
      reader.tap(card);
      await agent.told('session opened');
      await clock.hurry(agent.told('session closed'));
      stage.awaitAnotherBadge();
    }
    // What is still missing after that is for the oracle to tell.
    const posted = eventually(() => assert.deepEqual(unreported(), []), isLie ? { limit: seconds(2) } : {});
    await (isLie ? posted : clock.hurry(posted)).catch(() => undefined);
    await agent.stop();
    return undefined;
  } catch (error) {
    const end = await agent.stop().catch((reason: unknown) => `, and it ended: ${String(reason)}`);
    return `nobody is served (I7): ${String(error)}${end ?? ''}`;
  }
}

/** Plays a life once, and cuts it so often. */
export async function cutLife(
  life: Life,
  { fileSystem, most, dice }: { fileSystem: FileSystem; most: number; dice: Dice },
): Promise<Outcome[]> {
  const clock = forwardClock();
  await using stage = await setKillStage(life.protocol, {}, clock);
  const state = join(stage.folder, 'state');
  await using disk = await mountRecordedDisk(state, { fileSystem, folder: join(stage.folder, 'disk') });
  const worlds = await played(life, stage, disk);
  const history = await disk.end();
  const outcomes: Outcome[] = [];
  for (const cut of cutsIn(history, worlds, most, dice))
    outcomes.push(await outcomeOf(cut, { life, stage, clock, history, dice }));
  return outcomes;
}

export const cutLives = (fileSystem: FileSystem): Program => ({
  name: `power-flushes-${fileSystem}`,
  what: `the power of a disk with ${fileSystem.replace('-', ', data=')} goes at the flushes of lives`,
  runs: 3000,
  part: 24 * lives.length,
  async run({ seed, runs }) {
    const outcomes: Outcome[] = [];
    for (const [index, life] of lives.entries()) {
      const dice = diceOf(seed + index);
      outcomes.push(...(await cutLife(life, { fileSystem, most: runs / lives.length, dice })));
    }
    return resultOf(outcomes);
  },
});

export function resultOf(outcomes: readonly Outcome[]): Result {
  const rows = lives.flatMap(({ name }) =>
    kinds.flatMap((kind) => {
      const mine = outcomes.filter((outcome) => outcome.life === name && outcome.kind === kind);
      if (mine.length === 0) return [];
      const count = (holds: (outcome: Outcome) => boolean) => String(mine.filter(holds).length);
      return [
        [
          name,
          kind,
          String(mine.length),
          count(({ isLossy }) => isLossy),
          count(({ isSetAside }) => isSetAside),
          count(({ verdict }) => verdict.unknown.length > 0),
          count(({ verdict }) => verdict.double.length > 0),
          count(({ verdict }) => verdict.lost.length > 0),
          count(({ isServing }) => !isServing),
        ],
      ];
    }),
  );
  const heading = [
    'life',
    'left',
    'cuts',

    'lossy',
    'set aside',
    'unknown',
    'double',
    'lost',
    'not served',
  ];
  return {
    table: table([heading, ...rows]),
    violations: outcomes.flatMap(({ violations }) => violations),
    played: outcomes.length,
  };
}
