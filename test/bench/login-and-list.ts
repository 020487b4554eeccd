/**
 * What a badge costs on the way to the service and back: login, document list, and whether the person may print here, over
 * a line of 50 ms, on connections that are kept. Beside it the first two calls made by `fetch`.
 */
import { cloudAt } from '../support/cloud/cloud-under-test.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { enrol } from '../support/cloud/hand-client.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import type { LatencyLine } from './latency-line.ts';
import { openLatencyLine } from './latency-line.ts';

const roundTrip = 50;
const badges = 40;
const card = '04A1B2C3D4';

export async function measureLoginAndList(): Promise<Measurement> {
  await using cloud = await startCloud({ approval: 'at-once' });
  const { device } = await enrol(cloud);
  await using line = await openLatencyLine(cloud.baseUrl, roundTrip);
  const byHand = await badgesByHand(cloud, line, device);
  const platen = await badgesByPlaten(cloud, line, device);
  const shares = [0.5, 0.95, 1];
  const spans = (values: readonly number[]) => shares.map((share) => percentile(values, share));
  const trips = (values: readonly number[]) =>
    spans(values).map((span) => `${(span / roundTrip).toFixed(2)} round trips`);
  return {
    title: 'Login and list of documents over a line with a round trip of 50 ms',
    how: `${badges} badges, one after the other, after a first one that opened the connection. Beside it fetch().`,
    rows: [
      ['', 'p50', 'p95', 'max'],
      ['fetch, two calls', ...trips(byHand)],
      ['platen, login and list, and whether they may print here', ...trips(platen)],
      ['platen, wall time', ...spans(platen).map(inMilliseconds)],
    ],
    goals: [
      {
        what: 'p50',
        figure: percentile(platen, 0.5) / roundTrip,
        limit: 2.3,
        unit: 'round trips',
      },
    ],
  };
}

async function badgesByPlaten(cloud: SimulatedCloud, line: LatencyLine, device: string): Promise<number[]> {
  const deviceTokens = { current: async () => new Secret(device), refused: () => {}, denied: () => {} };
  await using under = cloudAt(line.url, { apiKey: new Secret(cloud.apiKey), deviceTokens });
  const { logins, documents } = under.cloud;
  const { permittedPorts } = under.cloud.directory();
  const port = cloud.state.outputPorts[0]?.id ?? 0;
  const call = { signal: new AbortController().signal };
  return await eachBadge(async () => {
    const login = await logins.login({ kind: 'card', card: new CardNumber(card) }, call);
    await Promise.all([documents.ready(login.token, call), permittedPorts.include(port, login, call)]);
  });
}

async function badgesByHand(cloud: SimulatedCloud, line: LatencyLine, device: string): Promise<number[]> {
  const headers = (token: string) => ({ 'x-api-key': cloud.apiKey, authorization: `Bearer ${token}` });
  return await eachBadge(async () => {
    const login = await fetch(`${line.url}/api/v1/login`, {
      method: 'POST',
      headers: headers(device),
      body: new URLSearchParams({ authtype: '1', userid: card }),
    });
    const { token } = (await login.json()) as { token: { access_token: string } };
    const list = await fetch(`${line.url}/api/v1/documents?status=0&maxRecords=500`, {
      headers: headers(token.access_token),
    });
    await list.json();
  });
}

async function eachBadge(badge: () => Promise<void>): Promise<number[]> {
  await badge();
  const spans: number[] = [];
  while (spans.length < badges) {
    const since = performance.now();
    await badge();
    spans.push(performance.now() - since);
  }
  return spans;
}
