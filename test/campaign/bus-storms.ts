/**
 * Readers and a stick pulled and plugged at random moments, before the kernel's own drivers and udev (I1, I5, I7). A storm ends
 * with all plugged in: each comes back by itself, its next badge is read once, and nothing of it is on a console.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { table } from '../../src/commands/terminal-text/table.ts';
import { seconds } from '../../src/core/duration.ts';
import { percentile } from '../bench/figures.ts';
import type { BusMachine, Device, Pluggable } from '../machines/bus-machine.ts';
import { startBusMachine } from '../machines/bus-machine.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import { eventually, patience } from '../support/patience.ts';

export const stormKinds = [
  'serial',
  'keyboard',
  'card',
  'stick',
  'two of a kind',
  'hub',
  'asleep',
  'typed early',
  'hidraw',
  'CDC-ACM',
] as const;
type Kind = (typeof stormKinds)[number];

/** From before the plugging in to the agent's word, by the machine's own clock. */
const promised = seconds(5);
const longestAway = 1500;
const longestIn = 2500;

interface Storm {
  readonly kind: Kind | 'first of all';
  pulls: number;
  badges: number;
  /** Milliseconds from the last plugging in. */
  readonly back: number[];
  /** Reads of a stick that was pulled in the midst; devices that the bus had put to sleep; numbers typed at a console. */
  hit: number;
  readonly violations: string[];
}

/** One boot of a machine, and as many storms as are left in it. */
export async function playStorms(runs: number, seed: number): Promise<Storm[]> {
  await using bus = await startBusMachine();
  const player = createPlayer(bus);
  const storms = [await player.first()];
  for (let run = 0; run < runs; run += 1) {
    const kind = stormKinds[run % stormKinds.length] ?? 'serial';
    storms.push(await player.storm(kind, diceOf(seed + run)));
  }
  return storms;
}

const timeOf = (record: LogRecord): number => Date.parse(String(record['time']));

