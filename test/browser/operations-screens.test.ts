/** Every screen of the administrators' page: fit for everyone (WCAG 2.2 AA by axe-core), whole in its window, pictured. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { memberId, sampleFleet } from '../support/operations/sample-digests.ts';
import { needsPeer } from '../support/needs.ts';
import { outage, unsettledPrints } from '../operations/sample-unsettled.ts';
import { complaintsOf } from './accessibility.ts';
import { elsewhere } from './operations-gateway.ts';
import { desk, phone, useOperationsPages } from './operations-stage.ts';
import { drawn } from './page-time.ts';
import { executablePath, narrow } from './stage.ts';

/** What is wider than the window, or too small to be hit (WCAG 2.2, 2.5.8; a link in a sentence is as high as it). */
const misfits = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const wide = scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
    const small = [
      ...document.querySelectorAll('button, input:not([type=checkbox]), nav a, .gateway a'),
    ].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < 24 || height < 24 ? [`${element.tagName} ${element.textContent} is small`] : [];
    });
    return [...wide, ...small];
  });

/** Few gateways of each kind: axe looks at every row, and rows are alike. */
const gateways = sampleFleet(45).filter(({ digest }) =>
  [0, 1, 2, 3, 5, 17, 20, 44].includes(Number(digest.name.slice(3))),
);

const screens = {
  gateways: { at: '', mark: '.gateway' },
  'by-site': { at: '#/?by=site&only=troubled', mark: '.by-site .gateway' },
  'none-found': { at: '#/?search=nowhere', mark: '.gateways .hint' },
  gateway: { at: `#/gateways/${memberId(44)}`, mark: '.facts' },
  silent: { at: `#/gateways/${memberId(20)}`, mark: '.facts' },
  'own-gateway': { at: `#/gateways/${memberId(0)}`, mark: 'table' },
  'no-gateway': { at: '#/gateways/nobody', mark: 'h1' },
  terminal: { at: '#/terminals/floor-3', mark: 'table' },
  release: { at: '#/releases/7f3a9c21', mark: '.stages' },
  'no-release': { at: '#/releases/00000000', mark: 'h1' },
  elsewhere: { at: `#/releases/${elsewhere}`, mark: 'h1' },
  outage: { at: '#/releases/7k3m9p', mark: '.facts' },
  unsettled: { at: '#/unsettled', mark: '.points' },
  conditions: { at: '#/conditions', mark: '.condition' },
} as const;

needsPeer(executablePath, 'chromium')('every screen', () => {
  const open = useOperationsPages();

  it.each([
    ['light, at a desk', 'all', { colorScheme: 'light', viewport: desk }],
    ['dark, on a phone', 'colours', { colorScheme: 'dark', viewport: phone }],
    ['light, at 400 %', undefined, { colorScheme: 'light', viewport: narrow }],
  ] as const)('is fit for everyone and whole: %s', async (_, look, window) => {
    const { page, faults, address } = await open({
      gateways,
      window,
      outages: [outage],
      unsettled: unsettledPrints,
    });
    for (const [screen, { at, mark }] of Object.entries(screens)) {
      await page.evaluate((hash) => (location.hash = hash), at === '' ? '#/' : at);
      await page.locator(mark).first().waitFor();
      await drawn(page);
      expect([screen, ...(look ? await complaintsOf(page, look) : [])]).toEqual([screen]);
      expect([screen, ...(await misfits(page))]).toEqual([screen]);
    }
    expect(page.url()).toBe(`${address}#/conditions`);
    expect(faults).toEqual([]);
  });

  it('of a fleet in which nobody has been yet says that, and not that nobody was found', async () => {
    const { page } = await open({ gateways: [] });
    await page.getByText('No gateway has been in the fleet yet.').waitFor();
    expect(await page.getByText('No gateway is like that.').count()).toBe(0);
  });

  it.each([
    ['token', { token: 'a-token-of-the-monitoring' }, 'Token'],
    ['engine-away', { gateways: 'engine-away' }, 'Gateways'],
    ['alone', { gateways: sampleFleet(1) }, 'gw-0000'],
  ] as const)('is fit for everyone in forced colours too: %s', async (_, reported, heading) => {
    const { page, faults } = await open({
      ...reported,
      window: { forcedColors: 'active', viewport: narrow },
    });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(await complaintsOf(page)).toEqual([]);
    expect(await misfits(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
