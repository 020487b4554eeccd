/** What goes wrong in a scene: the 31 standard faults at any of the calls, printers in trouble, and the agent's own ends. */
import type { Dice } from '../support/dice.ts';
import type { Clock } from '../../src/core/clock.ts';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import type { Call } from '../support/standard-faults/calls.ts';
import { callNames, calls } from '../support/standard-faults/calls.ts';
import type { Match } from '../support/standard-faults/strike.ts';
import { faultNames, faults } from '../support/standard-faults/faults.ts';
import type { AgentLives } from './agent-lives.ts';
import type { Disturbance } from './chronicle.ts';
import type { Desk, Stage } from './stage.ts';

export interface Mischief {
  readonly stage: Stage;
  readonly agent: AgentLives;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly over: AbortSignal;
  note(disturbance: Disturbance): void;
}

/** So long after the one before that they come so many times a minute, at any moment. */
async function pause({ clock, dice, over }: Mischief, aMinute: number): Promise<boolean> {
  const wait = (-Math.log(1 - dice.number(1)) * 60_000) / aMinute;
  await clock.sleep(milliseconds(Math.min(wait, minutes(30))), { signal: over }).catch(() => undefined);
  return !over.aborted;
}

/** Ends before its time when the scene does. */
const lasting = ({ clock, over }: Mischief, span: number): Promise<void> =>
  clock.sleep(milliseconds(span), { signal: over }).catch(() => undefined);

/** Any of the 31 faults at any of the nine calls, once or for a while. */
export async function spoilCloud(mischief: Mischief, aMinute: number): Promise<void> {
  if (aMinute === 0) return;
  const running: Promise<void>[] = [];
  while (await pause(mischief, aMinute)) running.push(spoilOnce(mischief));
  await Promise.all(running);
}

async function spoilOnce(mischief: Mischief): Promise<void> {
  const { stage, agent, clock, dice, note } = mischief;
  const { cloud } = stage;
  const call = dice.one(callNames);
  const fault = dice.one(faultNames);
  const { by } = faults[fault];
  const isOnce = dice.happens(60);
  const span = 1000 + dice.number(19_000);
  const reported: Disturbance & { kind: 'cloud' } = { kind: 'cloud', fault, call, at: clock.now(), met: 0 };
  note(reported);
  if (typeof by === 'string') {
    const port = Number(new URL(cloud.baseUrl).port);
    const way = agent.current()?.breakWay(port, by);
    cloud.dropConnections();
    await lasting(mischief, isOnce ? 1000 : span);
    way?.mend();
    reported.met = way?.met() ?? 0;
  } else {
    const match = matchOf(call);
    const known = cloud.calls.length;
    if (isOnce) cloud.answerNext(match, by);
    const mend = isOnce ? undefined : cloud.always(match, by);
    await lasting(mischief, span);
    mend?.();
    reported.met = cloud.calls.slice(known).filter((one) => one.fault === by.kind).length;
  }
  reported.until = clock.now();
}

/** Of whichever document. */
const anyDocument = {
  content: { method: 'GET', path: /\.content$/ },
  delete: { method: 'DELETE', path: /\/documents\/[^/]+$/ },
} as const;

const matchOf = (call: Call): Match =>
  call === 'content' || call === 'delete' ? anyDocument[call] : calls[call].match();

/** One trouble after the other at one printer. */
export async function troublePrinter(mischief: Mischief, desk: Desk, aMinute: number): Promise<void> {
  const { clock, dice, note, over } = mischief;
  const { printer, plan } = desk;
  if (aMinute === 0) return;
  while (await pause(mischief, aMinute)) {
    const name = dice.one(troubleNames);
    const reported: Disturbance = { kind: 'printer', fault: name, terminal: plan.id, at: clock.now() };
    note(reported);
    if (name === 'reboot') await printer.reboot();
    else {
      const behaviour = troubles[name](dice);
      const isOnce = dice.happens(50);
      await (isOnce ? printer.behaveOnce(behaviour) : printer.behave(behaviour));
      await lasting(mischief, 1000 + dice.number(dice.happens(15) ? 150_000 : 25_000));
    }
    await printer.clear();
    reported.until = clock.now();
    if (over.aborted) return;
  }
}