export function createPlayer({ machine, devices, hub, stick, content }: BusMachine) {
  const { cloud } = machine;
  const { serialA, serialB, keyboardA, keyboardB, card, raw, modem } = devices;
  const behindHub = [serialB, keyboardB, card];
  const whole = createHash('sha256').update(content).digest('hex');
  /** How often each number was given, and how often each reader read one. */
  const given = new Map<string, string>();
  let cards = 0;

  const of =
    ({ name }: Device) =>
    (record: LogRecord) =>
      record['reader'] === name;
  const lastWord = (device: Device) =>
    machine.records.findLast(
      (record) => of(device)(record) && (record.msg === 'reader up' || record.msg === 'reader down'),
    );
  const isUp = (device: Device) => lastWord(device)?.msg === 'reader up';
  const readsOf = (device: Device) =>
    machine.records.filter((record) => record.msg === 'card read' && of(device)(record)).length;
  const givenTo = ({ name }: Device) => [...given.values()].filter((one) => one === name).length;

  /** Since then: an older word may be about the plugging in of before. */
  const until = (device: Device, state: 'up' | 'down', since = 0): Promise<LogRecord> =>
    eventually(() => {
      const word = lastWord(device);
      if (word?.msg !== `reader ${state}` || timeOf(word) < since)
        throw new Error(`${device.name} is not ${state}`);
      return word;
    });

  /** Milliseconds, as the log has it. */
  const now = async () => Number(await machine.sh('date +%s%3N'));

  function another(): string {
    cards += 1;
    return String(100_000 + cards);
  }

  async function badge(device: Device, storm: Storm): Promise<void> {
    const number = another();
    given.set(number, device.name);
    storm.badges += 1;
    await device.badge(number);
    await eventually(() => {
      if (readsOf(device) < givenTo(device)) throw new Error('not read');
    }).catch(() => storm.violations.push(`${device.name}: a badge was not read (I7)`));
    device.takeAway();
    await signsIn(number, device, storm);
    if (device.kind === 'keyboard' && (await onConsoles()).includes(number))
      storm.violations.push(`${device.name}: what it typed is on a console (I5)`);
  }

  const signsIn = (number: string, device: Device, storm: Storm) =>
    eventually(() => {
      if (loginsWith(number) === 0) throw new Error('nobody signs in');
    }).catch(() => storm.violations.push(`${device.name}: what was read was another number (I1)`));

  const loginsWith = (number: string) => cloud.calls.filter(({ body }) => body.includes(number)).length;

  /** The screen of the login prompt, and of the console in front. */
  const onConsoles = () => machine.sh('cat /dev/vcs1 /dev/vcs | tr -d "\\0 "');

  /** Again what was there: nothing was read twice, on no reader. */
  function judge(storm: Storm): void {
    for (const device of Object.values(devices)) {
      if (readsOf(device) > givenTo(device))
        storm.violations.push(`${device.name}: a badge was read twice (I1)`);
    }
    for (const number of given.keys()) {
      if (loginsWith(number) > 1) storm.violations.push(`a badge signed in twice (I1)`);
    }
  }

  async function back(plugged: readonly Device[], since: number, storm: Storm): Promise<void> {
    const words = await Promise.allSettled(plugged.map((device) => until(device, 'up', since)));
    for (const [index, { name }] of plugged.entries()) {
      const word = words[index];
      const took = word?.status === 'fulfilled' ? timeOf(word.value) - since : Infinity;
      storm.back.push(took);
      if (took > promised) storm.violations.push(`${name} was not back within ${took.toFixed(0)} ms (I7)`);
    }
  }

  const whileAway = (dice: Dice) => pause(dice.number(longestAway));
  const whileIn = (dice: Dice) => pause(dice.number(longestIn));

  /** Pulled and plugged some times; the last time the agent has noticed that they are gone. Gives when it was plugged in. */
  async function shaken(
    parts: readonly Pluggable[],
    readers: readonly Device[],
    { dice, storm }: { dice: Dice; storm: Storm },
  ): Promise<number> {
    let since = 0;
    for (let left = 1 + Math.floor(dice.number(4)); left > 0; left -= 1) {
      for (const reader of readers) if (isUp(reader) && dice.happens(30)) await reader.begin('99');
      const turned = dice.happens(50) ? parts : parts.toReversed();
      for (const part of turned) await part.pull();
      storm.pulls += 1;
      if (left === 1) await Promise.all(readers.map((reader) => until(reader, 'down')));
      else await whileAway(dice);
      since = await now();
      for (const part of turned) await part.plug();
      if (left > 1) await whileIn(dice);
    }
    return since;
  }

  async function stickStorm(dice: Dice, storm: Storm): Promise<void> {
    let from = machine.records.length;
    for (let left = 1 + Math.floor(dice.number(4)); left > 0; left -= 1) {
      await stick.plug();
      await whileIn(dice);
      await stick.pull();
      storm.pulls += 1;
      await whileAway(dice);
    }
    const since = await now();
    const begun = machine.records.length;
    await stick.plug();
    const seen = await machine.logged(begun, ({ msg }) => msg === 'stick begun');
    storm.back.push(timeOf(seen) - since);
    await machine
      .logged(begun, ({ msg, ...more }) => msg === 'stick seen' && more['sha256'] === whole)
      .catch(() => storm.violations.push('the stick is not read'));
    await stick.pull();
    for (; from < machine.records.length; from += 1) {
      const record = machine.records[from];
      if (record?.msg !== 'stick seen') continue;
      if (record['why'] === 'pulled-out') storm.hit += 1;
      else if (record['sha256'] !== whole)
        storm.violations.push(`of the stick was told: ${JSON.stringify(record)}`);
    }
  }

  const putToSleep = `
    for delay in /sys/bus/usb/devices/*/power/autosuspend_delay_ms; do
      echo 0 >$delay; echo auto >\${delay%/*}/control
    done`;
  const sleeping = `
    for device in /sys/bus/usb/devices/[0-9]*; do
      [ ! -e $device/idVendor ] || cat $device/power/runtime_status
    done | grep -c suspended || true`;

  /** Before the agent can have grabbed it: as from a wedge on which a card lies when it is plugged in. */
  async function earlyStorm(dice: Dice, storm: Storm): Promise<void> {
    const early = another();
    const since = await shaken([keyboardA], [keyboardA], { dice, storm });
    await whileIn(dice);
    const reads = readsOf(keyboardA);
    await keyboardA.badge(early);
    await back([keyboardA], since, storm);
    // By its own clock: what was not read then never will be.
    await machine.sh('sleep 2');
    if ((await onConsoles()).includes(early)) storm.hit += 1;
    if (readsOf(keyboardA) > reads) {
      given.set(early, keyboardA.name);
      await signsIn(early, keyboardA, storm);
    }
    await badge(keyboardA, storm);
  }

  async function readerStorm(
    kind: Exclude<Kind, 'stick' | 'typed early'>,
    dice: Dice,
    storm: Storm,
  ): Promise<void> {
    const readers = {
      serial: [serialA],
      keyboard: [keyboardA],
      card: [card],
      'two of a kind': dice.happens(50) ? [serialA, serialB] : [keyboardA, keyboardB],
      hub: behindHub,
      asleep: [serialA, keyboardA, card],
      hidraw: [raw],
      'CDC-ACM': [modem],
    }[kind];
    if (kind === 'asleep') {
      await machine.sh(putToSleep);
      await whileIn(dice);
      storm.hit += Number(await machine.sh(sleeping));
    }
    const since = await shaken(kind === 'hub' ? [hub] : readers, readers, { dice, storm });
    await back(readers, since, storm);
    for (const reader of readers) await badge(reader, storm);
  }

  const begun = (kind: Storm['kind']): Storm => ({
    kind,
    pulls: 0,
    badges: 0,
    back: [],
    hit: 0,
    violations: [],
  });

  return {
    /** Nothing was ever plugged in here. */
    async first(): Promise<Storm> {
      const storm = begun('first of all');
      const ready = () => machine.records.filter(({ msg }) => msg === 'terminal ready').length;
      await eventually(
        () => {
          if (ready() < Object.keys(devices).length) throw new Error(`${ready()} terminals are ready`);
        },
        { limit: 5 * patience() },
      );
      const since = await now();
      for (const part of [serialA, keyboardA, hub, raw, modem]) await part.plug();
      await back(Object.values(devices), since, storm);
      for (const device of Object.values(devices)) await badge(device, storm);
      return storm;
    },
    async storm(kind: Kind, dice: Dice): Promise<Storm> {
      const storm = begun(kind);
      if (kind === 'stick') await stickStorm(dice, storm);
      else if (kind === 'typed early') await earlyStorm(dice, storm);
      else await readerStorm(kind, dice, storm);
      judge(storm);
      return storm;
    },
  };
}

