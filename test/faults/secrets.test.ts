/**
 * Canaries: what must not be read anywhere is looked for everywhere after releases that went well and releases that
 * went wrong (I4, I5, T19, T20; contract, sections 3 and 4).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { aliceCard } from '../support/agent/stage.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { filesBelow } from '../support/temporary-directory.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { expectPrintedOnce, setRunningStage } from '../support/agent/running-stage.ts';
import { eventually } from '../support/patience.ts';

/** Stands on every page of the sample documents, which are not compressed. */
const documentMarker = 'If you hold this page, Platen works.';
/** A title and a name may stand in the state directory until the history record is accepted (D8). */
const personal = ['Quarterly report', 'alice', 'Alice Archer'];

/** Everything secret that there has been so far, by what it is. */
function secretsOf({ cloud }: RunningStage): ReadonlyMap<string, string> {
  const { accessTokens, refreshTokens } = cloud.state;
  const codes = cloud.calls.flatMap(({ body }) => new URLSearchParams(body).getAll('device_code'));
  return new Map([
    [cloud.apiKey, 'API key'],
    [aliceCard, 'card number'],
    [documentMarker, 'document'],
    ...accessTokens.map(({ value, kind }) => [value, `${kind} access token`] as const),
    ...refreshTokens.map(({ value, kind }) => [value, `${kind} refresh token`] as const),
    ...codes.map((code) => [code, 'device code'] as const),
  ]);
}

const found = (text: string, canaries: Iterable<readonly [string, string]>): readonly string[] =>
  [...canaries].filter(([canary]) => text.includes(canary)).map(([, what]) => what);

const named = (canaries: readonly string[]) => canaries.map((canary) => [canary, canary] as const);

const stateOf = ({ folder }: RunningStage): string =>
  filesBelow(join(folder, 'state'))
    .map(({ name, bytes }) => `${name}\n${bytes.toString('latin1')}`)
    .join('\n');

function expectSilentLog(stage: RunningStage) {
  const { records } = stage.agent;
  // At debug too: whoever lowers the level learns nothing more of persons.
  expect(found(JSON.stringify(records), [...secretsOf(stage), ...named(personal)])).toEqual([]);
}

const refusedOnce = [
  [{ method: 'POST', path: '/api/v1/login' }, 'malformed JSON'],
  [{ method: 'GET', path: '/api/v1/documents' }, 'a body cut short'],
  [{ method: 'POST', path: '/documents/history' }, 'trailing bytes'],
  [{ method: 'DELETE', path: /./ }, 'status 500'],
] as const;

describe('no secret, and nothing of a person, is left behind', () => {
  it('in log, state directory, printer traffic or web pages, after a release that went well (I5)', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, printer } = stage;
    await stage.release();
    await expectPrintedOnce(stage);
    await agent.told('status reported');
    expectSilentLog(stage);
    // Deleted rows leave the write-ahead log as soon as the outbox has been idle for a moment.
    await clock.hurry(
      eventually(() => expect(found(stateOf(stage), [...secretsOf(stage), ...named(personal)])).toEqual([])),
    );
    expect(
      found(inspect(printer.requests, { depth: null, maxStringLength: null }), secretsOf(stage)),
    ).toEqual([]);
    const pages = ['/metrics', '/healthz', '/readyz', '/status'].map((path) => `${agent.operations}${path}`);
    for (const page of [...pages, `${agent.kiosk}/t/lobby`]) {
      const text = await (await fetch(page)).text();
      expect(found(text, [...secretsOf(stage), ...named(personal)])).toEqual([]);
    }
  });

  it('in log and state directory, after answers that could not be read and a token that was lost (I5, T20)', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, cloud } = stage;
    for (const [match, fault] of refusedOnce) cloud.answerNext(match, standardFaults[fault]);
    await stage.release();
    await expectPrintedOnce(stage);
    clock.forward(minutes(40));
    await agent.told('device token refreshed');
    // Looked at here too: the cloud forgets the tokens of a family that it revokes.
    expectSilentLog(stage);
    cloud.answerNext({ path: '/oauth/v1/token' }, standardFaults['malformed JSON']);
    clock.forward(minutes(40));
    await clock.hurry(agent.told('device registered', (record) => record['registration'] === 'repeated'));
    expectSilentLog(stage);
    await eventually(() =>
      expect(found(stateOf(stage), [...secretsOf(stage), ...named(personal)])).toEqual([]),
    );
  });

  it('in the spool while the printer has fallen behind: the file has no name, and holds no plain byte (I4, D7)', async () => {
    // The printer is waited for until all of it has come.
    await using stage = await setRunningStage({ documentBytes: 40_000_000, stallSeconds: 600 });
    const { badge, printer } = stage;
    await printer.behave({ kind: 'stop-reading', afterBytes: 100_000 });
    await badge();
    await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
    expect(found(stateOf(stage), secretsOf(stage))).toEqual([]);

    const spooled = () =>
      readdirSync('/proc/self/fd')
        .filter((descriptor) => isSpooled(stage, descriptor))
        .map((descriptor) => readFileSync(`/proc/self/fd/${descriptor}`));
    // What memory has no room for, while it comes in.
    await expect.poll(() => spooled().map(({ length }) => length > 20_000_000)).toEqual([true]);
    for (const bytes of spooled()) expect(found(bytes.toString('latin1'), secretsOf(stage))).toEqual([]);
  });
});

function isSpooled({ folder }: RunningStage, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(join(folder, 'state', 'spool'));
  } catch {
    // It was closed meanwhile.
    return false;
  }
}
