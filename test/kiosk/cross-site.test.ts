/** INVARIANTS.md T02: who may change anything, tried out in full: method, Origin, Sec-Fetch-Site, content type, cookie. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';
import { createCaller } from './caller.ts';
import { openKiosk } from './open-kiosk.ts';
import { openPage } from './open-stream.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
const origins = [
  undefined,
  'own',
  'localhost',
  'null',
  'https',
  'other port',
  'http://evil.example',
] as const;
const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none'] as const;
const types = [
  undefined,
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
] as const;
const cookies = ['none', 'forged', 'right'] as const;

const isForeign = (origin: (typeof origins)[number]): boolean =>
  !([undefined, 'own', 'localhost'] as readonly unknown[]).includes(origin);

it('of all requests only those of the own page with the cookie, in JSON, do anything (T02)', async () => {
  const stage = await openKiosk();
  const { port, clock, told } = stage;
  const cookie = await openPage(stage);
  stage.show({ generation: 2, state: 'choosing', sentence: '', waiting: 0 });
  using caller = createCaller(port);
  const body = JSON.stringify({ command: 'still-there', generation: 2 });
  const originOf = { own: `http://127.0.0.1:${port}`, localhost: `http://localhost:${port}`, null: 'null' };
  const others = { https: `https://127.0.0.1:${port}`, 'other port': `http://127.0.0.1:${port + 1}` };
  const written: Readonly<Record<string, string>> = { ...originOf, ...others };
  const cookieOf = { none: undefined, forged: cookie.slice(0, -1), right: cookie };

  const statusOf = (method: string, headers: Readonly<Record<string, string | undefined>>) =>
    caller.statusOf({ method, path: '/t/lobby/commands', headers, body });
  /** All that a request could change besides. */
  const otherState = () => JSON.stringify([stage.pages, stage.secrets.launch().reveal()]);
  const untouched = otherState();

  const wrong: unknown[] = [];
  let tried = 0;
  let done = 0;
  for (const method of methods)
    for (const origin of origins)
      for (const site of sites) {
        const isOwnPage = site === 'same-origin' || (site === undefined && origin !== undefined);
        const mayAsk = site === undefined ? !isForeign(origin) : site === 'same-origin' || site === 'none';
        const outcomes = types.flatMap((type) =>
          cookies.map(async (held) => {
            const mayDo = isOwnPage && !isForeign(origin) && held === 'right';
            const whatPost = mayDo ? (type?.startsWith('application/json') ? 204 : 415) : 403;
            const right = !mayAsk ? 403 : method === 'POST' ? whatPost : 404;
            const status = await statusOf(method, {
              'content-length': String(body.length),
              'content-type': type,
              [pageHeader]: stage.shown.name,
              'sec-fetch-site': site,
              cookie: cookieOf[held],
              origin: origin && (written[origin] ?? origin),
            });
            if (status !== right) wrong.push({ method, origin, site, type, held, status, right });
            return right;
          }),
        );
        const expected = await Promise.all(outcomes);
        tried += expected.length;
        done += expected.filter((status) => status === 204).length;
        const isAsAllowed = told.length === done && otherState() === untouched;
        if (!isAsAllowed) wrong.push({ method, origin, site, told: told.length, done });
        await clock.advance(seconds(1));
      }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(3000);
  expect(done).toBe(10);
});
