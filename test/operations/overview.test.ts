/** What the administrators' page is told: all gateways, one release, and nothing of a person (F17). */
import { gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { troublesOf } from '../../src/domain/gateway-troubles.ts';
import type { Gateways } from '../../src/domain/ports/gateways.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Deeds } from '../../src/operations/ui/deeds.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import { createOverview } from '../../src/operations/ui/overview.ts';
import { createOwnGateway } from '../../src/status/digest.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleDigest, sampleFleet } from '../support/operations/sample-digests.ts';
import { sampleOverview, samplePages } from '../support/operations/sample-pages.ts';
import { sampleRelease } from './sample-release.ts';

async function start(gateways: Gateways, { token, deeds }: { token?: Secret; deeds?: Partial<Deeds> } = {}) {
  const recorded = recordLog();
  const overview = createOverview({
    gateways,
    alone: createOwnGateway(() => sampleDigest(0)),
    releases: {
      find: (prefix) => (sampleRelease.row.releaseId.startsWith(prefix) ? sampleRelease : undefined),
    },
    // As long as an engine that hangs is waited for.
    clock: { deadline: () => systemClock.deadline(milliseconds(50)) },
    deeds: { ...sampleOverview().deeds, ...deeds },
    outage: (reference) => (reference === outage.reference ? outage : undefined),
  });
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages({ overview }),
    token,
    log: recorded.log,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  const origin = `http://127.0.0.1:${operations.address.port}`;
  return { recorded, origin, ask: (path: string) => fetch(origin + path) };
}

const outage = {
  reference: '7K3M9P',
  terminal: 'lobby',
  reason: 'cloud-unreachable',
  since: '2026-11-28T08:00:00.000Z',
  over: '2026-11-28T08:10:00.000Z',
};

const noOtherHolder = { holderOf: async () => undefined };
const seeing = (count: number): Gateways => ({ ...noOtherHolder, seen: async () => sampleFleet(count) });

/** `fetch` would undo what was packed. */
async function sent(address: string, encodings: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ packed: string | undefined; body: Buffer }>();
  get(address, { headers: { 'accept-encoding': encodings } }, (response) => {
    const packed = response.headers['content-encoding'];
    buffer(response).then((body) => resolve({ packed, body }), reject);
  }).on('error', reject);
  return await promise;
}

describe('/fleet', () => {
  it('has every gateway that can be seen, and what is wrong with each', async () => {
    const { ask } = await start(seeing(3));
    expect(await (await ask('/fleet')).json()).toEqual({
      gateways: sampleFleet(3).map((seen) => ({ ...seen, troubles: troublesOf(seen) })),
      problem: null,
      mayTell: false,
    });
  });

  it('has this gateway, and says why no other, while the engine is away', async () => {
    const { ask } = await start({
      ...noOtherHolder,
      seen: () => Promise.reject(new Problem('fleet-engine-away', 'db.example did not answer')),
    });
    expect(await (await ask('/fleet')).json()).toMatchObject({
      gateways: [{ digest: { name: 'gw-0000' }, isSelf: true }],
      problem: {
        code: 'fleet-engine-away',
        detail: 'db.example did not answer',
        advice: expect.stringContaining('Check that the engine runs'),
      },
    });
  });

  it('waits no longer than its patience for an engine that hangs', async () => {
    const { ask } = await start({
      ...noOtherHolder,
      seen: (abort) =>
        new Promise((_, reject) => abort.addEventListener('abort', () => reject(abort.reason as Error))),
    });
    expect(await (await ask('/fleet')).json()).toMatchObject({
      gateways: [{ isSelf: true }],
      problem: { code: 'fleet-engine-away', detail: 'no answer in time' },
    });
  });

  it('takes no fault of ours for an engine that is away', async () => {
    const { ask, recorded } = await start({
      ...noOtherHolder,
      seen: () => Promise.reject(new TypeError('of ours')),
    });
    expect((await ask('/fleet')).status).toBe(500);
    expect(recorded.records('operations request failed')).toMatchObject([{ url: '/fleet' }]);
  });

  it('asks the engine once for all who ask at the same time, and anew for who asks later', async () => {
    let looks = 0;
    const released = Promise.withResolvers<void>();
    const { ask } = await start({
      ...noOtherHolder,
      async seen() {
        looks += 1;
        await released.promise;
        return sampleFleet(1);
      },
    });
    const first = [ask('/fleet'), ask('/fleet')];
    await expect.poll(() => looks).toBe(1);
    released.resolve();
    await Promise.all(first);
    await ask('/fleet');
    expect(looks).toBeLessThanOrEqual(3);
    expect(looks).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
  ])('is packed for who takes %s as %s', async (encodings, expected) => {
    const { origin } = await start(seeing(100));
    const { packed, body } = await sent(`${origin}/fleet`, encodings);
    expect(packed).toBe(expected);
    const text = (packed === undefined ? body : gunzipSync(body)).toString();
    expect(JSON.parse(text)).toMatchObject({ gateways: { length: 100 } });
  });

  it('takes less than 100 KB for a thousand gateways, packed', async () => {
    const { origin } = await start(seeing(1000));
    const { body } = await sent(`${origin}/fleet`, 'gzip');
    expect(body.length).toBeLessThan(100 * 1024);
  });
});

