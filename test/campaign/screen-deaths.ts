/**
 * The kiosk on a real screen of a whole machine: the page comes up by itself, no key leads away from it, it is touched, and it is
 * back by itself when the browser or the compositor is killed, also when somebody leaves for another console meanwhile (I7, T07).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '../../src/commands/terminal-text/table.ts';
import { percentile } from '../bench/figures.ts';
import type { Picture, ScreenMachine } from '../machines/screen-machine.ts';
import { letters, startScreenMachine } from '../machines/screen-machine.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import { eventually, patience } from '../support/patience.ts';

const shortcuts = [
  ['ctrl', 'alt', 'f2'],
  ['ctrl', 'alt', 'f7'],
  ['alt', 'f2'],
  ['alt', 'right'],
  ['alt', 'tab'],
  ['alt', 'f4'],
  ['ctrl', 'w'],
  ['ctrl', 't'],
  ['ctrl', 'shift', 'i'],
  ['ctrl', 'alt', 'backspace'],
  ['ctrl', 'alt', 'delete'],
  ['alt', 'sysrq', 'r'],
  ['alt', 'sysrq', 'k'],
  ['alt', 'sysrq', 'b'],
  ['meta_l', 'd'],
  ['f1'],
  ['f11'],
  ['f12'],
];

const deaths = ['chromium', 'cage', 'cage, and another console'] as const;

interface Played {
  /** Until the page was there again, in milliseconds of the machine's own clock. */
  readonly back: Readonly<Record<(typeof deaths)[number], number>>;
  /** From the kernel's start to the page. */
  readonly up: number;
  readonly violations: readonly string[];
}

/** The page's ground, its letters and its buttons (src/kiosk/page/styles). */
const ground = '250,245,236';
const ink = ['43,37,32', '15,92,83'];
const isPage = ({ colours: [largest, ...others] }: Picture): boolean =>
  largest?.[0] === ground && others.slice(0, 8).some(([colour]) => ink.includes(colour));
/** The part of a console that has letters, as the kernel writes them; its cursor has them, too. */
const lettersOf = ({ colours, isOff }: Picture): number =>
  colours[0]?.[0] === '0,0,0' && !isOff ? (colours.find(([colour]) => colour === letters)?.[1] ?? 0) : 0;

/** As a kernel does it, or a service, which knows of no kiosk. */
const writeToConsoles = 'echo "something has happened" | tee /dev/tty1 /dev/tty2 /dev/tty0';

/** A boot of a machine. */
export async function playScreen(dice: Dice): Promise<Played> {
  await using screen = await startScreenMachine();
  const { machine, picture } = screen;
  const violations: string[] = [];
  const now = async () => Number(await machine.sh('date +%s%3N'));
  let mostLetters = 0;
  const untilPageIs = (wanted: 'there' | 'gone') =>
    eventually(
      async () => {
        const seen = await picture();
        mostLetters = Math.max(mostLetters, lettersOf(seen));
        if (isPage(seen) !== (wanted === 'there')) throw new Error(`the page is not ${wanted}`);
      },
      // Chromium starts in some minutes where a processor is emulated.
      { interval: 500, limit: 10 * patience() },
    );

  await untilPageIs('there');
  const up = Number(await machine.sh(`awk '{ print int($1 * 1000) }' /proc/uptime`));
  for (const keys of shortcuts.toSorted(() => dice.number(2) - 1)) {
    await screen.press(...keys);
    await pause(3000);
    const active = (await machine.sh('cat /sys/class/tty/tty0/active')).trim();
    if (!isPage(await picture()) || active !== 'tty1')
      violations.push(`${keys.join('+')} leads away from the page, to ${active} (T07)`);
  }
  if (!(await changesWhenTouched(screen))) violations.push('the panel is touched in vain');

  const back: Record<string, number> = {};
  for (const death of deaths) {
    const [who = ''] = death.split(',');
    mostLetters = 0;
    await machine.sh(writeToConsoles);
    const since = await now();
    await machine.sh(`kill -KILL $(pgrep -o ${who})`);
    if (who !== death) await screen.press('ctrl', 'alt', 'f2');
    await untilPageIs('gone');
    await machine.sh(writeToConsoles);
    await untilPageIs('there').catch((error: unknown) => violations.push(`${death}: ${String(error)} (I7)`));
    if (mostLetters > 0)
      violations.push(
        `${death}: a console is shown, ${(mostLetters * 100).toFixed(2)} % of it letters (T07)`,
      );
    back[death] = (await now()) - since;
  }
  return { up, back: back as Played['back'], violations };
}

/** At the button of the name and the password: then a keyboard is there. */
async function changesWhenTouched({ touch, picture }: ScreenMachine): Promise<boolean> {
  const groundOf = async () => (await picture()).colours.find(([colour]) => colour === ground)?.[1] ?? 0;
  const before = await groundOf();
  await touch(0.6, 0.835);
  return eventually(async () => {
    if ((await groundOf()) > before * 0.9) throw new Error('nothing has changed');
    return true;
  }).catch(() => false);
}

export const screenDeaths: Program = {
  name: 'screen',
  what: 'the kiosk’s page on a screen of its own: keys, touch, and the deaths of browser and compositor',
  runs: 20,
  part: 1,
  async run({ seed, runs }) {
    const played: Played[] = [];
    for (let run = 0; run < runs; run += 1) played.push(await playScreen(diceOf(seed + run)));
    return screensPlayed(played);
  },
};

export function screensPlayed(played: readonly Played[]): Result {
  const spans = {
    'from the start of the kernel': played.map(({ up }) => up),
    ...Object.fromEntries(deaths.map((death) => [death, played.map(({ back }) => back[death])])),
  };
  const rows = Object.entries(spans).map(([what, all]) => [
    what,
    String(all.length),
    ...[0.5, 1].map((share) => `${percentile(all, share).toFixed(0)} ms`),
  ]);
  return {
    table: table([['the page is there', 'times', 'p50', 'longest'], ...rows]),
    violations: played.flatMap(({ violations }) => violations),
    played: played.length,
  };
}
