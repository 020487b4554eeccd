/** All screens that are held to be whole and fit for everyone (fit.ts), and what else is looked at on some of them. */
import type { Page } from 'playwright-core';
import type { LanguageCode } from '../../src/domain/language.ts';
import type { Language } from '../../src/phrases/language.ts';
import { loadWords } from '../../src/kiosk/page/languages/words.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import type { Scene } from './fit.ts';
import { choosing, idle, longList, releasing, screens } from './frames.ts';
import { allAtOnce, fullHead, fullRows, halfPrinted, optionsList, unavailableList } from './list-frames.ts';
import { pageShown, previewOffered, redPage, stickStates, withPreview, withStick } from './panel-frames.ts';
import type { Size, Stage, StageOptions } from './stage.ts';
import { broad, kiosk, narrow, openSettings, panel, tablet, turnOn, upright } from './stage.ts';

const english: readonly LanguageCode[] = ['en'];
const only =
  (...sizes: readonly Size[]) =>
  (played: readonly Size[]) =>
    played.filter((size) => sizes.includes(size));

const showIn = ({ shows }: Stage, frame: Frame, { code, direction }: Language, mark = 'h1'): Promise<void> =>
  shows({ ...frame, language: code }, `html[dir=${direction}] :is(${mark})`);

/** By what only this screen has. */
const marks: Readonly<Record<string, string>> = {
  pin: '.keys.digits',
  'pin-refused': '.typing .notice',
  enrolment: '.keys.letters',
  busy: '.dots',
  listing: '.dots',
  choosing: '.row.unavailable',
  'choosing-stick': 'dialog.stick li',
  account: '.account section',
  'account-read': '.account section:not(:has(button))',
  'account-proving': '.keys.letters',
  'account-short-id': '.account .code',
  'choosing-not-here': 'main:not(:has(footer)) .row',
  'choosing-printers': '.printers',
  'choosing-instead': '.trouble:has(.there)',
  'choosing-instead-color': '.instead:has(.there)',
  'choosing-kept': '.kept',
  'choosing-long': '.order',
  'choosing-trouble': '.trouble',
  'still-there': 'dialog',
  releasing: '.progress.unknown',
  'releasing-needs': '.progress.downloading',
  'releasing-ends': '.progress.handed-over',
};

const otherMark = 'main:not(:has(.dots, .row, .keys)), .progress.printed';

const { busy: inSession = idle } = screens;

const everyScreen: Scene = {
  name: 'every screen',
  begins: { frame: idle },
  async *screens(stage, language) {
    for (const [name, frame] of Object.entries(screens)) {
      const next = { ...frame, generation: frame.generation + 10 };
      await showIn(stage, next, language, marks[name] ?? otherMark);
      yield name;
    }
  },
};

/** The same in English, as the page looks for who needs it otherwise. */
const otherwise = (
  way: string,
  window: Partial<StageOptions>,
  { setting, ...more }: Partial<Scene> & { readonly setting?: string } = {},
): Scene => ({
  name: `every screen ${way}`,
  begins: { frame: inSession, ...window },
  languages: english,
  sizes: only(panel),
  axe: 'nothing',
  ...more,
  async *screens(stage, language) {
    const { page } = stage;
    for await (const name of everyScreen.screens(stage, language)) {
      // The step to the idle screen takes the setting back, and a dialog is before it.
      const isOff = page.locator('.settings [aria-pressed=false]', { hasText: setting ?? '' });
      if (setting !== undefined && name !== 'still-there' && (await isOff.count()) > 0)
        await turnOn(page, setting);
      yield name;
    }
  },
});

const stick: Scene = {
  name: 'the stick',
  begins: { frame: withStick({}) },
  async *screens(stage, language) {
    await showIn(stage, withStick({}), language, 'main:not(:has(dialog)) .stick-line');
    yield 'in';
    for (const [name, frame] of Object.entries(stickStates)) {
      await showIn(stage, frame, language, 'dialog[open]');
      yield name;
    }
  },
};

/** The first panel that can be opened over the list. */
async function openPanel({ page }: Stage): Promise<void> {
  await page.locator('.row [aria-haspopup]').first().tap();
  await page.locator('dialog[open]').waitFor();
}

async function closePanel({ page }: Stage): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

const preview: Scene = {
  name: 'the preview',
  begins: { frame: previewOffered },
  async *screens(stage, language) {
    stage.terminal.servePicture(redPage);
    await showIn(stage, previewOffered, language);
    yield 'offered';
    await openPanel(stage);
    await showIn(stage, pageShown(1), language, 'dialog canvas');
    yield 'shown';
    await showIn(stage, withPreview({ stage: 'none', why: 'failed' }), language, '.sheet p');
    yield 'none';
    await closePanel(stage);
  },
};

