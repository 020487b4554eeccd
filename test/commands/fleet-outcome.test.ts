/** What the demo of a fleet makes of the records of the printer and of the service. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { faultsOf, outcomeRows, outcomesOf } from '../../src/commands/demo/fleet-outcome.ts';
import type { DocumentOutcome } from '../../src/commands/demo/fleet-outcome.ts';
import { jobName } from '../../src/domain/release.ts';
import type { PrinterOutput } from '../../src/simulator/printer/outputs.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { HistoryEntry } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';

const whole = { isWhole: true, sentBy: 'gateway-a' };
const fine: DocumentOutcome = {
  name: 'Report.pdf',
  outputs: [whole],
  records: ['gateway-a'],
  isWaiting: false,
};

describe('what became of a document of a fleet', () => {
  it.each<[what: string, outcome: DocumentOutcome, faults: readonly string[]]>([
    ['came out once and is recorded', fine, []],
    ['came out, is recorded, and is still listed', { ...fine, isWaiting: true }, []],
    ['did not come out, and waits', { ...fine, outputs: [], records: [], isWaiting: true }, []],
    ['came out twice', { ...fine, outputs: [whole, whole] }, ['Report.pdf came out 2 times.']],
    [
      'came out once whole and once in part',
      { ...fine, outputs: [{ ...whole, isWhole: false }, whole] },
      ['Report.pdf came out 2 times.'],
    ],
    ['came out, unrecorded', { ...fine, records: [] }, ['Report.pdf came out and is not in the history.']],
    [
      'did not come out, and is gone',
      { ...fine, outputs: [], records: [] },
      ['Report.pdf did not come out and no longer waits.'],
    ],
  ])('that %s', (_, outcome, faults) => {
    expect(faultsOf([outcome])).toEqual(faults);
  });

  it('is told with who sent it, who told the service, and where the pages are not all there', async () => {
    const documents = [
      { owner: 'alice', name: 'Report.pdf', pages: 2 },
      { owner: 'alice', name: 'Plan.pdf', pages: 2 },
    ];
    await using cloud = await startCloud({ seed: { ...sampleData, documents } });
    const [report] = cloud.state.documents;
    const [sent, other] = ['a'.repeat(32), 'b'.repeat(32)];
    const record = (msg: string, releaseId: string): LogRecord => ({
      level: 'info',
      msg,
      releaseId,
      documentUuid: report?.info.uuid,
    });
    const gateway = (name: string, records: readonly LogRecord[]) => ({
      name,
      log: { records, next: () => Promise.reject(new Error('nobody asks')) },
    });
    const gateways = [
      gateway('gateway-a', [record('release started', sent)]),
      gateway('gateway-b', [record('release started', other), record('history accepted', sent)]),
    ];
    cloud.state.history.push(historyEntry);
    const outputs: readonly PrinterOutput[] = [
      {
        jobId: 1,
        jobName: jobName('Report.pdf', sent),
        userName: 'alice',
        file: 'report',
        bytes: 1,
        impressions: 2,
        complete: true,
        attributes: {},
        at: 0,
        sha256: createHash('sha256')
          .update(report?.bytes ?? '')
          .digest('hex'),
      },
    ];
    expect(outcomeRows(outcomesOf(cloud, outputs, gateways)).slice(1)).toEqual([
      ['Report.pdf', 'once', 'gateway-a', 'once, by gateway-b', 'listed'],
      ['Plan.pdf', 'not at all', 'nobody', 'no', 'listed'],
    ]);
    const cut = outputs.map((output) => ({ ...output, complete: false }));
    expect(outcomeRows(outcomesOf(cloud, cut, gateways))[1]?.[1]).toBe('once, in part');
  });
});

const historyEntry: HistoryEntry = {
  uuid: 'record',
  at: 0,
  userName: 'alice',
  providerId: 3,
  title: 'Report.pdf',
  serialNumber: 'SN-0001',
  totalPages: 2,
  colorPages: 0,
  paperSize: undefined,
  duplex: 0,
  address: undefined,
  outputPortId: undefined,
  dateTime: undefined,
  jobType: 'PRINT',
  recordedWith: 'device',
};
