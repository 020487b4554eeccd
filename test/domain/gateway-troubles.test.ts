/** What is wrong with a gateway, by what it told and when. */
import { expect, it } from 'vitest';
import { troublesOf } from '../../src/domain/gateway-troubles.ts';
import type { SeenGateway } from '../../src/domain/ports/gateways.ts';
import { sampleDigest } from '../support/fleet/sample-digest.ts';

const reported = (digest: Parameters<typeof sampleDigest>[0], more: Partial<SeenGateway> = {}) =>
  troublesOf({
    digest: sampleDigest(digest),
    hasTold: true,
    isBeating: true,
    isSelf: false,
    ageSeconds: 60,
    lastBeatSeconds: 1,
    ...more,
  }).map(({ severity, scope, what, span }) => [severity, scope, what, span]);

it('a gateway that is well has none', () => {
  expect(reported({})).toEqual([]);
});

it.each([
  [{ isBeating: false, lastBeatSeconds: 90 }, ['error', 'agent', 'gone', 90_000]],
  [{ hasTold: false }, ['warning', 'agent', 'has told nothing yet', undefined]],
  [{ ageSeconds: 300 }, ['warning', 'agent', 'tells nothing new', 300_000]],
])('by its beats: %j', (more, trouble) => {
  expect(reported({}, more)).toEqual([trouble]);
});

it.each([
  [
    { outbox: { waiting: 0, deadLetters: 2, oldest: null } },
    ['error', 'agent', 'dead letters: 2', undefined],
  ],
  [
    { outbox: { waiting: 1, deadLetters: 0, oldest: '2026-11-21T10:00:00.000Z' } },
    ['warning', 'agent', 'history not posted', 7_260_000],
  ],
  [{ unknownOutcomes: 1 }, ['warning', 'agent', 'unknown outcomes: 1', undefined]],
  [{ certificateDays: 13 }, ['warning', 'agent', 'a certificate runs out in 13 d', undefined]],
  [{ certificateDays: -1 }, ['error', 'agent', 'a certificate has run out', undefined]],
  [
    { config: { version: 7, wanted: 8, refused: { version: 8, why: 'a reader is missing' } } },
    ['error', 'agent', 'configuration 8 refused', undefined],
  ],
  [
    { config: { version: null, wanted: 8, refused: null } },
    ['warning', 'agent', 'configuration of its own, and 8 is wanted', undefined],
  ],
])('by its figures: %j', (digest, trouble) => {
  expect(reported(digest)).toEqual([trouble]);
});

it('records that wait for a moment, certificates of two weeks and a configuration in force are none', () => {
  expect(
    reported({
      outbox: { waiting: 40, deadLetters: 0, oldest: '2026-11-21T11:05:00.000Z' },
      certificateDays: 14,
      config: { version: 8, wanted: 8, refused: null },
    }),
  ).toEqual([]);
});

it('a terminal is told once: by its condition, or by itself where it has none', () => {
  const since = '2026-11-21T11:59:00.000Z';
  const terminals = {
    configured: 2,
    served: 2,
    ready: 0,
    troubled: [
      { id: 'lobby', state: 'printer-not-ready' },
      { id: 'attic', state: 'no-login' },
    ],
  };
  const conditions = [{ code: 'printer-unreachable', severity: 'warning', scope: 'lobby', since }] as const;
  expect(reported({ terminals, conditions })).toEqual([
    ['error', 'attic', 'no-login', undefined],
    ['warning', 'lobby', 'printer-unreachable', 120_000],
  ]);
});