const soFar = (dice: Dice) => Math.floor(dice.number(3));
const someBytes = (dice: Dice) => Math.floor(dice.number(4000));

const troubles = {
  'out of paper': () => ({ kind: 'stopped', reason: 'media-empty-error' }),
  'door open': () => ({ kind: 'stopped', reason: 'door-open-error' }),
  jam: (dice) => ({ kind: 'jam', afterPages: soFar(dice) }),
  hold: () => ({ kind: 'hold' }),
  slow: () => ({ kind: 'slow', pageTime: seconds(8) }),
  gone: () => ({ kind: 'refuse-connections' }),
  busy: () => ({ kind: 'busy' }),
  'not accepting': () => ({ kind: 'not-accepting' }),
  'refused format': () => ({ kind: 'refuse-format' }),
  abort: (dice) => ({ kind: 'abort', afterPages: soFar(dice) }),
  'stops reading': (dice) => ({ kind: 'stop-reading', afterBytes: someBytes(dice) }),
  reset: (dice) => ({ kind: 'reset', afterBytes: someBytes(dice) }),
  'no answer': () => ({ kind: 'never-answer' }),
  'answer lost to Create-Job': () => ({ kind: 'answer-lost', to: 'Create-Job' }),
  'answer lost to Send-Document': () => ({ kind: 'answer-lost', to: 'Send-Document' }),
  'answer lost to Get-Job-Attributes': () => ({ kind: 'answer-lost', to: 'Get-Job-Attributes' }),
  'HTTP 401': () => ({ kind: 'http', status: 401 }),
  'HTTP 503': () => ({ kind: 'http', status: 503 }),
  garbage: () => ({ kind: 'garbage' }),
  'wrong request id': () => ({ kind: 'wrong-request-id' }),
  reboot: () => ({ kind: 'hold' }),
} as const satisfies Readonly<Record<string, (dice: Dice) => PrinterBehaviour>>;

const troubleNames = Object.keys(troubles) as readonly (keyof typeof troubles)[];

/** Kills and orderly restarts, each at any moment: a time, or some turns after something was heard of the agent. */
export async function endAgent(mischief: Mischief, deaths: number): Promise<void> {
  const { agent, clock, dice, note, over, stage } = mischief;
  for (let count = 0; count < deaths && !over.aborted; count += 1) {
    if (!(await pause(mischief, 1.2))) return;
    await aMomentOf(mischief);
    const kind = dice.happens(70) ? 'kill' : 'restart';
    const reported: Disturbance = { kind, at: clock.now() };
    note(reported);
    if (kind === 'kill') {
      agent.kill();
      // A refresh that was under way may be repeated once (INVARIANTS.md B.2, step 6).
      stage.cloud.forgiveReuse();
    } else await agent.stop();
    await clock.sleep(milliseconds(200 + dice.number(dice.happens(20) ? 90_000 : 8000)));
    await agent.start();
    reported.until = clock.now();
  }
}

/** In the midst of what goes on: between two turns behind a record of the log, a call, or a request to a printer. */
async function aMomentOf({ agent, clock, dice, stage: { cloud, desks } }: Mischief): Promise<void> {
  if (dice.happens(25)) return;
  const after = Math.floor(dice.number(12));
  const turns = Math.floor(dice.number(14));
  const { promise, resolve } = Promise.withResolvers<void>();
  let heard = 0;
  const hear = () => {
    heard += 1;
    if (heard > after) resolve();
  };
  const deaf = [
    agent.onLine(hear),
    cloud.onEvent(hear),
    ...desks.map(({ printer }) => printer.onEvent(hear)),
  ];
  await Promise.race([promise, clock.sleep(seconds(40))]);
  for (const end of deaf) end();
  for (let turn = 0; turn < turns; turn += 1) await new Promise((next) => setImmediate(next));
}
