/** Every screen in every language: fit for everyone (WCAG 2.2 AA by axe-core), whole on the panel, and pictured. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { languages } from '../../src/kiosk/page/languages/language.ts';
import { needsPeer } from '../support/needs.ts';
import { complaintsOf } from './accessibility.ts';
import { choosing, idle, longList, releasing, screens } from './frames.ts';
import { showing } from './showing.ts';
import type { Stage, StageOptions } from './stage.ts';
import {
  executablePath,
  keepPicture,
  kiosk,
  narrow,
  openSettings,
  panel,
  tablet,
  turnOn,
  upright,
  useStages,
} from './stage.ts';

/** Of these there is a picture of each way and language, and of each size in English; of the others one in English. */
const pictured: ReadonlySet<string> = new Set([
  ...[
    'idle',
    'idle-needs',
    'enrolment',
    'choosing',
    'choosing-instead',
    'releasing',
    'releasing-ends',
    'out-of-service',
  ],
]);

const { busy: inSession = idle } = screens;

type Check = 'all' | 'all-but-colours' | 'layout' | 'none';

/**
 * What axe looks at is the same at every size but for the size of what is touched, of which the smallest and the upright
 * tell; what is there at all at the upright is the same in every language.
 */
const checkOf = (code: string, size: typeof panel): Check => {
  if (size === panel) return code === 'en' ? 'all' : 'all-but-colours';
  if (size !== upright) return 'none';
  return code === 'en' ? 'all-but-colours' : 'layout';
};

/** The two with little room in every language; of the two with much, in English both, and in each other language one. */
const sizesFor = (code: string): readonly (typeof panel)[] => {
  const index = languages.findIndex((one) => one.code === code);
  const roomy = code === 'en' ? [kiosk, tablet] : [index % 2 === 0 ? kiosk : tablet];
  return [upright, ...roomy, panel];
};

const complaintsIn = (page: Page, check: Check): Promise<readonly string[]> =>
  check === 'none'
    ? Promise.resolve([])
    : complaintsOf(page, { colors: check === 'all', layout: check === 'layout' });

/** What leaves the panel, is cut off, or is too small for a finger (44 px; 24 px in a narrow window, and for a key among twelve). */
const misfits = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { innerWidth, innerHeight } = window;
    const shown = [
      ...document.querySelectorAll<HTMLElement>(
        'button, input:not([type=checkbox]), h1:not(.unseen), footer, header',
      ),
    ];
    return shown.flatMap((element) => {
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      // What a person can scroll to is not outside.
      const isNarrow = innerWidth < 400;
      const scrolls =
        element.closest('.documents, main') !== null &&
        (isNarrow || document.documentElement.dataset['text'] === 'large');
      const isKey = innerWidth < 600 && element.matches('.keys.letters button');
      const least = isNarrow ? 24 : 44;
      const narrowest = isKey ? 24 : least;
      const isOfList = element.closest('.documents, .sections, dialog ul') !== null;
      const isOutside =
        left < -1 ||
        right > innerWidth + 1 ||
        top < -1 ||
        (!scrolls && !isOfList && bottom > innerHeight + 1);
      const isSmall = element.matches('button, input') && width > 0 && (width < narrowest || height < least);
      const isCut = element.matches('button, h1, h2') && element.scrollWidth > element.clientWidth + 1;
      const what = `${element.tagName} ${element.className} ${element.textContent}`;
      return [
        ...(isOutside ? [`outside: ${what} ${left},${top},${right},${bottom}`] : []),
        ...(isCut ? [`cut off: ${what} ${element.scrollWidth}`] : []),
        ...(isSmall ? [`small: ${what} ${width}x${height}`] : []),
      ];
    });
  });

