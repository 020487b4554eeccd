/** What a scene is made of, drawn from its seed: people and their ways, terminals and their printers, how bad a day it is. */
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import type { PrinterHabitName } from './habits.ts';
import { printerHabitNames } from './habits.ts';

export interface ScenePlan {
  readonly seed: number;
  readonly people: readonly PersonPlan[];
  readonly terminals: readonly TerminalPlan[];
  /** How many visits the people make, all together. */
  readonly visits: number;
  /** Times a minute. */
  readonly cloudFaults: number;
  /** Times a minute and printer. */
  readonly printerFaults: number;
  /** Ends of the agent, by kill or in order. */
  readonly deaths: number;
  readonly isBalanceChecked: boolean;
  readonly unknownAfterHours: 0 | 24;
}

export interface PersonPlan {
  readonly userName: string;
  readonly fullName: string;
  readonly card: string;
  readonly password: string;
  readonly canPay: boolean;
  readonly ways: Ways;
}

/** What a person tends to do at a terminal, each so many times in a hundred. */
export interface Ways {
  readonly leavesEarly: number;
  readonly tapsAgain: number;
  readonly pressesTwice: number;
  readonly pushesIn: number;
  readonly deletes: number;
  readonly lies: number;
}

export interface TerminalPlan {
  readonly id: string;
  readonly serialNumber: string;
  readonly autoRelease: boolean;
  readonly habits: readonly PrinterHabitName[];
}

const names = ['Anna', 'Boris', 'Chloe', 'Dirk', 'Elif', 'Femi', 'Greta', 'Hugo'] as const;
const places = ['atrium', 'bureau', 'cellar', 'depot'] as const;

/** Of the so many-th scene of a campaign; well apart, so that no two scenes are alike. */
export const seedOfScene = (campaign: number, index: number): number =>
  (Math.imul(campaign ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35)) >>> 0;

export const visitsEach = 40;

/** `plain`: printers without habits, for what is not about those. */
export type Printers = 'as-they-are' | 'plain';

export function planScene(seed: number, printers: Printers = 'as-they-are'): ScenePlan {
  const dice = diceOf(seed);
  const badDay = dice.number(1);
  return {
    seed,
    people: names.slice(0, 5 + Math.floor(dice.number(4))).map((name) => planPerson(name, dice)),
    terminals: places.slice(0, 2 + Math.floor(dice.number(3))).map((id, index) => {
      const autoRelease = dice.happens(60);
      const drawn = drawHabits(dice);
      const habits = printers === 'plain' ? [] : drawn;
      return { id, serialNumber: `SN-000${index + 1}`, autoRelease, habits };
    }),
    visits: visitsEach,
    cloudFaults: dice.happens(20) ? 0 : 2 + badDay * 18,
    printerFaults: dice.happens(20) ? 0 : 0.7 + badDay * 5,
    deaths: dice.one([0, 0, 1, 1, 2, 3]),
    isBalanceChecked: dice.happens(30),
    unknownAfterHours: dice.happens(50) ? 0 : 24,
  };
}

/** A quarter has none; some have two, which may be the same. */
function drawHabits(dice: Dice): readonly PrinterHabitName[] {
  if (dice.happens(25)) return [];
  const drawn = dice.happens(12) ? 2 : 1;
  return [...new Set(Array.from({ length: drawn }, () => dice.one(printerHabitNames)))];
}

function planPerson(name: string, dice: Dice): PersonPlan {
  const digits = (count: number) =>
    Array.from({ length: count }, () => '0123456789ABCDEF'[Math.floor(dice.number(16))]).join('');
  const often = (percent: number) => (dice.happens(30) ? percent : percent / 5);
  return {
    userName: name.toLowerCase(),
    fullName: `${name} ${name}sson`,
    card: `04${digits(12)}`,
    password: `secret-${digits(12)}`,
    canPay: dice.happens(75),
    ways: {
      leavesEarly: often(50),
      tapsAgain: often(50),
      pressesTwice: often(40),
      pushesIn: often(30),
      deletes: often(20),
      lies: often(30),
    },
  };
}