const inText = async ({ page }: Stage, text: 'normal' | 'large', language: Language): Promise<void> => {
  const { say } = await loadWords(language);
  if ((await page.locator(`html[data-text=${text}]`).count()) === 0) await turnOn(page, say('largeText'));
  await page.locator(`html[data-text=${text}]`).waitFor();
};

const options: Scene = {
  name: 'the options',
  begins: { frame: optionsList },
  sizes: only(panel),
  async *screens(stage, language) {
    for (const text of ['normal', 'large'] as const) {
      await showIn(stage, { ...optionsList, defaults: {} }, language);
      await inText(stage, text, language);
      await openPanel(stage);
      yield `${text} text`;
      await closePanel(stage);
    }
    await inText(stage, 'normal', language);
  },
};

const missingPages: Scene = {
  name: 'missing pages',
  begins: { frame: halfPrinted(7) },
  async *screens(stage, language) {
    await showIn(stage, halfPrinted(7), language, '.doubt');
    yield 'half printed';
  },
};

const unavailable: Scene = {
  name: 'what is not to be had',
  begins: { frame: unavailableList },
  async *screens(stage, language) {
    await showIn(stage, unavailableList, language);
    yield 'unavailable';
  },
  async wrong(page, { load }) {
    const messages = await load();
    const wanted = [
      messages.whyBeingPrinted,
      messages.whyStoredElsewhere,
      messages.whyAlreadyPrinted,
      messages.documentTooLong,
      messages.unavailable,
    ];
    const reasons = await page.locator('.row.unavailable .reason').allInnerTexts();
    const touchable = await page.locator('main').locator('input, button').count();
    return [
      ...wanted.flatMap((text, at) => (reasons[at] === text ? [] : [`not said: ${text}`])),
      ...(touchable > 0 ? [`${touchable} can be touched`] : []),
    ];
  },
};

const head: Scene = {
  name: 'a full head',
  begins: { frame: fullHead },
  sizes: only(panel),
  async *screens(stage, language) {
    for (const text of ['normal', 'large'] as const) {
      await showIn(stage, fullHead, language);
      await inText(stage, text, language);
      yield `${text} text`;
    }
    await inText(stage, 'normal', language);
  },
  wrong: (page) =>
    page.evaluate(() => {
      const print = document.querySelector('footer .primary')?.getBoundingClientRect();
      const tools = document.querySelectorAll<HTMLElement>('.tools > *');
      const lines = new Set([...tools].map((one) => one.offsetTop)).size;
      const most = document.documentElement.dataset['text'] === 'large' ? 2 : 1;
      return [
        ...(print && print.bottom <= innerHeight ? [] : ['what prints is below the panel']),
        ...(lines > most ? [`the tools take ${lines} lines`] : []),
      ];
    }),
};

const facts: Scene = {
  name: 'the facts of a document',
  begins: { frame: optionsList },
  sizes: only(tablet, panel),
  async *screens(stage, language) {
    await showIn(stage, optionsList, language);
    yield 'rows';
  },
  wrong: (page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.row')].flatMap((row, place) => {
        const lines = row.offsetHeight / parseFloat(getComputedStyle(row).lineHeight);
        const isCut = row.scrollWidth > row.clientWidth + 1;
        return [
          ...(isCut ? [`row ${place} is cut off`] : []),
          // The others have a long name or an answer.
          ...(place === 0 && lines >= 3.3 ? [`row ${place} is ${lines} lines high`] : []),
        ];
      }),
    ),
};

/** How many rows there must be room for. */
const leastRows = new Map([
  [panel, 5],
  [broad, 7],
  [tablet, 9],
  [upright, 6],
  [kiosk, 18],
]);

/** Of the rows, those of which nothing is cut off. */
const wholeRows = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const list = document.querySelector('.documents')?.getBoundingClientRect();
    const rows = [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect());
    return rows.filter(({ top, bottom }) => list && top >= list.top && bottom <= list.bottom + 0.5).length;
  });

const room: Scene = {
  name: 'room for documents',
  begins: { frame: fullRows(24) },
  sizes: () => [...leastRows.keys()],
  async *screens(stage, language) {
    await showIn(stage, fullRows(24), language);
    yield 'normal text';
    if (language.code !== 'en') return;
    // Without a search above them.
    await showIn(stage, { ...fullRows(11), generation: 20 }, language);
    await inText(stage, 'large', language);
    yield 'large text';
    await inText(stage, 'normal', language);
  },
  async wrong(page) {
    const isLarge = (await page.locator('html[data-text=large]').count()) > 0;
    const size = [...leastRows.keys()].find(
      ({ width, height }) => width === page.viewportSize()?.width && height === page.viewportSize()?.height,
    );
    const least = isLarge ? 3 : ((size && leastRows.get(size)) ?? 0);
    const rows = await wholeRows(page);
    return rows < least ? [`there is room for ${rows} documents, not for ${least}`] : [];
  },
};

