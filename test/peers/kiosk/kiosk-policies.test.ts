/** T07: Chromium's own loader knows every policy of the kiosk, each has a reason, and the page is all there is. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { browserArgs, executablePath } from '../../browser/chromium.ts';
import { needsNamespaces, needsPeer } from '../../support/needs.ts';
import { policyFile } from './kiosk-screen.ts';

const policies: Readonly<Record<string, unknown>> = JSON.parse(await readFile(policyFile, 'utf8'));
/** What would keep the test itself out, by a value of the same type that does not. */
const readable = { ...policies, DeveloperToolsAvailability: 1, RemoteDebuggingAllowed: true };

/** In a mount namespace: no other browser of this machine sees the policies. */
async function browserUnder(laid: object): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-policies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'policies.json'), JSON.stringify(laid));
  const program = join(folder, 'chromium');
  const inside = [
    'mount -t tmpfs tmpfs /etc/chromium',
    `install -D -m 0644 ${folder}/policies.json /etc/chromium/policies/managed/platen-kiosk.json`,
    `exec ${executablePath} "$@"`,
  ].join(' && ');
  await writeFile(program, `#!/bin/sh\nexec unshare -m sh -c '${inside}' chromium "$@"\n`);
  await chmod(program, 0o755);
  const browser = await chromium.launch({ executablePath: program, args: browserArgs });
  onTestFinished(() => browser.close());
  return browser.newContext();
}

/** `name: what chrome://policy says of it`, for each that is set. */
async function judged(laid: object): Promise<Readonly<Record<string, string>>> {
  const browser = await browserUnder({ ...laid, URLAllowlist: ['chrome://policy'] });
  const page = await browser.newPage();
  await page.goto('chrome://policy');
  const rows = page.locator('policy-row');
  await rows.first().waitFor({ state: 'attached' });
  const texts = await rows.evaluateAll((found) =>
    found.map((row) => (row.shadowRoot?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()),
  );
  const set = texts.filter((text) => text.includes(' Platform Machine '));
  return Object.fromEntries(
    set.map((text) => [text.split(' ')[0], text.replace(/^.* Status (.*) Error (.*) Info.*$/, '$1; $2')]),
  );
}

async function listening(): Promise<Server & AsyncDisposable> {
  const server = createServer((_request, response) => response.end('<title>here</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

needsPeer(executablePath, 'chromium')('the policies of the kiosk', () => {
  needsNamespaces()('in a mount namespace', () => {
    it('are all right in name and type; one that is not would be told (T07)', async () => {
      const wrong = { PlatenIsAllowed: true, HomepageIsNewTabPage: 'no' };
      const { PlatenIsAllowed, HomepageIsNewTabPage, ...ours } = await judged({ ...readable, ...wrong });
      expect(PlatenIsAllowed).toContain('Unknown policy');
      expect(HomepageIsNewTabPage).toContain('Expected boolean');
      expect(new Set(Object.keys(ours))).toEqual(new Set(Object.keys(policies)));
      const refused = Object.entries(ours).filter(([, said]) => !/^(OK|Deprecated); Warning$/.test(said));
      expect(refused).toEqual([]);
    });

    it('let the browser go to the listener, and nowhere else (T03, T07)', async () => {
      await using own = await listening();
      await using other = await listening();
      const browser = await browserUnder({ ...readable, URLAllowlist: [addressOf(own)] });
      const page = await browser.newPage();
      const entrance = `${addressOf(own)}/t/entrance`;
      await page.goto(entrance);
      expect(await page.title()).toBe('here');
      const elsewhere = [addressOf(other), 'chrome://version', 'file:///etc/passwd', 'data:text/html,here'];
      for (const address of [...elsewhere, `view-source:${entrance}`]) {
        const window = await browser.newPage();
        const came = await window.goto(address).then(
          () => 'shown',
          (error: unknown) => String(error),
        );
        expect(`${address}: ${came}`).toContain('ERR_BLOCKED_BY_ADMINISTRATOR');
      }
    });
  });
});

describe('the reasons for the policies', () => {
  it('are given for each, and for no other', async () => {
    const table = await readFile('config/chromium/POLICIES.md', 'utf8');
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const given = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(new Set(given)).toEqual(new Set(Object.keys(policies)));
  });
});
