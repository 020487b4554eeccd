/** Who is let in: INVARIANTS.md T01 (Host) and T02 (other origins), over real sockets. */
import { describe, expect, it } from 'vitest';
import { bodyOf, exchange, statusOf } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';

const request = (target: string, ...headers: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

const otherNames = [
  'evil.example 127.0.0.1.nip.io localhost.evil.example evil.example#localhost localtest.me 192.168.1.5',
  '127.0.0.2 127.1 0.0.0.0 0 2130706433 0x7f000001 0177.0.0.1 127.0.0.1. 127.0.0.01 127.0.0.1/ [127.0.0.1]',
  '[::1] [::ffff:127.0.0.1] [0:0:0:0:0:0:0:1] ::1 [::] user@localhost user:pw@127.0.0.1 127.0.0.1,localhost',
  'localhost. LOCALHOST Localhost localhost.localdomain %6cocalhost http://127.0.0.1 localhost/',
].flatMap((line) => line.split(' '));
const ownNames = ['127.0.0.1', 'localhost'];

const spellings = (port: number) => (name: string) =>
  ['', ':', ':80', ` :${port}`, `:0${port}`, `:${port}.`, `:${port}/`, `:${port}@evil`, `:${port}`].map(
    (suffix) => name + suffix,
  );

describe('the Host of a request (T01)', () => {
  it('is refused with an empty answer in 200 and more spellings', async () => {
    const { port } = await openKiosk();
    const own = new Set(ownNames.map((name) => `${name}:${port}`));
    const foreign = [...otherNames, ...ownNames].flatMap(spellings(port)).filter((host) => !own.has(host));
    expect(foreign.length).toBeGreaterThanOrEqual(200);
    for (const host of foreign) {
      const answer = await exchange(port, request('/t/lobby', `Host: ${host}`));
      expect([host, statusOf(answer), bodyOf(answer)]).toEqual([host, 421, '']);
    }
  });

  it.each<[string, (port: number) => string, number]>([
    ['missing', () => request('/t/lobby'), 421],
    ['missing in HTTP/1.0', () => 'GET /t/lobby HTTP/1.0\r\n\r\n', 421],
    ['empty', () => request('/t/lobby', 'Host:'), 421],
    ['doubled', (port) => request('/t/lobby', `Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`), 421],
    [
      'doubled, foreign last',
      (port) => request('/t/lobby', `Host: 127.0.0.1:${port}`, 'Host: evil.example'),
      421,
    ],
    [
      'doubled, foreign first',
      (port) => request('/t/lobby', 'Host: evil.example', `Host: 127.0.0.1:${port}`),
      421,
    ],
    [
      'overruled by the target',
      (port) => request('http://evil.example/t/lobby', `Host: 127.0.0.1:${port}`),
      421,
    ],
    ['foreign on a bad path', () => request('/%zz', 'Host: evil.example'), 421],
    ['foreign on an unknown path', () => request('/nothing', 'Host: evil.example'), 421],
    ['foreign on the events', () => request('/t/lobby/events', 'Host: evil.example'), 421],
  ])('is refused when it is %s', async (_, make, status) => {
    const { port } = await openKiosk();
    const answer = await exchange(port, make(port));
    expect([statusOf(answer), bodyOf(answer)]).toEqual([status, '']);
  });

  it.each(ownNames)('is accepted as %s with the port', async (name) => {
    const { port } = await openKiosk();
    const answer = await exchange(port, request('/t/lobby', `Host: ${name}:${port}`));
    expect(statusOf(answer)).toBe(200);
  });
});

describe('the origin of a request (T02)', () => {
  it.each<[string, string[], number]>([
    ['says nothing, as curl does', [], 200],
    ['is typed into the address bar', ['Sec-Fetch-Site: none'], 200],
    ['is the kiosk page', ['Sec-Fetch-Site: same-origin'], 200],
    ['is the kiosk page, in an old browser', ['Origin: http://127.0.0.1:PORT'], 200],
    ['is another port of this machine', ['Sec-Fetch-Site: same-site'], 403],
    ['is another site', ['Sec-Fetch-Site: cross-site'], 403],
    [
      'is another site that claims to be the kiosk',
      ['Sec-Fetch-Site: cross-site', 'Origin: http://127.0.0.1:PORT'],
      403,
    ],
    ['is another site, in an old browser', ['Origin: https://evil.example'], 403],
    ['is hidden', ['Origin: null'], 403],
    ['is the kiosk over TLS, which it does not speak', ['Origin: https://127.0.0.1:PORT'], 403],
  ])('%s', async (_, headers, status) => {
    const { port } = await openKiosk();
    const named = [`Host: 127.0.0.1:${port}`, ...headers].map((line) => line.replace('PORT', String(port)));
    for (const target of ['/t/lobby', '/t/lobby/events']) {
      expect(statusOf(await exchange(port, request(target, ...named)))).toBe(status);
    }
  });
});
