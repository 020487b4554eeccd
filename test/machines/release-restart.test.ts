/** What a restart makes of the attempts it finds open (reliability.md B.1, Restart; I1). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import type { OpenState } from '../../src/domain/release.ts';
import type { Answers } from './release-bench.ts';
import { blank, fault, job, releaseBench } from './release-bench.ts';

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

async function resume(found: OpenAttempt, answers: Answers = {}) {
  const bench = releaseBench(answers);
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
