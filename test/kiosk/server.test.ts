import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openKiosk } from './kiosk-stage.ts';

describe('the kiosk listener', () => {
  it('serves the page of a terminal', async () => {
    const { get } = await openKiosk();
    const answer = await get('/t/lobby');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<script src="/kiosk.js" defer></script>');
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

  it('has no inline script or style on the page (T06)', async () => {
    const { get } = await openKiosk();
    const html = await (await get('/t/lobby')).text();
    expect(html).not.toMatch(/<script>|<style|style=|\son\w+=|javascript:/i);
  });

  it.each(['/t/lobby', '/kiosk.js', '/nothing', '/%zz'])(
    'tells the browser to be strict with %s (T06)',
    async (path) => {
      const { get } = await openKiosk();
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
          "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.has('access-control-allow-origin')).toBe(false);
    },
  );

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
