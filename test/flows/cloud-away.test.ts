/**
 * The service goes away at each moment of a terminal's life, stays away for half an hour, and comes back: what the
 * person is told meanwhile, what is kept, and that everything goes on by itself within a minute (INVARIANTS.md I7,
 * B.2 to B.4).
 */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { Outage, Visit } from './outage.ts';
import { prepareOutage, visit, visitReady } from './outage.ts';

const greeting = 'Hold your card to the reader.';
const away = 'The print service cannot be reached. We keep trying.';
const onlyWhatArrived =
  'The print service cannot be reached. Only documents that are already here are printed.';
const busy = 'The print service is busy. Please try again in a moment.';
const unsigned = 'This terminal is not signed in. Please use another one.';

const halfAnHour = minutes(30);
const content = /\.content$/;
const report = /\/terminalinfo$/;

const callsTo = ({ cloud }: Outage, path: string) => cloud.calls.filter((call) => call.path === path).length;

function expectUntouched({ cloud, document, printer }: Outage): void {
  expect([printer.jobs, cloud.state.history, document.info.status]).toEqual([[], [], documentStatus.READY]);
}

/** Somebody holds the badge there at once: seconds from the return of the service to the page. */
async function nextBadge(outage: Outage, { agent, badge }: Visit): Promise<number> {
  await badge();
  return outage.healed(agent.told('release ended', ({ outcome }) => outcome === 'completed'));
}

/** It came out once, was recorded once and is gone, and the service was treated as the spec says. */
async function expectPrintedOnce(outage: Outage): Promise<void> {
  const { clock, cloud, document, printer } = outage;
  const isSettled = () => cloud.state.history.length > 0 && document.info.status === documentStatus.DELETED;
  await clock.hurry(cloud.waitFor(isSettled));
  await outage.pass(seconds(10));
  expect(printer.outputs.map(({ complete }) => complete)).toEqual([true]);
  expect(cloud.state.history.map(({ title }) => title)).toEqual([document.info.documentName]);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  outage.expectCalm();
}

