/**
 * One scene from its seed, from the first start of the agent to the last page: people come as they like while things go
 * wrong; then all is healed, the agent is started once more a day later, and everybody has to be served. What was seen
 * is the chronicle; judging it is for the judges.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf, seededChance } from '../support/dice.ts';
import type { AgentLives } from './agent-lives.ts';
import { createAgentLives } from './agent-lives.ts';
import type { Chronicle } from './chronicle.ts';
import { endAgent, spoilCloud, troublePrinter } from './mischief.ts';
import type { Mortality } from './mortality.ts';
import type { ScenePlan } from './plan.ts';
import type { Screen } from './screens.ts';
import { openScreen } from './screens.ts';
import type { Desk, Stage } from './stage.ts';
import { apiKey, contentCanary, setStage } from './stage.ts';
import { removeDirectory } from '../support/temporary-directory.ts';
import type { VirtualClock, VirtualTime } from '../support/virtual-time.ts';
import { createVirtualTime } from '../support/virtual-time.ts';
import { visit, visitPatiently } from './visits.ts';

type Writable<Record_> = {
  -readonly [Key in keyof Record_]: Record_[Key] extends readonly (infer One)[] ? One[] : Record_[Key];
};
export type Books = Writable<Chronicle>;

export interface SceneOptions {
  readonly plan: ScenePlan;
  readonly mortality: Mortality;
}

interface Play {
  readonly plan: ScenePlan;
  readonly time: VirtualTime;
  /** Of people and mischief; the agent has its own. */
  readonly clock: VirtualClock;
  readonly stage: Stage;
  readonly agent: AgentLives;
  readonly screens: readonly Screen[];
  readonly books: Books;
  readonly over: AbortController;
}

export async function playScene({ plan, mortality }: SceneOptions): Promise<Chronicle> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-scene-'));
  opened.defer(() => removeDirectory(folder));
  const time = createVirtualTime();
  const clock = time.clock();
  const chance = seededChance(diceOf(plan.seed ^ 0x51ed));
  const stage = await setStage(opened, { plan, clock, chance });
  const books = emptyBooks(plan);
  const agent = createAgentLives({
    folder,
    time,
    mortality,
    chance,
    settings: settingsOf(plan, stage),
    wrote: (line, life) => books.log.push({ at: clock.now(), life, line }),
    failed: (why) => books.troubles.push(`the agent ended by itself: ${String(why)}`),
    rested: (stateDir) => lookAtRest(books, stage, { stateDir, at: clock.now() }),
  });
  const browser = { cookies: new Map<string, string>() };
  const screens = plan.terminals.map(({ id: terminal }) =>
    openScreen({
      terminal,
      clock,
      browser,
      kiosk: () => agent.kiosk,
      onFrame: (frame, life) => books.frames.push({ at: clock.now(), terminal, life, frame }),
    }),
  );
  agent.onLine((line) => {
    if (line.includes('"agent started"')) for (const screen of screens) screen.look();
  });
  const play: Play = { plan, time, clock, stage, agent, screens, books, over: new AbortController() };
  await time.until(
    playThrough(play).catch((why: unknown) => books.troubles.push(`the scene broke off: ${stackOf(why)}`)),
  );
  closeBooks(play);
  agent.kill();
  clock.stop();
  return books;
}

const stackOf = (why: unknown): string => (why instanceof Error ? (why.stack ?? why.message) : String(why));

async function playThrough(play: Play): Promise<void> {
  const { plan, clock, stage, agent, books, over, time } = play;
  // Nobody met these printers just after they were switched on.
  time.forward(hours(1));
  await agent.start();
  await anyScreenServes(play, minutes(2));
  const mischief = (salt: number) => ({
    stage,
    agent,
    clock,
    over: over.signal,
    dice: diceOf(plan.seed + salt),
    note: (one: Books['disturbances'][number]) => void books.disturbances.push(one),
  });
  const wrongs = [
    spoilCloud(mischief(1), plan.cloudFaults),
    ...stage.desks.map((desk, index) => troublePrinter(mischief(100 + index), desk, plan.printerFaults)),
    endAgent(mischief(2), plan.deaths),
  ];
  await comeAndGo(play);
  over.abort();
  await Promise.all(wrongs);
  await heal(play);
  books.healedAt = clock.now();
  await clock.sleep(seconds(75));
  await proveService(play);
  await printersRest(play);
  // What the service refused in its bad days, an operator sends once more.
  await agent.retryOutbox();
  await clock.sleep(seconds(1));
  if (!isSettled(play)) {
    // A day later nothing waits for evidence any more.
    await agent.stop();
    time.forward(hours(25));
    await agent.start();
    await settleBooks(play);
  }
  await agent.stop();
}

/** All visits of all people; some are in front of different terminals at the same time. */
async function comeAndGo(play: Play): Promise<void> {
  const { plan, clock } = play;
  let left = plan.visits;
  await Promise.all(
    plan.people.map(async (person, index) => {
      const dice = diceOf(plan.seed + 1000 + index);
      while (left > 0) {
        left -= 1;
        await clock.sleep(milliseconds(dice.number(9000)));
        await comeOnce(play, {
          person,
          dice,
          isProof: false,
          place: Math.floor(dice.number(plan.terminals.length)),
        });
      }
    }),
  );
}

