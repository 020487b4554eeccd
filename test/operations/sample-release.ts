/** A release as the ledger has it, with all that a page for administrators must not tell. */
import type { FoundRelease } from '../../src/domain/ports/ledger.ts';

export const sampleRelease: FoundRelease = {
  row: {
    releaseId: '7f3a9c21aabbccddeeff001122334455',
    terminal: 'floor-0',
    documentUuid: '5d0c8f6e-0000-4000-8000-00000000d0c5',
    state: 'CONFIRMED',
    outcome: 'completed',
    confirmation: 'device',
    pages: { pages: 12, source: 'device-confirmed' },
    problem: undefined,
    startedAt: '2026-11-25T11:50:00.000Z',
    endedAt: '2026-11-25T11:50:04.210Z',
    deletionOwed: false,
    tookMs: 4210,
  },
  events: [
    {
      state: 'PLANNED',
      at: '2026-11-25T11:50:00.000Z',
      facts: { userId: 4711, providerId: 815, pages: 12, copies: 1 },
    },
    {
      state: 'INTENT',
      at: '2026-11-25T11:50:00.600Z',
      facts: { printerUri: 'ipps://floor-0.printers.example/ipp/print' },
    },
    { state: 'JOB', at: '2026-11-25T11:50:00.700Z', facts: { jobId: 99, jobUri: 'ipps://x/99' } },
    { state: 'SENT', at: '2026-11-25T11:50:01.000Z', facts: { digest: 'cafe'.repeat(16) } },
    { state: 'CONFIRMED', at: '2026-11-25T11:50:04.210Z', facts: { confirmation: 'device' } },
  ],
  trace: {
    since: '2026-11-25T11:49:50.000Z',
    steps: [
      { stage: 'badge', at: 0, took: 2 },
      { stage: 'login', at: 2, took: 120 },
      { stage: 'list', at: 122, took: 180 },
      { stage: 'chosen', at: 302, took: 6_000 },
      { stage: 'download', at: 6_302, took: 300 },
      { stage: 'first_byte', at: 6_602, took: 60 },
      { stage: 'sent', at: 6_662, took: 400 },
      { stage: 'printed', at: 7_062, took: 3_210 },
      { stage: 'recorded', at: 10_272, took: 12 },
    ],
  },
};
