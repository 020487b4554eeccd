import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exchange } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';

describe('the kiosk listener', () => {
  it('serves the page of a terminal', async () => {
    const { get } = await openKiosk();
    const answer = await get('/t/lobby');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<script type="module" src="/kiosk.js"></script>');
  });

  it.each([
    ['/kiosk.css', 'text/css; charset=utf-8'],
    ['/kiosk.js', 'text/javascript; charset=utf-8'],
  ])('serves %s, which the page names', async (path, type) => {
    const { get } = await openKiosk();
    expect(await (await get('/t/lobby')).text()).toContain(`"${path}"`);
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  });

  it('serves a file of words for each language but English, which the script names', async () => {
    const { get } = await openKiosk();
    const script = await (await get('/kiosk.js')).text();
    const names = [...script.matchAll(/import\(`\.(\/\w\w-[\w-]+\.js)`\)/g)].map(([, name = '']) => name);
    expect(names.map((name) => name.slice(1, 3)).toSorted()).toEqual(['ar', 'de', 'es', 'fr', 'ja']);
    for (const name of names) {
      const { status, headers } = await get(name);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    }
  });

  it('has no inline script or style on the page (T06)', async () => {
    const { get } = await openKiosk();
    const html = await (await get('/t/lobby')).text();
    expect(html).not.toMatch(/<script>|<style|style=|\son\w+=|javascript:/i);
  });

  it.each([
    ['a page', 'GET /t/lobby HTTP/1.1'],
    ['a script', 'GET /kiosk.js HTTP/1.1'],
    ['a stream', 'GET /t/lobby/events HTTP/1.1'],
    ['a launch', 'GET /t/lobby?launch=wrong HTTP/1.1'],
    ['nothing', 'GET /nothing HTTP/1.1'],
    ['a path that is none', 'GET /%zz HTTP/1.1'],
    ['a refused command', 'POST /t/lobby/commands HTTP/1.1\r\nContent-Length: 0'],
    ['another site', 'GET /t/lobby HTTP/1.1\r\nSec-Fetch-Site: cross-site'],
    ['another host', 'GET /t/lobby HTTP/1.1\r\nHost: evil.example'],
    ['no HTTP', 'GET /t/lobby'],
    ['headers without end', `GET /t/lobby HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
  ])('tells the browser to be strict with its answer to %s (T06)', async (_what, request) => {
    const { port } = await openKiosk();
    const text = await exchange(port, `${request}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    const head = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n').slice(1);
    const headers = new Headers(head.map((line) => line.split(': ', 2) as [string, string]));
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/t'],
    ['GET', '/t/attic'],
    ['GET', '/t/lobby/'],
    ['GET', '/t/lobby/commands'],
    ['DELETE', '/t/lobby/commands'],
    ['POST', '/t/attic/commands'],
    ['POST', '/t/lobby'],
    ['HEAD', '/t/lobby'],
    ['OPTIONS', '/t/lobby'],
    ['GET', '/favicon.ico'],
    ['GET', '/status'],
    ['GET', '/constructor'],
    ['GET', `/${'x'.repeat(3000)}`],
  ])('answers %s %s with an empty 404 (T04)', async (method, path) => {
    const { get } = await openKiosk();
    const answer = await get(path, { method });
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5'])('does not listen on %s (T01)', async (host) => {
    await expect(openKiosk({ host, port: 0 })).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it.each(['127.0.0.1', 'localhost', '::1'])(
    'listens on %s, and is reached under its name (T01)',
    async (host) => {
      const { port } = await openKiosk({ host, port: 0 });
      const name = host === '::1' ? '[::1]' : host;
      expect((await fetch(`http://${name}:${port}/t/lobby`)).status).toBe(200);
    },
  );

  it('is bound to loopback addresses only (T01)', async () => {
    const { port } = await openKiosk({ host: 'localhost', port: 0 });
    const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8')));
    const listening = 0x0a;
    const bound = tables
      .flatMap((table) => table.split('\n').slice(1))
      .map((line) => line.trim().split(/[\s:]+/))
      .filter((fields) => Number.parseInt(fields[2] ?? '', 16) === port)
      .filter((fields) => Number.parseInt(fields[5] ?? '', 16) === listening);
    expect(bound.map((fields) => fields[1])).toEqual(['0100007F']);
  });

  it('says that the address is taken, and by which key to change it', async () => {
    const { port } = await openKiosk();
    await expect(openKiosk({ host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'port-taken',
      message: `kiosk.listen: 127.0.0.1:${port} is taken by another program`,
    });
  });
});