async function comeOnce(
  play: Play,
  {
    person,
    dice,
    isProof,
    place,
  }: { person: ScenePlan['people'][number]; dice: Dice; isProof: boolean; place: number },
): Promise<void> {
  const { clock, stage, screens, books } = play;
  const [desk, screen] = [stage.desks[place], screens[place]];
  if (!desk || !screen) throw new RangeError('there is no such terminal');
  const { userName } = person;
  const count = isProof ? 1 : dice.one([0, 1, 1, 1, 1, 2, 2, 3]);
  const added = Array.from({ length: count }, () =>
    stage.addDocument(userName, {
      pages: 1 + Math.floor(dice.number(3)),
      minimumBytes: dice.happens(6) ? 300_000 : 0,
    }),
  );
  const seen: Books['visits'][number] = {
    person: userName,
    terminal: screen.terminal,
    at: clock.now(),
    isProof,
    documents: added.map(({ info }) => info.uuid),
    openedAt: undefined,
  };
  books.visits.push(seen);
  const tap = () => {
    books.taps.push({ at: clock.now(), terminal: screen.terminal, person: userName });
    void desk.reader.tap(person.card);
  };
  await (isProof ? visitPatiently : visit)({
    person,
    desk,
    screen,
    stage,
    clock,
    dice,
    visit: seen,
    tap,
    spoke: (word) => void books.words.push(word),
  });
}

/** Each terminal lets a document out, for somebody who may print. */
async function proveService(play: Play): Promise<void> {
  const { plan } = play;
  const able = plan.people.filter(({ canPay }) => canPay || !plan.isBalanceChecked);
  await Promise.all(
    [...plan.terminals.keys()].map(async (place) => {
      const person = able[place];
      if (person)
        await comeOnce(play, { person, dice: diceOf(plan.seed + 5000 + place), isProof: true, place });
    }),
  );
}

/**
 * What the printers have is out, and what people came for in the end with it. A slow one with twenty documents before
 * that gets its time: nobody waits any longer once nothing has come out of any for 20 minutes.
 */
async function printersRest({ stage, books, clock }: Play): Promise<void> {
  const wanted = books.visits.filter(({ isProof }) => isProof).flatMap(({ documents }) => documents);
  const isOut = () => wanted.every((uuid) => stage.liesInTray(uuid));
  const isBusy = () =>
    stage.desks.some(({ printer }) => printer.jobs.some(({ state }) => state === 'processing'));
  const printedCount = () => stage.desks.reduce((sum, { printer }) => sum + printer.outputs.length, 0);
  let before = printedCount();
  for (let looks = 0; looks < 60 && (isBusy() || !isOut()); looks += 1) {
    await clock.sleep(seconds(20));
    if (printedCount() > before) looks = 0;
    before = printedCount();
  }
}

async function heal({ stage, agent, clock }: Play): Promise<void> {
  stage.cloud.behaveWell();
  for (const { printer } of stage.desks) await printer.clear();
  if (!agent.current()) await agent.start();
  await clock.sleep(seconds(1));
}

async function anyScreenServes({ screens }: Play, span: ReturnType<typeof minutes>): Promise<void> {
  await Promise.all(screens.map((screen) => screen.until(({ state }) => state === 'prompting', span)));
}

/** All that came out is in the history. */
function isSettled({ stage }: Play): boolean {
  const reported = new Set(stage.cloud.state.history.map(({ title }) => title));
  const named = new Map(stage.documents.map(({ uuid, name }) => [uuid, name]));
  return stage.outputs().every(({ document }) => document === undefined || reported.has(named.get(document)));
}

/** Or it has waited long enough for that. */
async function settleBooks(play: Play): Promise<void> {
  for (let tries = 0; tries < 20 && !isSettled(play); tries += 1) await play.clock.sleep(seconds(15));
}

function closeBooks({ stage, books }: Play): void {
  books.documents.push(...stage.documents);
  books.outputs.push(...stage.outputs());
  books.calls.push(...stage.cloud.calls);
  books.history.push(...stage.cloud.state.history);
  books.deviations.push(
    ...stage.cloud.deviations,
    ...stage.desks.flatMap(({ printer }) => printer.deviations),
  );
}

const settingsOf = (plan: ScenePlan, { cloud, desks }: Stage) => ({
  cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
  device: { poll: { firstSeconds: 1 } },
  kiosk: { listen: '127.0.0.1:0' },
  operations: { listen: '127.0.0.1:0' },
  history: { unknownAfterHours: plan.unknownAfterHours },
  terminals: desks.map(({ plan: { id, serialNumber }, printer, reader }: Desk) => ({
    id,
    serialNumber,
    printer: { uri: printer.uri },
    readers: [{ type: 'tcp-connect', address: `127.0.0.1:${reader.port}` }],
  })),
});

const emptyBooks = ({ people, terminals, isBalanceChecked }: ScenePlan): Books => ({
  terminals: [...terminals],
  people: people.map(({ userName, fullName, card, canPay }) => ({ userName, fullName, card, canPay })),
  documents: [],
  visits: [],
  taps: [],
  words: [],
  frames: [],
  log: [],
  outputs: [],
  calls: [],
  history: [],
  deviations: [],
  foundAtRest: [],
  disturbances: [],
  troubles: [],
  healedAt: 0,
  isBalanceChecked,
  secrets: [
    { what: 'the API key', text: apiKey },
    { what: 'content', text: contentCanary },
    ...people.flatMap(({ userName, card, password }) => [
      { what: `the card of ${userName}`, text: card },
      { what: `the password of ${userName}`, text: password },
    ]),
  ],
});

/** What no file of the state directory may hold. */
function lookAtRest(
  { secrets, foundAtRest }: Books,
  { cloud: { state } }: Stage,
  { stateDir, at }: { stateDir: string; at: number },
): void {
  const tokens = [...state.accessTokens, ...state.refreshTokens].map(({ kind, value }) => {
    return { what: `a token of a ${kind}`, text: value };
  });
  for (const entry of readdirSync(stateDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const { what, text } of [...secrets, ...tokens]) {
      if (bytes.includes(text)) foundAtRest.push({ at, file: entry.name, what });
    }
  }
}
