/**
 * A session of 500 documents comes onto the kiosk page and goes from it: the whole agent, its embedded cloud and
 * printer, and Debian's Chromium on two processors together. Beside it a page without any code that is given the same
 * rows as plain HTML.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { browserArgs, executablePath, panel } from '../browser/stage.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import { people } from '../support/agent/people.ts';

const documents = 500;
const sessions = 60;
/** In turn, so that nobody's badge comes again within 1.5 s. */
const persons = 4;
/** Milliseconds. A second badge within 300 ms would be the neighbour of the first. */
const betweenBadges = 320;

/** Milliseconds of the epoch, as the page's `performance` tells them too. */
const now = (): number => performance.timeOrigin + performance.now();

export async function measureKioskSession(): Promise<Measurement> {
  const users = people(persons);
  await using stage = await setStage({ cloud: { seed: { ...sampleData, users, documents: [] } } });
  const bytes = Buffer.from('%PDF-1.4');
  for (const { userName: owner } of users) {
    for (let place = 1; place <= documents; place += 1) {
      stage.cloud.addDocument({ owner, name: nameOf(place), bytes });
    }
  }
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await using browser = await chromium.launch({ executablePath, args: browserArgs });
  const page = await browser.newPage({ viewport: panel, hasTouch: true, locale: 'en-US' });
  await page.goto(await launchAddress(stage, agent));
  await page.getByText('Hold your card').first().waitFor();

  const fromLogin: number[] = [];
  const fromList: number[] = [];
  const untilEmpty: number[] = [];
  for (let session = -persons; session < sessions; session += 1) {
    const answers = lastOctets();
    const shown = await painted(page, () => document.querySelectorAll('main li').length > 0);
    stage.reader.tap(users.at(session % persons)?.card ?? '');
    const shownAt = await shown();
    const { login, list } = await answers;
    await page.waitForFunction((count) => document.querySelectorAll('main li').length === count, documents);
    const emptied = await emptiedAfterLogout(page);
    await page.locator('main:not(:has(li))').waitFor();
    // The first round makes everything warm.
    if (session >= 0) {
      fromLogin.push(shownAt - login);
      fromList.push(shownAt - list);
      untilEmpty.push(emptied);
    }
    await sleep(betweenBadges);
  }
  const plain = await plainRows(page);
  return report({ fromLogin, fromList, untilEmpty, plain });
}

const nameOf = (place: number): string => `Report ${place} of the year.pdf`;

/** When the whole answers to the next login and the next list were there. */
async function lastOctets(): Promise<{ readonly login: number; readonly list: number }> {
  let login = Number.NaN;
  const channel = 'undici:request:trailers';
  const { promise, resolve } = Promise.withResolvers<number>();
  const onAnswered = (message: unknown): void => {
    const { request } = message as { request: { method: string; path: string } };
    if (request.path.endsWith('/login')) login = now();
    else if (request.method === 'GET' && /\/documents(\?|$)/.test(request.path)) resolve(now());
  };
  subscribe(channel, onAnswered);
  try {
    const list = await promise;
    return { login, list };
  } finally {
    unsubscribe(channel, onAnswered);
  }
}

/** Watches from now on; what it answers with tells when the first frame was made in which the document is so. */
async function painted(page: Page, isSo: () => boolean): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle<{ readonly seen: Promise<number> }>(`({
    seen: new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!(${String(isSo)})()) return;
        observer.disconnect();
        // The next frame, laid out and handed to the compositor; before whatever the page does after it.
        requestAnimationFrame(() =>
          scheduler.postTask(() => resolve(performance.timeOrigin + performance.now()), {
            priority: 'user-blocking',
          }),
        );
      });
      observer.observe(document, { subtree: true, childList: true });
    }),
  })`);
  return () => watch.evaluate(({ seen }) => seen);
}

/** Milliseconds from the click on "Sign out" until nothing of the person and of the documents is in the document. */
const emptiedAfterLogout = (page: Page): Promise<number> =>
  page.getByRole('button', { name: 'Sign out' }).evaluate((button) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const since = performance.now();
    const observer = new MutationObserver(() => {
      if (/Alice|Archer|of the year/.test(document.documentElement.outerHTML)) return;
      observer.disconnect();
      resolve(performance.now() - since);
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    (button as HTMLButtonElement).click();
    return promise;
  });

/** The same rows as HTML text, into a page that has nothing to do besides. */
async function plainRows(page: Page): Promise<number[]> {
  await page.goto('about:blank');
  const names = Array.from({ length: documents }, (_, place) => nameOf(place + 1));
  const html = `<ul>${names.map((name) => `<li><label><input type=checkbox>${name}</label></li>`).join('')}</ul>`;
  const spans: number[] = [];
  for (let time = 0; time < sessions; time += 1) {
    const shown = await painted(page, () => document.querySelectorAll('li').length > 0);
    const since = await page.evaluate((text) => {
      const begun = performance.timeOrigin + performance.now();
      document.body.innerHTML = text;
      return begun;
    }, html);
    spans.push((await shown()) - since);
    await page.evaluate(() => document.body.replaceChildren());
  }
  return spans;
}

function report(measured: Readonly<Record<'fromLogin' | 'fromList' | 'untilEmpty' | 'plain', number[]>>) {
  const { fromLogin, fromList, untilEmpty, plain } = measured;
  const row = (what: string, spans: readonly number[]) => [
    what,
    ...[0.5, 0.95, 1].map((share) => inMilliseconds(percentile(spans, share))),
  ];
  return {
    title: `A session of ${documents} documents at the kiosk page`,
    how:
      `${sessions} sessions, one after the other; agent, cloud and Chromium (without a graphics processor) share the ` +
      'machine. A view is there when the frame with its first rows has gone to the compositor. Beside it the same rows as plain HTML.',
    rows: [
      ['', 'p50', 'p95', 'max'],
      row('plain HTML to its view', plain),
      row('last octet of the login to the view', fromLogin),
      row('last octet of the list to the view', fromList),
      row('"Sign out" to nothing of the person', untilEmpty),
    ],
    goals: [
      { what: 'login to view, p95', figure: percentile(fromLogin, 0.95), limit: 100, unit: 'ms' },
      { what: 'sign out to nothing, max', figure: Math.max(...untilEmpty), limit: 100, unit: 'ms' },
    ],
  } satisfies Measurement;
}
