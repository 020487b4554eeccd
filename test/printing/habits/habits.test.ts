/**
 * Every habit of the virtual printer, and what may be said of one document of five pages let out there (I1, I11): what
 * came out by the printer's own record, and the words that are true of it.
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { HabitWish } from '../../../src/simulator/printer/habits/habits.ts';
import { printerHabits } from '../../../src/simulator/printer/habits/habits.ts';
import type { Word } from './release-stage.ts';
import { releaseStage, ticketOf } from './release-stage.ts';

type HabitName = keyof typeof printerHabits;

interface HabitRow {
  /** As they are tried; the habit as it is unless said. */
  readonly as?: readonly HabitWish[];
  readonly came: string;
  readonly said: readonly Word[];
  /** Milliseconds a page; 300 unless said. */
  readonly pageTime?: number;
}

const printed: HabitRow = { came: 'all, once', said: ['completed, device'] };
/** The printer tells nothing of the end: nothing more than that it took the document is claimed. */
const handedOver: HabitRow = { came: 'all, once', said: ['completed, handed-over'] };
const refusedBy = (code: string, wish: HabitWish): HabitRow => ({
  as: [wish],
  came: 'nothing',
  said: [`failed, ${code}`],
});
/** The first document meets the demand while it goes out. */
const wantsTlsAtDocument: HabitRow = {
  ...refusedBy('printer-tls-wanted', 'wants-tls=documents'),
};
/** Longer than a printer was once waited for in silence. */
const slowly = 8000;

const habitRows: Readonly<Record<HabitName, HabitRow | readonly HabitRow[]>> = {
  finisher: printed,
  'counts-late': { ...printed, pageTime: slowly },
  'counts-nothing-zero': { ...printed, pageTime: slowly },
  'counts-nothing': { ...printed, pageTime: slowly },
  'counts-sheets': printed,
  'slow-rip': { ...printed, as: ['slow-rip=40'] },
  'warm-up': printed,
  'holds-answer': { ...printed, as: ['holds-answer', 'slow-rip=40'] },
  'behind-others': { ...printed, as: ['behind-others=2x20'] },
  'stops-while-processing': printed,
  'cuts-names': (['63', '64', '80', '127', '16'] as const).map((octets) => ({
    ...printed,
    as: [`cuts-names=${octets}`],
  })),
  'capital-names': printed,
  'ascii-names': printed,
  'masks-names': printed,
  'empty-names': printed,
  'own-names': printed,
  'hides-names': printed,
  'tells-no-uuid': printed,
  'tells-no-up-time': printed,
  restarts: { came: '1 of 5 pages', said: ['unknown, outcome-unknown'] },
  'completes-with-errors': { came: 'all, once', said: ['unknown, print-incomplete'] },
  'completes-unprintable': { came: 'nothing', said: ['unknown, print-incomplete'] },
  'completes-short': { came: '1 of 5 pages', said: ['unknown, print-incomplete'] },
  'queued-in-device': handedOver,
  'completes-aborted': { came: '1 of 5 pages', said: ['unknown, print-incomplete'] },
  'canceled-at-panel': { came: '1 of 5 pages', said: ['unknown, printer-aborted-job'] },
  'refuses-cancel': printed,
  'forgets-at-once': handedOver,
  complains: (
    [
      'media-empty',
      'media-empty-error',
      'media-low',
      'toner-empty-error',
      'marker-supply-empty-error',
      'media-needed',
      'marker-waste-full-error',
      'output-area-full',
      'cover-open-error',
      'input-tray-missing',
    ] as const
  ).map((reason) => ({ ...printed, as: [`complains=${reason}`] })),
  'lacks-paper': [
    { came: 'nothing', said: ['failed, printer-lacks-paper'] },
    { ...printed, as: ['lacks-paper=iso_a4_210x297mm'] },
  ],
  'stays-pending': printed,
  'holds-jobs': printed,
  'never-ends': handedOver,
  sleeping: printed,
  'sleeping-deaf': printed,
  'busy-at-send': printed,
  rejecting: { came: 'nothing', said: ['failed, printer-rejecting'] },
  'rejects-at-send': { came: 'nothing', said: ['failed, printer-busy'] },
  'refuses-compression-at-send': printed,
  'cannot-unpack': printed,
  'refuses-document-name': printed,
  'refuses-job-name': [printed, { ...printed, as: ['refuses-job-name=not-ascii'] }],
  'refuses-user-name': [printed, { ...printed, as: ['refuses-user-name=not-ascii'] }],
  'refuses-validation': (
    ['0400', '0406', '040b', '0500', '0501', 'http-404', 'http-405', 'http-500', 'html', 'closes'] as const
  ).map((how) => ({ ...printed, as: [`refuses-validation=${how}`] })),
  'refuses-wishes': printed,
  'ignores-wishes': printed,
  'refuses-jobs': [
    { came: 'nothing', said: ['failed, printer-limit'] },
    { came: 'nothing', said: ['failed, printer-limit'], as: ['refuses-jobs=041e'] },
    { came: 'nothing', said: ['failed, printer-forbids'], as: ['refuses-jobs=0401'] },
    { came: 'nothing', said: ['failed, printer-forbids'], as: ['refuses-jobs=0403'] },
  ],
  'trips-over-names': (['0400', '0500'] as const).map((status) => ({
    ...printed,
    as: [`trips-over-names=${status}`],
  })),
  'denies-at-send': { came: 'nothing', said: ['failed, printer-denied'] },
  'refuses-job-questions': [
    ...(['0400', '0403', '0501'] as const).map((status) => ({
      ...handedOver,
      as: [`refuses-job-questions=${status}`] as const,
    })),
    // It answers, and not what it is asked: the list of jobs tells.
    ...(['0500', '0507', 'http-404', 'http-405', 'http-500', 'http-503', 'html', 'closes'] as const).map(
      (how) => ({ ...printed, as: [`refuses-job-questions=${how}`] as const }),
    ),
    // A job that is not found is over; whether it was ever seen to print is a matter of moments.
    {
      as: ['refuses-job-questions=0406'],
      came: 'all, once',
      said: ['unknown, outcome-unknown', 'completed, handed-over'],
    },
  ],
  'refuses-job-lists': printed,
  'interim-answers': [printed, { ...printed, as: ['interim-answers=100'] }],
  'only-ipp-1.1': (['0503', '0400', 'http-400', 'http-505', 'request-id-0'] as const).map((how) => ({
    ...printed,
    as: [`only-ipp-1.1=${how}`],
  })),
  'only-ipp-1.0': (['0503', '0400', 'http-400', 'http-505', 'request-id-0'] as const).map((how) => ({
    ...printed,
    as: [`only-ipp-1.0=${how}`],
  })),
  'print-job-only': printed,
  'no-content-type': printed,
  'wrong-content-type': printed,
  'broken-answers': (
    [
      'empty-group',
      'split-groups',
      'no-value',
      'no-end',
      'stray-member',
      'no-last-tag',
      'wrong-group',
    ] as const
  ).map((kind) => ({ ...printed, as: [`broken-answers=${kind}`] })),
  'absurd-integers': printed,
  'no-printer-state': printed,
  'wrong-request-id-in-errors': printed,
  'closes-every-connection': printed,
  'hangs-up': (['0', '5', '20', '60', '300'] as const).map((after) => ({
    ...printed,
    as: [`hangs-up=${after}`],
  })),
  'one-connection-at-a-time': printed,
  'wants-tls': [refusedBy('printer-tls-wanted', 'wants-tls'), wantsTlsAtDocument],
  'sends-elsewhere': [
    refusedBy('printer-tls-wanted', 'sends-elsewhere=tls'),
    refusedBy('printer-moved', 'sends-elsewhere=path'),
    refusedBy('printer-moved', 'sends-elsewhere=host'),
  ],
  'other-path': refusedBy('printer-path-unknown', 'other-path'),
  'missing-queue': refusedBy('printer-path-unknown', 'missing-queue'),
  'no-printer': (['404', '405', '406', '410', '415', '501'] as const).map((status) =>
    refusedBy('printer-path-unknown', `no-printer=${status}`),
  ),
  'web-page': (['html', 'nothing'] as const).map((page) => refusedBy('printer-no-ipp', `web-page=${page}`)),
};

