/** An office file that is uploaded to the simulated cloud goes through three states before it waits as a PDF. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { api, arrive, fieldsOf, waiting } from '../support/cloud/hand-client.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { READY, PRINTED, DELETED, RECEIVED, AWAITING_CONVERSION, CONVERTING, CONVERSION_FAILED } =
  documentStatus;

/** Gives the document as the answer tells it. */
async function uploaded(cloud: SimulatedCloud, token: string, name = 'Minutes.docx', portname = 'Secure') {
  const body = new FormData();
  for (const [field, value] of Object.entries({ username: 'alice', portname, title: name })) {
    body.append(field, value);
  }
  body.append('data', new File(['words'], name));
  const answer = await fetch(`${cloud.baseUrl}/api/v1/documents`, {
    method: 'PUT',
    headers: { 'x-api-key': cloud.apiKey, authorization: `Bearer ${token}` },
    body,
  });
  return await fieldsOf(answer);
}

const statusOf = (cloud: SimulatedCloud, { uuid }: Record<string, unknown>) =>
  cloud.state.documents.find(({ info }) => info.uuid === uuid)?.info.status;

async function steered(options: CloudOptions = {}) {
  const clock = createSteeredClock();
  const cloud = await startCloud({ clock, conversionTime: seconds(10), ...options });
  const { user } = await arrive(cloud);
  return { cloud, clock, user };
}

describe('an office file', () => {
  it('is received, awaits its conversion, is converted, and waits as a PDF', async () => {
    const { cloud: opened, clock, user } = await steered();
    await using cloud = opened;
    const info = await uploaded(cloud, user);
    expect(info).toMatchObject({ documentName: 'Minutes.docx', status: RECEIVED });
    const path = `/documents/${String(info['uuid'])}.content?retain=true`;
    expect((await api(cloud, path, { token: user })).status).toBe(404);
    const seen = [];
    for (let step = 0; step < 3; step += 1) {
      await clock.advance(seconds(10));
      seen.push(statusOf(cloud, info));
    }
    expect(seen).toEqual([AWAITING_CONVERSION, CONVERTING, READY]);
    expect(await (await api(cloud, path, { token: user })).text()).toMatch(/^%PDF/);
    expect(cloud.deviations).toEqual([]);
  });

  it('passes all states at once where the clock is moved far ahead, or no time is set', async () => {
    const { cloud: opened, user } = await steered();
    await using cloud = opened;
    const info = await uploaded(cloud, user);
    cloud.advanceClock(minutes(1));
    await cloud.waitFor(() => statusOf(cloud, info) === READY);
    await using prompt = await startCloud({ conversionTime: milliseconds(0) });
    expect(await uploaded(prompt, (await arrive(prompt)).user)).toMatchObject({ status: READY });
  });

  it('in a push queue is printed after its conversion', async () => {
    const { cloud: opened, clock, user } = await steered();
    await using cloud = opened;
    const info = await uploaded(cloud, user, 'Plan.odt', 'Lobby direct');
    expect(info).toMatchObject({ status: RECEIVED });
    await clock.advance(seconds(31));
    expect(statusOf(cloud, info)).toBe(PRINTED);
  });

  it('fails where its conversion takes more than five minutes', async () => {
    const { cloud: opened, clock, user } = await steered({ conversionTime: seconds(301) });
    await using cloud = opened;
    const info = await uploaded(cloud, user);
    await clock.advance(seconds(600));
    expect(statusOf(cloud, info)).toBe(CONVERTING);
    await clock.advance(seconds(300));
    expect(statusOf(cloud, info)).toBe(CONVERSION_FAILED);
  });

  it('that is deleted meanwhile stays deleted', async () => {
    const { cloud: opened, clock, user } = await steered();
    await using cloud = opened;
    const info = await uploaded(cloud, user);
    await api(cloud, `/documents/${String(info['uuid'])}`, { method: 'DELETE', token: user });
    await clock.advance(seconds(40));
    expect(statusOf(cloud, info)).toBe(DELETED);
  });

  it('goes on after a restart with a state that was kept', async () => {
    using folder = temporaryDirectory();
    const stateFile = join(folder.path, 'state.json');
    const first = await steered({ stateFile });
    const info = await uploaded(first.cloud, first.user);
    await first.cloud[Symbol.asyncDispose]();
    const clock = createSteeredClock();
    await using again = await startCloud({ clock, conversionTime: seconds(10), stateFile });
    expect(statusOf(again, info)).toBe(RECEIVED);
    await clock.advance(seconds(31));
    expect(statusOf(again, info)).toBe(READY);
  });

  it('that is a PDF needs no conversion', async () => {
    const { cloud: opened, user } = await steered();
    await using cloud = opened;
    expect(await uploaded(cloud, user, 'Plan.pdf')).toMatchObject({ status: READY });
    expect(await waiting(cloud, user)).toHaveLength(3);
  });
});
