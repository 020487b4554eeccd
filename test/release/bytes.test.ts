/** A release at a printer that takes bytes and knows no jobs (INVARIANTS.md B.1, rows "raw 9100"; I1, I2). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport, OpenState } from '../../src/domain/release.ts';
import type { Answers } from './release-bench.ts';
import { bytePrinterUri, completed, fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const upToTheIntent = ['ledger:plan', 'balance', 'download', 'ledger:fetched', 'prepare', 'ledger:intend'];

const canceled = (pages?: number): JobReport => ({
  state: 'canceled',
  reasons: ['job-canceled-at-device'],
  ...(pages === undefined ? {} : { impressionsCompleted: pages }),
});

describe('a release at a byte printer', () => {
  it('goes from the intent straight to the bytes, and is handed over when they were taken', async () => {
    const bench = releaseBench({}, { printer: 'bytes' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds).toEqual([
      ...upToTheIntent,
      'send',
      'ledger:sent',
      'ledger:end HANDED-OVER deletion owed',
      'delete',
      'ledger:deleted',
    ]);
    expect(bench.ends).toMatchObject([{ state: 'HANDED-OVER', confirmation: 'handed-over' }]);
    expect(bench.outcomes()).toEqual(['completed']);
  });

  it('is unknown in the end where the administrator wants every print confirmed', async () => {
    const bench = releaseBench({}, { printer: 'bytes', requireConfirmation: true });
    await bench.release(ticketFor('one'));
    expect(bench.deeds).toEqual([...upToTheIntent, 'send', 'ledger:sent', 'ledger:end UNKNOWN']);
    expect(bench.ends).toMatchObject([{ problem: 'print-unconfirmed' }]);
  });

  it('that cannot confirm anything does not hold up the rest of a batch', async () => {
    const bench = releaseBench({}, { printer: 'bytes', requireConfirmation: true });
    await bench.release(ticketFor('one'), ticketFor('two'));
    expect(bench.outcomes()).toEqual(['unknown', 'unknown']);
  });

  it.each([
    ['completed', { ...completed }, 'CONFIRMED deletion owed', 'completed', 'device'],
    ['canceled after two pages', canceled(2), 'PARTIAL', 'unknown', undefined],
    ['canceled, nobody knows after how many', canceled(), 'UNKNOWN', 'unknown', undefined],
  ])(
    'that the printer itself says was %s is judged by that (B.1)',
    async (_, send, end, outcome, confirmation) => {
      const bench = releaseBench({ send }, { printer: 'bytes', requireConfirmation: true });
      await bench.release(ticketFor('one'));
      expect(bench.deeds.slice(0, upToTheIntent.length + 3)).toEqual([
        ...upToTheIntent,
        'send',
        'ledger:sent',
        `ledger:end ${end}`,
      ]);
      expect(bench.ends.map((one) => [one.confirmation, one.report])).toEqual([[confirmation, send]]);
      expect(bench.outcomes()).toEqual([outcome]);
    },
  );

  it.each<[string, Answers, string, string]>([
    ['broke off', { send: fault('transfer-broken', lost) }, 'UNKNOWN', 'unknown'],
    ['stalled', { send: fault('printer-stalled', lost) }, 'UNKNOWN', 'unknown'],
    [
      'was never begun',
      { send: fault('printer-unreachable', { delivery: 'not-sent' }) },
      'NOOUTPUT',
      'failed',
    ],
  ])('that %s asks nobody and sends nothing again', async (_what, answers, state, outcome) => {
    const bench = releaseBench(answers, { printer: 'bytes' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds).toEqual([...upToTheIntent, 'send', `ledger:end ${state}`]);
    expect(bench.outcomes()).toEqual([outcome]);
  });
});

describe('a restart asks no byte printer about anything', () => {
  it.each<[OpenState, string, string]>([
    ['FETCHED', 'nothing went out', 'ledger:end NOOUTPUT'],
    ['INTENT', 'bytes may have gone out', 'ledger:end UNKNOWN'],
    ['SENT', 'every byte was taken and the close was seen', 'ledger:end HANDED-OVER deletion owed'],
  ])('%s: %s', async (state, _why, end) => {
    const bench = releaseBench({}, { printer: 'bytes' });
    bench.desk.resume([
      {
        releaseId: '1'.repeat(32),
        terminal: 'lobby',
        state,
        documentUuid: 'one',
        jobName: 'Report.pdf [11111111]',
        printerUri: state === 'FETCHED' ? undefined : bytePrinterUri,
        job: undefined,
      },
    ]);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds).toEqual([end]);
  });
});