const atOnce: Scene = {
  name: 'all at once',
  begins: { frame: allAtOnce },
  scrolls: true,
  async *screens(stage, language) {
    await showIn(stage, allAtOnce, language, '.stick-line button');
    yield 'all';
  },
  wrong: (page) =>
    page.evaluate(() => {
      const print = document.querySelector('footer .primary')?.getBoundingClientRect();
      const first = document.querySelector<HTMLElement>('.documents .row');
      const below = (print?.bottom ?? Infinity) - innerHeight;
      const cutOff = (first?.offsetHeight ?? Infinity) - (first?.parentElement?.clientHeight ?? 0);
      return [
        ...(below > 0 ? [`what prints is ${below} px below the window`] : []),
        ...(cutOff > 0 ? [`${cutOff} px of the first document are cut off`] : []),
      ];
    }),
};

/** As tall as a person, of whom nobody reaches the upper half and everybody reads from a step away. */
const tall: Scene = {
  name: 'every screen within reach',
  begins: { frame: idle, viewport: kiosk },
  languages: english,
  sizes: () => [kiosk],
  axe: 'nothing',
  async *screens(stage, language) {
    yield* everyScreen.screens(stage, language);
    await showIn(stage, { ...fullRows(8), generation: 20 }, language, '.row .cost');
    yield 'list';
  },
  wrong: (page) =>
    page.evaluate(() => {
      const shown = (element: Element) => element.getClientRects().length > 0;
      const high = [...document.querySelectorAll('button, input')]
        .filter((element) => shown(element) && element.getBoundingClientRect().top < innerHeight / 2)
        // Who reaches no further has the search, and all of them at once.
        .filter((element) => !element.closest('.many .row'))
        .map((element) => `high: ${element.ariaLabel ?? element.textContent}`);
      const small = [...document.querySelectorAll('main *, header *, dialog[open] *')]
        .filter((element) => shown(element) && !element.closest('svg'))
        .filter(({ childNodes }) =>
          [...childNodes].some((node) => node instanceof Text && node.data.trim() !== ''),
        )
        .filter((element) => parseFloat(getComputedStyle(element).fontSize) < 24)
        .map(({ textContent }) => `in letters below 24 px: ${textContent}`);
      return [...high, ...small];
    }),
};

/** What opens on a screen or comes after it; the page is not led back from there. */
const opened = (
  name: string,
  frame: Frame,
  open: (stage: Stage) => void | Promise<unknown>,
  mark: string,
): Scene => ({
  name,
  begins: { frame },
  languages: english,
  async *screens(stage) {
    await open(stage);
    await stage.page.locator(mark).waitFor();
    yield 'open';
  },
});

const left: Frame = { ...idle, generation: 4 };

const whatOpens: readonly Scene[] = [
  opened(
    'the sign-in',
    idle,
    ({ page }) => page.getByRole('button', { name: 'ID number' }).tap(),
    '.keys.digits',
  ),
  opened('the settings', choosing, ({ page }) => openSettings(page), '.settings .languages'),
  opened(
    'the search',
    longList(14),
    ({ page }) => page.getByRole('button', { name: 'Search' }).tap(),
    '.search.open',
  ),
  opened('the undo', choosing, ({ page }) => page.getByLabel('Delete Minutes').tap(), '.undo'),
  opened(
    'the apology',
    choosing,
    async ({ page, terminal }) => {
      terminal.answerWith(409);
      await page.getByRole('button', { name: 'It is there' }).tap();
    },
    '.toast',
  ),
  opened('the lost line', choosing, ({ terminal }) => terminal.goAway(), '.centered .icon'),
  opened('the farewell with pages', releasing, ({ terminal }) => terminal.show(left), '.count-down'),
  opened('the farewell without', choosing, ({ terminal }) => terminal.show(left), '.count-down'),
  opened(
    'the farewell with not all pages',
    releasing,
    ({ terminal }) =>
      terminal.show({ ...left, notice: { code: 'not-all-printed', params: { n: 2, of: 5 } } }),
    '.count-down',
  ),
  opened('the other window', choosing, ({ terminal }) => terminal.move(), '.centered .primary'),
];

export const scenes: readonly Scene[] = [
  everyScreen,
  otherwise('in the dark', { colorScheme: 'dark' }, { axe: 'colours' }),
  otherwise('in high contrast', {}, { setting: 'High contrast', axe: 'colours' }),
  otherwise('in large text', {}, { setting: 'Large text' }),
  otherwise('in a narrow window', { viewport: narrow }, { sizes: () => [narrow] }),
  otherwise('in forced colours', { forcedColors: 'active' }),
  tall,
  stick,
  preview,
  options,
  missingPages,
  unavailable,
  head,
  facts,
  room,
  atOnce,
  ...whatOpens,
];
