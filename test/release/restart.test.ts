/** What a restart makes of the attempts it finds open (INVARIANTS.md B.1, Restart; I1). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import type { JobReport, OpenState } from '../../src/domain/release.ts';
import type { Answers, DocumentSetAside } from './release-bench.ts';
import { blank, bytePrinterUri, completed, fault, job, releaseBench, ticketFor } from './release-bench.ts';

const hadItsIntent = (state: OpenState): boolean => ['INTENT', 'JOB', 'SENT'].includes(state);
const hadAJob = (state: OpenState): boolean => ['JOB', 'SENT'].includes(state);

const attempt = (state: OpenState, printerUri = 'ipp://printer/ipp/print'): OpenAttempt => ({
  releaseId: '1'.repeat(32),
  terminal: 'lobby',
  state,
  documentUuid: 'one',
  jobName: 'Report.pdf [11111111]',
  printerUri: hadItsIntent(state) ? printerUri : undefined,
  job: hadAJob(state) ? job : undefined,
});

async function resume(found: OpenAttempt, answers: Answers = {}, setAside: readonly DocumentSetAside[] = []) {
  const bench = releaseBench(answers, { setAside });
  bench.desk.resume([found]);
  await bench.clock.advance(seconds(0));
  return bench;
}

describe('a restart settles what it finds open, and sends nothing', () => {
  it.each<[OpenState, string, Answers, string[]]>([
    ['PLANNED', 'nothing was asked of the printer', {}, ['ledger:end NOOUTPUT']],
    ['FETCHED', 'nothing was asked of the printer', {}, ['ledger:end NOOUTPUT']],
    ['SERVICE-REFUSED', 'nothing was asked of the printer', {}, ['ledger:end NOOUTPUT']],
    ['SERVICE-INTENT', 'the service may have printed it', {}, ['ledger:end UNKNOWN no row']],
    ['INTENT', 'no job is left there', {}, ['sweep', 'ledger:end NOOUTPUT']],
    [
      'INTENT',
      'the printer is away',
      { sweep: fault('printer-unreachable') },
      ['sweep', 'ledger:end UNKNOWN'],
    ],
    ['JOB', 'the bytes were on their way', { cancel: blank }, ['cancel', 'ledger:end UNKNOWN']],
    ['SENT', 'the printer completed it', {}, ['follow', 'ledger:end CONFIRMED deletion owed']],
    ['SENT', 'the printer forgot it', { follow: fault('outcome-unknown') }, ['follow', 'ledger:end UNKNOWN']],
  ])('%s, %s', async (state, _what, answers, deeds) => {
    const bench = await resume(attempt(state), answers);
    expect(bench.deeds).toEqual(deeds);
  });

  it.each<OpenState>(['INTENT', 'JOB', 'SENT'])(
    '%s at a printer that is not the terminal’s any more: the new one is not asked, and it stays unknown',
    async (state) => {
      const bench = await resume(attempt(state, 'ipp://another/ipp/print'));
      expect(bench.deeds).toEqual(['ledger:end UNKNOWN']);
    },
  );
});

describe('what a gone member of the fleet has left is settled as after a restart, and nothing is sent', () => {
  const left = (state: OpenState, more: Partial<OpenAttempt> = {}): OpenAttempt => ({
    ...attempt(state),
    from: '6e0f7a30-4f2c-4d6e-9a52-5f3d1c2b7a10',
    documentPages: 6,
    ...more,
  });
  const begun: JobReport = { ...blank, isProvenCounter: false };

  it.each<[string, JobReport | undefined, string]>([
    ['cancelled with nothing counted by a printer that counts', blank, 'NOOUTPUT'],
    ['aborted with nothing counted by a printer that counts', { ...blank, state: 'aborted' }, 'NOOUTPUT'],
    ['cancelled before it was begun', { ...begun, hasBegun: false }, 'NOOUTPUT'],
    ['cancelled, by a printer whose 0 proves nothing', begun, 'UNKNOWN'],
    ['cancelled after a sheet', { ...blank, sheetsCompleted: 1 }, 'PARTIAL'],
    [
      'completed with every page counted',
      { ...completed, impressionsCompleted: 6 },
      'CONFIRMED deletion owed',
    ],
    ['completed with fewer pages counted', completed, 'PARTIAL'],
    ['completed with its documents counted', { ...completed, impressions: 1 }, 'PARTIAL'],
    ['completed, and nothing counted', { ...blank, state: 'completed' }, 'UNKNOWN'],
    ['gone from the printer', undefined, 'UNKNOWN'],
  ])('F6: a job that is %s', async (_what, cancel, end) => {
    const bench = await resume(left('JOB'), { cancel });
    expect(bench.deeds).toEqual(['cancel', `ledger:end ${end}`]);
  });

  it('F6: of one that had no job yet the empty job is swept, and the document is free', async () => {
    const bench = await resume(left('INTENT'));
    expect(bench.deeds).toEqual(['sweep', 'ledger:end NOOUTPUT']);
  });

  it('F6: one that was to make its job with its bytes is found by name, and never free', async () => {
    const bench = await resume(left('INTENT', { inOneStep: true }));
    expect(bench.deeds).toEqual(['find', 'ledger:end UNKNOWN']);
  });

  it('F6: a printer of bytes has no fence: it is unknown', async () => {
    const bench = releaseBench({}, { printer: 'bytes' });
    bench.desk.resume([left('INTENT', { printerUri: bytePrinterUri })]);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds).toEqual(['ledger:end UNKNOWN']);
  });

  it('F6: a printer that no terminal here has is not asked for by another one', async () => {
    const bench = await resume(left('JOB', { printerUri: 'ipp://another/ipp/print' }));
    expect(bench.deeds).toEqual(['ledger:end UNKNOWN']);
  });
});

describe('a document that was in hand at two crashes or three (E, Restart)', () => {
  it('left at SENT is asked about after the second', async () => {
    const bench = await resume(attempt('SENT'), {}, [['one', 'asked-about']]);
    expect(bench.deeds).toEqual(['follow', 'ledger:end CONFIRMED deletion owed']);
  });

  it.each<[OpenState, string]>([
    ['FETCHED', 'ledger:end NOOUTPUT'],
    ['INTENT', 'ledger:end UNKNOWN'],
    ['JOB', 'ledger:end UNKNOWN'],
    ['SENT', 'ledger:end UNKNOWN'],
  ])('left at %s is settled without a word to its printer after the third', async (state, end) => {
    const bench = await resume(attempt(state), {}, [['one', 'not-asked-about']]);
    expect(bench.deeds).toEqual([end]);
  });

  it('is not released, and keeps no other from being', async () => {
    const bench = releaseBench({}, { setAside: [['one', 'asked-about']] });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    expect(
      bench.ended.map(({ documentUuid, outcome, problem }) => [documentUuid, outcome, problem?.code]),
    ).toEqual([
      ['one', 'failed', 'document-set-aside'],
      ['two', 'completed', undefined],
    ]);
  });

  it('is not printed again either, where its owner asks for that', async () => {
    const bench = await resume(attempt('SENT'), {}, [['one', 'not-asked-about']]);
    const again = { ...ticketFor('one', 2), again: '1'.repeat(32) };
    await bench.release(again);
    expect(bench.ended.map(({ problem }) => problem?.code)).toEqual(['document-set-aside']);
    expect(bench.desk.standing('one')).not.toBe('releasable');
  });
});
