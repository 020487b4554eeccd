import { expect, it } from 'vitest';
import { hours, minutes } from '../src/core/duration.ts';
import type { Converter } from '../src/domain/ports/printing.ts';
import { tellQuarantine } from '../src/agent/ground.ts';
import { createSafeMode } from '../src/agent/safe-mode.ts';
import { createConditions } from '../src/status/conditions.ts';
import { recordLog } from './support/recorded-log.ts';
import { createSteeredClock } from './support/steered-clock.ts';

const converted = { format: 'application/pdf' };
const converter = {
  convert: async () => converted,
  examine: async () => 'namespaces',
} as unknown as Converter;

function started(count: number) {
  const clock = createSteeredClock();
  const conditions = createConditions({ clock, log: recordLog().log });
  const safeMode = createSafeMode({ start: { count }, suspects: [], conditions, clock });
  safeMode.start();
  const { convert } = safeMode.guard(converter);
  const attempt = () => convert(...([] as unknown as Parameters<Converter['convert']>));
  return { clock, attempt, codes: () => conditions.list().map(({ code }) => code) };
}

it('an agent that was started four times in five minutes converts as always', async () => {
  const { attempt, codes } = started(4);
  await expect(attempt()).resolves.toBe(converted);
  expect(codes()).toEqual([]);
});

it('one that was started five times converts nothing, says so, and is as always when it has lasted (E)', async () => {
  const { attempt, clock, codes } = started(5);
  await clock.advance(minutes(14));
  await expect(attempt()).rejects.toMatchObject({ code: 'safe-mode' });
  expect(codes()).toEqual(['safe-mode']);
  await clock.advance(minutes(1));
  await expect(attempt()).resolves.toBe(converted);
  expect(codes()).toEqual([]);
});

it('a document that was being printed at two crashes is set aside for a day, one of a single crash is not (E)', async () => {
  const clock = createSteeredClock();
  const conditions = createConditions({ clock, log: recordLog().log });
  const at = clock.now();
  const suspects = [
    { documentUuid: 'report', crashes: 2, at },
    { documentUuid: 'poison', crashes: 3, at },
    { documentUuid: 'invoice', crashes: 1, at },
  ];
  const { setAside, start } = createSafeMode({ start: { count: 2 }, suspects, conditions, clock });
  expect([...setAside]).toEqual([
    ['report', 'asked-about'],
    ['poison', 'not-asked-about'],
  ]);
  expect(conditions.list()).toEqual([]);
  start();
  const [condition] = conditions.list();
  expect(condition).toMatchObject({ code: 'document-set-aside', severity: 'warning' });
  expect(condition?.detail).toContain(
    'document report was being printed at 2 crashes. This agent does not print it until 2',
  );
  await clock.advance(hours(24));
  expect([setAside.size, conditions.list()]).toEqual([0, []]);
});

it('a ledger in quarantine is told of with the reason and the place where it lies (T31)', () => {
  const conditions = createConditions({ clock: createSteeredClock(), log: recordLog().log });
  tellQuarantine({ quarantine: undefined }, conditions);
  expect(conditions.list()).toEqual([]);
  tellQuarantine({ quarantine: { path: '/state/quarantine/1', reason: 'a broken chain' } }, conditions);
  const [condition] = conditions.list();
  expect(condition).toMatchObject({ code: 'ledger-quarantined', severity: 'error', subject: 'ledger' });
  expect(condition?.detail).toContain('(a broken chain) and was moved to /state/quarantine/1');
});