describe('/releases/CODE', () => {
  it.each(['7f3a9c21', sampleRelease.row.releaseId])('tells of %s how it went', async (code) => {
    const { ask } = await start(seeing(1));
    expect(await (await ask(`/releases/${code}`)).json()).toMatchObject({
      code: '7f3a9c21',
      terminal: 'floor-0',
      outcome: 'completed',
      confirmation: 'device',
      printer: 'ipps://floor-0.printers.example/ipp/print',
      tookMs: 4210,
      history: 'accepted',
      stages: sampleRelease.trace?.steps,
    });
  });

  it('tells nothing of whose it was, or of what (I3)', async () => {
    const { ask } = await start(seeing(1));
    const reported = await (await ask('/releases/7f3a9c21')).text();
    for (const secret of ['4711', '815', 'cafecafe', sampleRelease.row.documentUuid, 'userId', 'jobUri']) {
      expect(reported).not.toContain(secret);
    }
  });

  it.each(['7f3a9c2', '7', '00000000', '7F3A9C21', '%2e%2e', 'K7QX2M'])(
    'answers 404 to %s, which is no whole code or nobody has',
    async (code) => {
      const { ask } = await start(seeing(1));
      expect((await ask(`/releases/${code}`)).status).toBe(404);
    },
  );
});

describe('/ui/', () => {
  it('is a page whose files are named by what is in them, and may be kept', async () => {
    const { ask } = await start(seeing(1));
    const page = await ask('/ui/');
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-store');
    const files = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.map((path) => path.replace(/-[\w-]+\./, '-HASH.')).sort()).toEqual([
      '/ui/ui-HASH.css',
      '/ui/ui-HASH.js',
    ]);
    for (const path of files) {
      const file = await ask(path);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    }
    expect((await ask('/ui')).url).toMatch(/\/ui\/$/);
  });

  it('runs no code but its own, and asks nobody but its gateway (T06)', async () => {
    const { ask } = await start(seeing(1));
    const page = await ask('/ui/');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|data:/);
    expect(await page.text()).not.toMatch(/<script(?! type="module" src="\/ui\/)|style=|https?:/);
  });

  it.each(['/ui/x', '/ui/ui.js'])('has no file %s', async (path) => {
    const { origin } = await start(seeing(1));
    const { body } = await sent(origin + path, 'identity');
    expect(body.length).toBe(0);
  });
});

