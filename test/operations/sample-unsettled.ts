/** Prints of which nobody knows, at two printers, and an outage that is over. */
import type { UnsettledRelease } from '../../src/domain/ports/ledger.ts';
import type { ToldOutage } from '../../src/operations/ui/answers.ts';
import { sampleRelease } from './sample-release.ts';

const print = (
  code: string,
  printerUri: string,
  changes: Partial<UnsettledRelease> = {},
): UnsettledRelease & { readonly place: string } => ({
  ...sampleRelease.row,
  releaseId: code.padEnd(32, '0'),
  state: 'UNKNOWN',
  outcome: 'unknown',
  problem: 'transfer-broken',
  endedAt: '2026-11-25T18:04:00.000Z',
  printerUri,
  documentPages: 3,
  hasRecord: true,
  place: 'Entrance hall, ground floor',
  ...changes,
});

export const unsettledPrints = [
  print('a1b2c3d4', 'ipp://10.0.0.7/ipp/print'),
  print('b2c3d4e5', 'ipp://10.0.0.7/ipp/print', { state: 'PARTIAL', hasRecord: false }),
  print('c3d4e5f6', 'socket://10.0.0.9:9100'),
];

export const outage: ToldOutage = {
  reference: '7K3M9P',
  terminal: 'floor-3',
  reason: 'cloud-unreachable',
  since: '2026-11-25T17:04:00.000Z',
  over: '2026-11-25T17:20:00.000Z',
};
