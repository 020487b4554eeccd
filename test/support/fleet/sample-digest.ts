/** The digest of a gateway that is well, but for what a test says. */
import type { GatewayDigest } from '../../../src/domain/gateway-digest.ts';
import { ownFileAlone } from '../../../src/domain/gateway-digest.ts';

export const sampleDigest = (more: Partial<GatewayDigest> = {}): GatewayDigest => ({
  member: '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
  name: 'gateway-a',
  site: 'main',
  version: '1.2.0',
  at: '2026-11-21T12:00:00.000Z',
  startedAt: '2026-11-21T11:00:00.000Z',
  config: ownFileAlone,
  terminals: { configured: 2, served: 2, ready: 2, troubled: [] },
  outbox: { waiting: 0, deadLetters: 0, oldest: null },
  unknownOutcomes: 0,
  certificateDays: 90,
  conditions: [],
  moreConditions: 0,
  operations: null,
  operationsTls: false,
  ...more,
});
