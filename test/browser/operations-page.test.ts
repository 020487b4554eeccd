/** The administrators' page at work: a thousand gateways, found, followed and read, by hand and by keyboard. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { memberId, sampleDigest, sampleFleet } from '../support/operations/sample-digests.ts';
import { sampleStatus } from '../operations/sample-status.ts';
import { needsPeer } from '../support/needs.ts';
import { useOperationsPages } from './operations-stage.ts';
import { executablePath } from './stage.ts';

const names = (page: Page): Promise<readonly string[]> => page.locator('.gateway .name').allTextContents();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

needsPeer(executablePath, 'chromium')('a thousand gateways', () => {
  const open = useOperationsPages();

  it('stand in one list, what is wrong first, and are counted', async () => {
    const { page, faults } = await open({ gateways: sampleFleet(1000) });
    expect((await names(page)).length).toBe(1000);
    expect(await page.locator('.gateway').first().textContent()).toMatch(/^Silent.*last heard/);
    expect(await page.locator('.gateway').last().textContent()).toMatch(/^In order/);
    expect(await page.locator('main').textContent()).toContain('1,000 gateways at 125 sites');
    expect(faults).toEqual([]);
  });

  it('are looked through by keyboard alone, and a reload shows the same', async () => {
    const { page, address } = await open({ gateways: sampleFleet(1000) });
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('gw-004');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('.found').textContent()).toMatch(/^\d gateways found$/);
    const found = await names(page);
    expect(page.url()).toBe(`${address}#/?search=gw-004&only=troubled`);
    await page.reload();
    await heading(page, 'Gateways');
    await expect.poll(() => names(page)).toEqual(found);
    await page.getByRole('searchbox').focus();
    for (const _ of ['only', 'by site', 'sort by', 'row']) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, found[0] ?? 'none');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(found);
  });

  it('are found again where they were left', async () => {
    const { page } = await open({ gateways: sampleFleet(1000) });
    await page.evaluate(() => scrollTo({ top: 20_000 }));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(20_000);
    const row = page.locator('.gateway a').nth(430);
    const name = (await row.locator('.name').textContent()) ?? '';
    await row.click();
    await heading(page, name);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await heading(page, 'Gateways');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(15_000);
  });

  it('keep their places while a hand is at them, and are sorted again by a button', async () => {
    const { page, told, looksAgain } = await open({ gateways: sampleFleet(20) });
    const before = await names(page);
    const ill = memberId(19);
    expect(before.indexOf('gw-0019')).toBeGreaterThan(3);
    await page.locator('.gateway a').nth(2).hover();
    told.gateways = sampleFleet(20).map((seen) =>
      seen.digest.member === ill ? { ...seen, isBeating: false, lastBeatSeconds: 40 } : seen,
    );
    await looksAgain();
    await expect
      .poll(() => page.locator('.gateway', { hasText: 'gw-0019' }).textContent())
      .toMatch(/^Silent/);
    expect(await names(page)).toEqual(before);
    await page.getByRole('button', { name: 'Sort again' }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('gw-0019');
  });

  it('follow what happens by themselves while nobody is at them', async () => {
    const { page, told, looksAgain } = await open({ gateways: sampleFleet(20) });
    await page.mouse.move(5, 5);
    told.gateways = sampleFleet(20).map((seen) =>
      seen.digest.name === 'gw-0019' ? { ...seen, isBeating: false, lastBeatSeconds: 40 } : seen,
    );
    await looksAgain();
    await looksAgain();
    await expect.poll(async () => (await names(page))[0]).toBe('gw-0019');
    expect(await page.locator('.gateway').first().textContent()).toContain('last heard 40 s ago');
  });

  it('say so when their own gateway answers no more, and how old it is what they say', async () => {
    const { page, forward, ...stage } = await open({ gateways: sampleFleet(3) });
    await stage[Symbol.asyncDispose]();
    await forward(5_000);
    await forward(15_000);
    await expect
      .poll(() => page.getByRole('status').first().textContent())
      .toMatch(/^This gateway does not answer\. What you see is \d+ s old\.$/);
    expect((await names(page)).length).toBe(3);
  });

  it('give way to a sentence while the engine is away, and the own gateway stays to be seen', async () => {
    const { page, told, looksAgain } = await open({ gateways: 'engine-away' });
    expect(await page.getByRole('status').first().textContent()).toMatch(
      /^The other gateways cannot be seen: db\.example:5432 did not answer/,
    );
    expect(await names(page)).toEqual(['gw-0000 (here)']);
    told.gateways = sampleFleet(20);
    await looksAgain();
    await expect.poll(async () => (await names(page)).length).toBe(20);
    expect(await page.getByRole('status').first().textContent()).toBe('');
  });
});

needsPeer(executablePath, 'chromium')('from the list to the paper', () => {
  const open = useOperationsPages();

  it('leads to a gateway, to each of its terminals, and to what that needs', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'This gateway' }).click();
    await heading(page, 'gw-0000');
    await expect
      .poll(() => page.locator('tbody th').allTextContents())
      .toEqual(['floor-1', 'floor-3', 'floor-0', 'floor-2']);
    await page.locator('table').getByRole('link', { name: 'floor-1' }).click();
    await heading(page, 'floor-1');
    const text = await page.locator('main').textContent();
    for (const said of [
      'needs paper',
      'ipps://annex.printers.example',
      'autoRelease',
      'media-empty',
      '1,204 numbers',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toContain('The display of the printer shows the reason.');
  });

  it.each(['7f3a9c21', ' [7F3A-9C21] '])(
    'finds a release by its code as it was read off a screen: %s',
    async (typed) => {
      const { page, faults } = await open();
      await page.getByLabel('Code from a screen').fill(typed);
      await page.keyboard.press('Enter');
      await heading(page, 'Release 7f3a9c21');
      const text = await page.locator('main').textContent();
      for (const said of [
        'It was printed: the printer says so.',
        '4.21 s',
        '12, device confirmed',
        'first byte',
      ]) {
        expect(text).toContain(said);
      }
      expect(faults).toEqual([]);
    },
  );

  it('leads from the reference of an outage to the terminal that shows it', async () => {
    const standing = { reference: 'K7QX2M', terminal: 'floor-3', reason: 'printer', since: null, over: null };
    const { page } = await open({ outages: [standing] });
    await page.getByLabel('Code from a screen').fill('k7qx2m');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Outage K7QX2M' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'floor-3' }).click();
    await heading(page, 'floor-3');
  });

  it('shows a gateway that is alone at once, with its terminals', async () => {
    const { page } = await open({ gateways: sampleFleet(1) });
    await heading(page, 'gw-0000');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(sampleStatus.terminals.length);
  });

  it('has names that are markup as the text they are (T06)', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const [self] = sampleFleet(1);
    if (!self) throw new Error('there is no gateway');
    const { page, faults } = await open({
      gateways: [
        { ...self, digest: sampleDigest(0, { name, site: '</script><b>' }) },
        ...sampleFleet(3).slice(1),
      ],
    });
    expect(await names(page)).toContain(`${name} (here)`);
    expect(await page.locator('main img, main .gateway b').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

needsPeer(executablePath, 'chromium')('a gateway with a token', () => {
  const open = useOperationsPages();
  const token = 'a-token-of-the-monitoring';

  it('asks for it once a tab, keeps it over a reload, and forgets it when it is told to', async () => {
    const { page, faults } = await open({ token });
    await heading(page, 'Token');
    await page.getByLabel(/^The token/).fill('another-token-that-is-wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.refusal').textContent()).toBe('This token was not accepted.');
    await page.getByLabel(/^The token/).fill(token);
    await page.keyboard.press('Enter');
    await heading(page, 'Gateways');
    await page.reload();
    await heading(page, 'Gateways');
    const kept = await page.evaluate(() => [
      document.cookie,
      localStorage.length,
      Object.values(sessionStorage),
    ]);
    expect(kept).toEqual(['', 0, [token]]);
    expect(page.url()).not.toContain(token);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await heading(page, 'Token');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(faults).toEqual([]);
  });
});
