/** What a gateway tells of itself to whoever looks at many: within its room, and nothing of a person. */
import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { noneHurt, ownFileAlone } from '../../src/domain/gateway-digest.ts';
import type { TimedCondition } from '../../src/status/conditions.ts';
import type { DigestSources } from '../../src/status/digest.ts';
import { composeDigest, digestRoom, isSameButForTime } from '../../src/status/digest.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const since = '2026-11-21T11:00:00.000Z';
const condition = (more: Partial<TimedCondition> = {}): TimedCondition => ({
  code: 'printer-unreachable',
  severity: 'error',
  scope: 'lobby',
  subject: 'printer',
  since,
  detail: 'Salary letter.pdf of Alice Archer (card 04A1B2C3) was refused by 10.0.0.7',
  ...more,
});

const outage = { reference: '7K3M9P', terminal: 'lobby', since, over: null };

const sources = (more: Partial<DigestSources> = {}): DigestSources => ({
  member: '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
  name: 'gateway-a',
  site: 'main',
  version: '1.2.0',
  startedAt: since,
  operations: 'gw-a.example:7381',
  operationsTls: true,
  terminals: () => [
    { id: 'lobby', isServed: true, isReady: false, trouble: 'printer-not-ready' },
    { id: 'attic', isServed: true, isReady: true },
    { id: 'annex', isServed: false, isReady: false, trouble: 'elsewhere' },
  ],
  outbox: () => ({ waiting: 2, held: 1, deadLetters: 4 }),
  outboxOldest: () => minutes(90),
  unknownSince: (day) => (day === '2026-11-20T12:00:00.000Z' ? 5 : 99),
  hurt: () => ({ hour: noneHurt, day: { failed: 2, unknown: 1, refused: 3 }, line: Array(24).fill(0) }),
  outages: () => [outage],
  certificateEnds: () => [Date.UTC(2027, 0, 1), Date.UTC(2026, 10, 24, 13)],
  conditions: () => [condition()],
  config: () => ({ version: 7, wanted: 8, refused: { version: 8, why: 'terminals[0].id: is missing' } }),
  clock: createSteeredClock(),
  ...more,
});

const octets = (digest: object) => Buffer.byteLength(JSON.stringify(digest));

describe('a digest', () => {
  it('leaves what is wrong at a terminal to the gateway that serves it', () => {
    const conditions = ['annex', 'lobby', 'agent'].map((scope) => condition({ scope }));
    const digest = composeDigest(sources({ conditions: () => conditions }));
    expect(digest.conditions.map(({ scope }) => scope)).toEqual(['lobby', 'agent']);
    expect(digest.moreConditions).toBe(0);
  });

  it('tells what a person acts upon', () => {
    expect(composeDigest(sources())).toEqual({
      member: '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
      name: 'gateway-a',
      site: 'main',
      version: '1.2.0',
      at: '2026-11-21T12:00:00.000Z',
      startedAt: since,
      config: { version: 7, wanted: 8, refused: { version: 8, why: 'terminals[0].id: is missing' } },
      terminals: {
        configured: 3,
        served: 2,
        ready: 1,
        troubled: [{ id: 'lobby', state: 'printer-not-ready' }],
      },
      outbox: { waiting: 3, deadLetters: 4, oldest: '2026-11-21T10:30:00.000Z' },
      unknownOutcomes: 5,
      certificateDays: 3,
      outages: [outage],
      hurt: { hour: noneHurt, day: { failed: 2, unknown: 1, refused: 3 }, line: Array(24).fill(0) },
      conditions: [{ code: 'printer-unreachable', severity: 'error', scope: 'lobby', since }],
      moreConditions: 0,
      operations: 'gw-a.example:7381',
      operationsTls: true,
    });
  });

  it('of a gateway that knows no certificate and owes nothing says so', () => {
    const quiet = sources({ certificateEnds: () => [], outboxOldest: () => undefined });
    expect(composeDigest(quiet)).toMatchObject({ certificateDays: null, outbox: { oldest: null } });
    const over = sources({ certificateEnds: () => [Date.UTC(2026, 10, 20, 13)] });
    expect(composeDigest(over).certificateDays).toBe(-1);
  });

  it('names nobody, no title and no card, whatever the details of its conditions say', () => {
    const text = JSON.stringify(composeDigest(sources()));
    expect(text).not.toMatch(/Alice|Salary|04A1B2C3|10\.0\.0\.7/);
  });

  it('fits its room with 250 terminals out of order, the longest names and every letter the widest', () => {
    const ids = Array.from({ length: 250 }, (_, n) => `${'a'.repeat(28)}-${n}`);
    const digest = composeDigest(
      sources({
        name: '\u0007'.repeat(255),
        site: 's'.repeat(64),
        terminals: () => ids.map((id) => ({ id, isServed: true, isReady: false, trouble: 'not-approved' })),
        conditions: () => ids.map((scope) => condition({ scope, code: 'ledger-quarantined' })),
        config: () => ({ version: 1, wanted: 2, refused: { version: 2, why: '€'.repeat(4000) } }),
      }),
    );
    expect(octets(digest)).toBeLessThanOrEqual(digestRoom);
    expect(digest.terminals).toMatchObject({ configured: 250, served: 250, ready: 0 });
    expect(digest.terminals.troubled.length).toBeGreaterThan(3);
    expect(digest.conditions.length).toBeGreaterThan(3);
    expect(digest.moreConditions + digest.conditions.length).toBe(250);
  });

  it('ends in no half of a character, which the engine would refuse with all the rest', () => {
    const { name, config } = composeDigest(
      sources({
        name: `${'x'.repeat(254)}🖨️`,
        config: () => ({ version: 1, wanted: 2, refused: { version: 2, why: `${'x'.repeat(299)}\ud83d…` } }),
      }),
    );
    expect([name.isWellFormed(), config.refused?.why.isWellFormed()]).toEqual([true, true]);
  });

  it('is news when a condition comes, a terminal fails or a record is refused, and not when one more waits', () => {
    const before = composeDigest(sources());
    const same = (more: Partial<DigestSources>) => isSameButForTime(before, composeDigest(sources(more)));
    expect(same({ outbox: () => ({ waiting: 9, held: 0, deadLetters: 4 }) })).toBe(true);
    expect(same({ outboxOldest: () => minutes(91) })).toBe(true);
    expect(same({ outbox: () => ({ waiting: 2, held: 1, deadLetters: 5 }) })).toBe(false);
    expect(same({ conditions: () => [] })).toBe(false);
    expect(same({ terminals: () => [{ id: 'lobby', isServed: true, isReady: true }] })).toBe(false);
    expect(same({ config: () => ownFileAlone })).toBe(false);
  });
});