describe('the service is away for half an hour, and all is well within a minute of its return (I7)', () => {
  it('before the first registration: the device registers once, by itself (B.2)', async () => {
    await using outage = await prepareOutage({ absence: 'answers 503' });
    await outage.begin();
    await using visited = await visit(outage);
    await visited.expectShown(unsigned);
    await outage.pass(halfAnHour);
    await outage.end();
    expect(await outage.healed(visited.agent.told('terminal ready'))).toBeLessThan(60);
    expect(outage.cloud.state.endpoints).toHaveLength(1);
    await nextBadge(outage, visited);
    await expectPrintedOnce(outage);
  });

  it('while the device waits for approval: the poll goes on, with the code it has (B.2)', async () => {
    await using outage = await prepareOutage({ cloud: { approval: 'by-hand' } });
    await using visited = await visit(outage);
    await visited.agent.told('device registered');
    await visited.agent.told('service version');
    await outage.begin();
    await visited.expectShown(unsigned);
    await outage.pass(halfAnHour);
    await outage.end();
    outage.cloud.approve();
    expect(await outage.healed(visited.agent.told('terminal ready'))).toBeLessThan(60);
    expect(callsTo(outage, '/oauth/v1/register')).toBe(1);
    await nextBadge(outage, visited);
    await expectPrintedOnce(outage);
  });

  it('when the device token is to be refreshed, until it is dead: the next badge finds a new one (I6, B.2)', async () => {
    await using outage = await prepareOutage({ cloud: { deviceTokenLife: minutes(10) } });
    await using visited = await visitReady(outage);
    await outage.pass(minutes(4));
    await outage.begin();
    await visited.badge();
    await visited.expectShown(away);
    await outage.pass(halfAnHour);
    expectUntouched(outage);
    await outage.end();
    expect(await nextBadge(outage, visited)).toBeLessThan(60);
    expect(callsTo(outage, '/oauth/v1/register')).toBe(1);
    await expectPrintedOnce(outage);
  });

  it('at a badge, and asks for patience: the person is told, and nobody knocks before the time (B.3)', async () => {
    await using outage = await prepareOutage({ absence: 'answers 503 with Retry-After 30' });
    await using visited = await visitReady(outage);
    await outage.begin();
    await visited.badge();
    await visited.expectShown(busy);
    await outage.pass(halfAnHour);
    expect(visited.screen.views.at(-1)?.sentence).toBe(away);
    expectUntouched(outage);
    expect(shortestPause(outage)).toBeGreaterThanOrEqual(seconds(30));
    await outage.end();
    expect(await nextBadge(outage, visited)).toBeLessThan(60);
    await expectPrintedOnce(outage);
  });

  it('at a badge, and nobody comes again: the screen stops telling of it by itself (B.4, 2)', async () => {
    await using outage = await prepareOutage();
    await using visited = await visitReady(outage);
    await outage.begin();
    await visited.badge();
    await visited.expectShown(away);
    await outage.pass(halfAnHour);
    expect(visited.screen.views.at(-1)?.sentence).toBe(away);
    await outage.end();
    expect(await outage.healed(visited.screen.reads(greeting))).toBeLessThan(60);
    await outage.pass(seconds(10));
    outage.expectCalm();
  });

  it('while nobody badges: no terminal is ready until it is back, and /readyz says why', async () => {
    await using outage = await prepareOutage();
    await using visited = await visitReady(outage);
    const { operations } = visited.agent;
    const readiness = async () => {
      const answer = await fetch(`${operations}/readyz`);
      return [answer.status, await answer.json()];
    };
    expect(await readiness()).toMatchObject([200, { ready: true, reasons: {} }]);
    await outage.begin();
    await outage.pass(minutes(2));
    expect(await readiness()).toMatchObject([503, { ready: false, reasons: { lobby: 'service-away' } }]);
    expect(await (await fetch(`${operations}/metrics`)).text()).toContain(
      'platen_terminal_ready{terminal="lobby"} 0',
    );
    await outage.end();
    expect(
      await outage.healed(visited.agent.told('condition cleared', ({ subject }) => subject === 'cloud')),
    ).toBeLessThan(60);
    expect(await readiness()).toMatchObject([200, { ready: true, reasons: {} }]);
  });

  it('between login and list: the session ends, the document waits (B.4, 3)', async () => {
    await using outage = await prepareOutage();
    await using visited = await visitReady(outage);
    outage.cloud.answerNext({ method: 'GET', path: '/documents' }, { kind: 'never' });
    await visited.badge();
    await outage.cloud.waitFor(() => callsTo(outage, '/api/v1/documents') === 1);
    await outage.begin();
    await visited.expectShown(away);
    expect(await visited.agent.told('session closed')).toMatchObject({ reason: 'error' });
    await outage.pass(halfAnHour);
    expectUntouched(outage);
    await outage.end();
    expect(await nextBadge(outage, visited)).toBeLessThan(60);
    await expectPrintedOnce(outage);
  });

  it('in the middle of a download: nothing comes out, the document waits (I1, B.4, 5)', async () => {
    await using outage = await prepareOutage();
    await using visited = await visitReady(outage);
    outage.cloud.answerNext({ path: content }, { kind: 'slow-body', everyByte: seconds(60) });
    await visited.badge();
    await outage.cloud.waitFor(() => outage.cloud.calls.some(({ path }) => content.test(path)));
    await outage.begin();
    await visited.expectShown(onlyWhatArrived);
    await visited.expectShown(away, { within: seconds(6) });
    expect(await visited.agent.told('release ended')).toMatchObject({ outcome: 'failed' });
    await outage.pass(halfAnHour);
    expect(visited.screen.views.at(-1)?.sentence).toBe(away);
    expectUntouched(outage);
    await outage.end();
    expect(await nextBadge(outage, visited)).toBeLessThan(60);
    await expectPrintedOnce(outage);
  });

  it.each(['refuses connections', 'answers 503'] as const)(
    'after the print, before its history, and %s: the record waits and arrives once (I1, I2, D6)',
    async (absence) => {
      await using outage = await prepareOutage({ absence });
      await using visited = await visitReady(outage);
      await printWithout(outage, visited);
      await visited.expectShown(away);
      await outage.pass(halfAnHour);
      expect(await outboxOf(visited)).toMatchObject({ waiting: 1, deadLetters: 0 });
      await outage.end();
      expect(await outage.healed(visited.agent.told('history accepted'))).toBeLessThan(60);
      await expectPrintedOnce(outage);
    },
  );

  it('after the print, before its history, and the agent restarts: the record outlives it (I1, I2, D8)', async () => {
    await using outage = await prepareOutage();
    {
      await using before = await visitReady(outage);
      await printWithout(outage, before);
      await outage.pass(minutes(10));
    }
    await using after = await visitReady(outage);
    expect(await outboxOf(after)).toMatchObject({ waiting: 1, deadLetters: 0 });
    await outage.pass(minutes(20));
    await outage.end();
    expect(await outage.healed(after.agent.told('history accepted'))).toBeLessThan(60);
    // The deletion needs its owner's token, which no restart outlives.
    await after.badge();
    expect(await outage.clock.hurry(after.agent.told('session closed'))).toMatchObject({
      reason: 'released',
    });
    await expectPrintedOnce(outage);
  });

  it('while the status is reported: the screen tells, and the report is made up for (B.4, 11)', async () => {
    await using outage = await prepareOutage();
    outage.cloud.answerNext({ path: report }, { kind: 'never' });
    await using visited = await visitReady(outage);
    await outage.cloud.waitFor(() => outage.cloud.calls.some(({ path }) => report.test(path)));
    await outage.begin();
    await visited.expectShown(away);
    await outage.pass(halfAnHour);
    await outage.end();
    expect(await outage.healed(visited.agent.told('status reported'))).toBeLessThan(60);
    outage.expectCalm();
  });
});

/** Between two calls for the same that were answered 503. */
function shortestPause({ cloud }: Outage): number {
  const refused = cloud.calls.filter(({ fault }) => fault === 'status');
  const byPath = Map.groupBy(refused, ({ path }) => path).values();
  return Math.min(
    ...[...byPath].flatMap((calls) => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))),
  );
}

/** The page comes out when the service has just gone. */
async function printWithout(outage: Outage, { agent, badge }: Visit): Promise<void> {
  const { printer } = outage;
  await printer.behave({ kind: 'hold' });
  await badge();
  await outage.clock.hurry(printer.waitFor(() => printer.jobs[0]?.transfer === 'over'));
  await outage.begin();
  await printer.clear();
  expect(await outage.clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
}

async function outboxOf({ agent }: Visit): Promise<unknown> {
  const response = await fetch(`${agent.operations}/status`);
  const { outbox } = (await response.json()) as { outbox: unknown };
  return outbox;
}
