/** What the kiosk page weighs: as the agent sends it, and compressed. Beside it preact alone. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readStaticFiles } from '../../src/kiosk/server/kiosk-page.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';

interface Sent {
  readonly path: string;
  readonly body: Buffer;
  readonly encoding: string;
}

export async function measureKioskWeight(): Promise<Measurement> {
  await using stage = await setStage();
  const { kiosk } = await stage.start();
  const paths = ['/t/lobby', ...(await readStaticFiles()).keys()];
  const files = await Promise.all(paths.map((path) => fetched(kiosk, path)));
  const preact = await readFile(createRequire(import.meta.url).resolve('preact'));
  const row = (what: string, bodies: readonly Buffer[], encoding: string) => [
    what,
    ...[total(bodies), total(bodies, gzip), total(bodies, brotliCompressSync)].map(inKilobytes),
    encoding,
  ];
  const isLanguage = ({ path }: Sent): boolean => /^\/[a-z]{2}-/.test(path);
  const core = files.filter((one) => !isLanguage(one)).map(({ body }) => body);
  const [heaviest] = files
    .filter(isLanguage)
    .map(({ body }) => body)
    .toSorted((one, other) => gzip(other).length - gzip(one).length);
  const bodies = heaviest ? [...core, heaviest] : core;
  return {
    title: 'Weight of the kiosk page',
    how: 'All that a browser may ask for; a language comes when it is chosen. It would take gzip and br. 1 KB is 1,024 bytes.',
    rows: [
      ['', 'as sent', 'gzip -9', 'brotli 11', 'content-encoding'],
      row('preact', [preact], ''),
      ...files.map(({ path, body, encoding }) => row(path, [body], encoding)),
      row('in English', core, ''),
      row('in the heaviest language', bodies, ''),
    ],
    goals: [
      {
        what: 'compressed (gzip), in the heaviest language',
        figure: total(bodies, gzip) / 1024,
        limit: 47,
        unit: 'KB',
      },
    ],
  };
}

/** `fetch` would undo what the server did to save room. */
async function fetched(origin: string, path: string): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const headers = { 'accept-encoding': 'gzip, br' };
  get(origin + path, { headers }, (response) => {
    const encoding = response.headers['content-encoding'] ?? 'none';
    buffer(response).then((body) => resolve({ path, body, encoding }), reject);
  }).on('error', reject);
  return await promise;
}

const gzip = (body: Buffer): Buffer => gzipSync(body, { level: 9 });

const total = (bodies: readonly Buffer[], packed = (body: Buffer): Buffer => body): number =>
  bodies.reduce((sum, body) => sum + packed(body).length, 0);

const inKilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