interface Tried {
  readonly name: string;
  readonly habits: readonly HabitWish[];
  readonly row: HabitRow;
}

const names = Object.keys(habitRows) as readonly HabitName[];
const tries: readonly Tried[] = names.flatMap((name) =>
  [habitRows[name]].flat().map((row) => {
    const habits = row.as ?? [name];
    return { name: habits.join(' and '), habits, row };
  }),
);

it('each habit of the virtual printer has its row', () => {
  expect(names.toSorted()).toEqual(Object.keys(printerHabits).toSorted());
});

it('no row is an untruth: what is completed came out whole, and of what failed came nothing', () => {
  const untrue = tries.filter(({ row }) =>
    row.said.some(
      (word) =>
        (word.startsWith('completed') && row.came !== 'all, once') ||
        (word.startsWith('failed') && row.came !== 'nothing'),
    ),
  );
  expect(untrue).toEqual([]);
});

describe('a document let out at a printer that', () => {
  it.each(tries)('$name', async ({ habits, row }) => {
    await using stage = await releaseStage(habits, row.pageTime ?? 300);
    const { peer, clock } = stage;
    // Somebody comes with paper, or goes to the panel.
    peer.onEvent((news) => {
      if (news.includes('the paper has run out')) clock.setTimeout(() => void peer.clear(), seconds(20));
      if (news.includes('is held')) clock.setTimeout(() => peer.releaseAtPanel(), seconds(20));
    });
    const said = await stage.live().release(ticketOf(1));
    expect(await stage.cameOut()).toBe(row.came);
    expect(row.said).toContain(said);
  });
});

it('a document whose owner leaves a printer without paper does not come out later for others', async () => {
  await using stage = await releaseStage(['stops-while-processing=2'], 300);
  const { peer } = stage;
  const life = stage.live();
  peer.onEvent((news) => {
    if (news.includes('the paper has run out')) {
      stage.clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(20));
    }
  });
  expect(await life.release(ticketOf(1))).toBe('unknown, printer-stalled');
  await peer.clear();
  expect(await stage.cameOut()).toBe('2 of 5 pages');
});