/** More would stay in memory of one machine. */
const part = 10 * stormKinds.length;

export const busStorms: Program = {
  name: 'buses',
  what: 'readers and a stick at USB ports, pulled and plugged before the kernel’s own drivers',
  runs: 1000 * stormKinds.length,
  part,
  async run({ seed, runs }) {
    return resultOf(await playStorms(runs, seed), seed);
  },
};

export function resultOf(storms: readonly Storm[], seed: number): Result {
  const heading = [
    'kind',
    'storms',
    'pulls',
    'badges',
    'back p50',
    'p99',
    'longest',
    'later than 5 s',
    'hit',
  ];
  const rows = [...new Set(storms.map(({ kind }) => kind))].map((kind) => {
    const mine = storms.filter((storm) => storm.kind === kind);
    const sum = (figure: (storm: Storm) => number) =>
      String(mine.reduce((total, storm) => total + figure(storm), 0));
    const all = mine.flatMap(({ back }) => back);
    return [
      kind,
      String(mine.length),
      sum(({ pulls }) => pulls),
      sum(({ badges }) => badges),
      ...[0.5, 0.99, 1].map((share) => `${percentile(all, share).toFixed(0)} ms`),
      String(all.filter((took) => took > promised).length),
      sum(({ hit }) => hit),
    ];
  });
  return {
    table: table([heading, ...rows]),
    violations: storms.flatMap(({ kind, violations }, index) =>
      violations.map((what) => `${kind}, seed ${seed}, storm ${index}: ${what}`),
    ),
    played: storms.length - 1,
  };
}
