/**
 * How each habit of the virtual printer is tried: most as they are, some with a span or a size that shows them within
 * a minute. Patience is tried just above the 30 s after which a silent printer used to be given up.
 */
import type { HabitWish } from '../../src/simulator/printer/habits/habits.ts';
import { printerHabits } from '../../src/simulator/printer/habits/habits.ts';

export interface Scene {
  readonly habits: readonly HabitWish[];
  /** Milliseconds a page. */
  readonly pageTime: number;
  readonly who: string;
  readonly source: string;
}

type PrinterHabit = keyof typeof printerHabits;

const names = Object.keys(printerHabits).filter((name): name is PrinterHabit => name in printerHabits);

const pageTime = 300;

const triedAs: Readonly<Partial<Record<PrinterHabit, readonly HabitWish[]>>> = {
  'slow-rip': ['slow-rip=40'],
  'warm-up': ['warm-up=40'],
  'holds-answer': ['holds-answer', 'slow-rip=40'],
  'behind-others': ['behind-others=2x20'],
  'stops-while-processing': ['stops-while-processing=2'],
  restarts: ['restarts=2'],
};

/** Five pages take 40 s. */
const slowPages: ReadonlySet<PrinterHabit> = new Set([
  'counts-late',
  'counts-nothing',
  'counts-nothing-zero',
]);

/** Further values of a habit that are another printer's. */
const alsoAs: readonly HabitWish[] = [
  'cuts-names=80',
  'cuts-names=127',
  'refuses-job-name=not-ascii',
  'interim-answers=100',
  'only-ipp-1.1=http-400',
  'only-ipp-1.1=http-505',
  'only-ipp-1.0=request-id-0',
  'refuses-job-questions=0403',
  'refuses-job-questions=0501',
];

export function scenes(): readonly Scene[] {
  const plain: Scene = { habits: [], pageTime, who: 'the virtual printer as it is', source: '' };
  const asTheyAre = names.map((name) => sceneOf(name, triedAs[name] ?? [name]));
  const further = alsoAs.map((wish) => sceneOf(habitOf(wish), [wish]));
  return [plain, ...asTheyAre, ...further];
}

function sceneOf(name: PrinterHabit, habits: readonly HabitWish[]): Scene {
  const { who, source } = printerHabits[name];
  return { habits, pageTime: slowPages.has(name) ? 8000 : pageTime, who, source };
}

function habitOf(wish: HabitWish): PrinterHabit {
  const found = names.find((name) => wish.startsWith(`${name}=`));
  if (found === undefined) throw new TypeError(`no habit is called ${wish}`);
  return found;
}