describe('a word of an administrator', () => {
  const releaseId = '7f3a9c21'.padEnd(32, '0');
  const unsettled = [
    {
      ...sampleRelease.row,
      releaseId,
      state: 'UNKNOWN' as const,
      endedAt: '2026-11-28T09:31:00.000Z',
      place: 'Entrance',
      printerUri: 'ipp://printer/ipp/print',
      documentPages: 3,
      hasRecord: true,
    },
  ];
  const token = new Secret('t'.repeat(32));

  async function desk() {
    const reported: unknown[] = [];
    const { ask, origin } = await start(seeing(1), {
      token,
      deeds: {
        unsettled: () => unsettled,
        async settle(...deed) {
          reported.push(deed);
          return { settled: deed[0], left: [] };
        },
        acknowledge(...deed) {
          reported.push(deed);
          return deed[0].scope === 'lobby';
        },
      },
    });
    const headers = { authorization: `Bearer ${token.reveal()}`, 'content-type': 'application/json' };
    const post = (path: string, body: unknown, changed = {}) =>
      fetch(origin + path, {
        method: 'POST',
        headers: { ...headers, ...changed },
        body: JSON.stringify(body),
      });
    const read = (path: string) => fetch(origin + path, { headers });
    return { reported, ask, post, read };
  }

  it('has a list of what waits for it: where, when, how many pages, which code; no person and no document', async () => {
    const { read } = await desk();
    const { documentUuid } = sampleRelease.row;
    const text = await (await read('/unsettled')).text();
    expect(JSON.parse(text)).toMatchObject({
      releases: [
        { releaseId, code: '7f3a9c21', place: 'Entrance', printer: 'ipp://printer/ipp/print', pages: 3 },
      ],
    });
    expect(text).not.toContain(documentUuid);
  });

  it('settles releases, and says by whom', async () => {
    const { post, reported } = await desk();
    const answer = await post('/unsettled', {
      releaseIds: [releaseId],
      word: 'came-out',
      name: ' Anna\u0007 ',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { settled: [releaseId], left: [] }]);
    expect(reported).toEqual([[[releaseId], 'came-out', { name: expect.stringMatching(/^Anna\P{Cc}*$/u) }]]);
  });

  it('takes a condition on, with a note; of one that is over it says so', async () => {
    const { post, reported } = await desk();
    const which = { code: 'printer-unreachable', scope: 'lobby', subject: 'printer' };
    const wish = { ...which, note: 'The technician comes at three', name: 'Anna' };
    expect((await post('/conditions/acknowledge', wish)).status).toBe(200);
    expect(reported).toEqual([
      [expect.objectContaining(which), 'The technician comes at three', { name: 'Anna' }],
    ]);
    expect((await post('/conditions/acknowledge', { ...wish, scope: 'hall' })).status).toBe(409);
  });

  it.each([
    ['no name', '/unsettled', { releaseIds: [releaseId], word: 'came-out' }],
    ['an empty name', '/unsettled', { releaseIds: [releaseId], word: 'came-out', name: ' ' }],
    ['no release', '/unsettled', { releaseIds: [], word: 'came-out', name: 'Anna' }],
    ['a part of an id', '/unsettled', { releaseIds: ['7f3a9c21'], word: 'came-out', name: 'Anna' }],
    ['another word', '/unsettled', { releaseIds: [releaseId], word: 'maybe', name: 'Anna' }],
    ['a list', '/unsettled', [releaseId]],
    [
      'no such code',
      '/conditions/acknowledge',
      { code: 'x', scope: 'a', subject: 'b', note: '', name: 'Anna' },
    ],
    [
      'a book',
      '/conditions/acknowledge',
      { code: 'disk-filling', scope: 'a', subject: 'b', note: 'x'.repeat(201), name: 'Anna' },
    ],
  ])('with %s is refused by a sentence, and does nothing', async (_, path, body) => {
    const { post, reported } = await desk();
    const answer = await post(path, body);
    expect([answer.status, await answer.json()]).toEqual([400, { detail: expect.any(String) }]);
    expect(reported).toEqual([]);
  });

  it('of who does not bring the token is not heard, nor is one from another site (T02)', async () => {
    const { post, reported } = await desk();
    const wish = { releaseIds: [releaseId], word: 'came-out', name: 'Anna' };
    expect((await post('/unsettled', wish, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post('/unsettled', wish, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post('/unsettled', wish, { 'content-type': 'text/plain' })).status).toBe(404);
    expect(reported).toEqual([]);
  });

  it('is taken by no gateway whose listener has neither token nor certificates: anybody could give it', async () => {
    const { origin } = await start(seeing(1));
    const answer = await fetch(`${origin}/unsettled`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ releaseIds: [releaseId], word: 'came-out', name: 'Anna' }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: expect.stringContaining('operations.token') },
    ]);
  });
});

describe('/codes/CODE', () => {
  const member = '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f';
  const fleet: Gateways = {
    async seen() {
      const [own, other] = sampleFleet(2);
      if (!own || !other) throw new Error('a fleet of two');
      const outages = [
        { reference: '4F2Q8Z', terminal: 'attic', since: '2026-11-28T07:00:00.000Z', over: null },
      ];
      return [own, { ...other, digest: { ...other.digest, member, outages } }];
    },
    holderOf: async (prefix) => (prefix === 'ffffffff' ? member : undefined),
  };

  it.each([
    ['a release', sampleRelease.row.releaseId.slice(0, 8), { is: 'release' }],
    [
      'a release, as somebody copies it',
      `[${sampleRelease.row.releaseId.slice(0, 8).toUpperCase()}]`,
      { is: 'release' },
    ],
    [
      'an outage that is over',
      '7k3m9p',
      {
        is: 'outage',
        outage: { terminal: 'lobby', reason: 'cloud-unreachable', over: '2026-11-28T08:10:00.000Z' },
      },
    ],
    ['an outage with letters that look like digits', '7K3-M9P', { is: 'outage' }],
    ['a release of another member', 'ffffffff', { is: 'elsewhere', member }],
    ['an outage of another member', '4F2Q8Z', { is: 'elsewhere', member, outage: { terminal: 'attic' } }],
  ])('finds %s', async (_, code, found) => {
    const { ask } = await start(fleet);
    expect(await (await ask(`/codes/${encodeURIComponent(code)}`)).json()).toMatchObject(found);
  });

  it.each(['eeeeeeee', 'ABCDEF', 'x', '%20', 'f'.repeat(101), "' OR 1=1"])('knows of no %s', async (code) => {
    const { ask } = await start(fleet);
    expect((await ask(`/codes/${encodeURIComponent(code)}`)).status).toBe(404);
  });

  it('has what is its own while the engine is away', async () => {
    const { ask } = await start({
      seen: () => Promise.reject(new Problem('fleet-engine-away', 'away')),
      holderOf: () => Promise.reject(new Problem('fleet-engine-away', 'away')),
    });
    expect((await ask('/codes/7K3M9P')).status).toBe(200);
    expect((await ask('/codes/ffffffff')).status).toBe(404);
  });
});