needsPeer(executablePath, 'chromium')('every screen', () => {
  const open = useStages();

  it.each(languages)(
    'speaks $name, is accessible, and fits every panel',
    async ({ code, direction }) => {
      const { page, terminal, faults } = await open({ frame: { ...idle, language: code } });
      for (const [name, frame] of Object.entries(screens)) {
        terminal.show({ ...frame, generation: frame.generation + 10, language: code });
        await page.locator(`html[lang=${code}][dir=${direction}]`).waitFor();
        await showing(page, name);
        for (const size of sizesFor(code)) {
          const where = `${name} at ${size.width}×${size.height}`;
          await page.setViewportSize(size);
          expect([where, ...(await complaintsIn(page, checkOf(code, size)))]).toEqual([where]);
          expect([where, ...(await misfits(page))]).toEqual([where]);
          if (pictured.has(name) && (code === 'en' || size === panel))
            await keepPicture(page, `${code}-${name}-${size.width}`);
        }
        if (code === 'en') await keepPicture(page, `${code}-${name}`);
      }
      expect(faults).toEqual([]);
      expect(terminal.strayRequests).toEqual([]);
    },
    150_000,
  );

  it.each<[way: string, options: Partial<StageOptions>, setting: string | undefined, check: Check]>([
    ['dark', { colorScheme: 'dark' }, undefined, 'all'],
    ['in high contrast', {}, 'High contrast', 'all'],
    ['in large text', {}, 'Large text', 'none'],
    ['in a narrow window', { viewport: narrow }, undefined, 'none'],
    ['in forced colours', { forcedColors: 'active' }, undefined, 'none'],
  ])('is fit for everyone %s', async (way, options, setting, check) => {
    const { page, terminal, faults } = await open({ frame: inSession, ...options });
    for (const [name, frame] of Object.entries(screens)) {
      terminal.show({ ...frame, generation: frame.generation + 10 });
      await showing(page, name);
      // The step to the idle screen takes the setting back.
      const isOff =
        setting && (await page.locator('.settings [aria-pressed=false]', { hasText: setting }).count()) > 0;
      if (isOff && frame !== screens['still-there']) await turnOn(page, setting);
      expect([name, ...(await complaintsIn(page, check))]).toEqual([name]);
      expect([name, ...(await misfits(page))]).toEqual([name]);
      if (pictured.has(name)) await keepPicture(page, `${way.replaceAll(' ', '-')}-${name}`);
    }
    expect(faults).toEqual([]);
  });

  const steps: Readonly<
    Record<string, { frame: Frame; open: (stage: Stage) => Promise<unknown>; mark: string }>
  > = {
    'sign-in': {
      frame: idle,
      open: ({ page }) => page.getByRole('button', { name: 'ID number' }).tap(),
      mark: '.keys.digits',
    },
    settings: {
      frame: choosing,
      open: ({ page }) => openSettings(page),
      mark: '.settings .languages',
    },
    search: {
      frame: longList(14),
      open: ({ page }) => page.getByRole('button', { name: 'Search' }).tap(),
      mark: '.search.open',
    },
    undo: {
      frame: choosing,
      open: ({ page }) => page.getByLabel('Delete Minutes').tap(),
      mark: '.undo',
    },
    toast: {
      frame: choosing,
      async open({ page, terminal }) {
        terminal.answerWith(409);
        await page.getByRole('button', { name: 'It is there' }).tap();
      },
      mark: '.toast',
    },
    lost: { frame: choosing, open: async ({ terminal }) => terminal.goAway(), mark: '.centered .icon' },
    farewell: {
      frame: releasing,
      open: async ({ terminal }) => terminal.show({ ...idle, generation: 4 }),
      mark: '.count-down',
    },
    'farewell-none': {
      frame: choosing,
      open: async ({ terminal }) => terminal.show({ ...idle, generation: 4 }),
      mark: '.count-down',
    },
    'farewell-not-all': {
      frame: releasing,
      open: async ({ terminal }) =>
        terminal.show({
          ...{ ...idle, generation: 4 },
          notice: { code: 'not-all-printed', params: { n: 2, of: 5 } },
        }),
      mark: '.count-down',
    },
    moved: {
      frame: choosing,
      open: async ({ terminal }) => terminal.move(),
      mark: '.centered .primary',
    },
  };

  it.each(Object.entries(steps))('is fit for everyone with what opens on it: %s', async (name, step) => {
    const stage = await open({ frame: step.frame });
    // A farewell goes by itself: it is looked out for before it comes.
    await Promise.all([stage.page.locator(step.mark).waitFor(), step.open(stage)]);
    expect([name, ...(await complaintsOf(stage.page))]).toEqual([name]);
    expect([name, ...(await misfits(stage.page))]).toEqual([name]);
    await keepPicture(stage.page, `en-${name}`);
  });
});
