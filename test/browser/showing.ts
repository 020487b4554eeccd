/** Waits for a screen of `frames.ts` to be drawn. */
import type { Page } from 'playwright-core';

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
  list: '.row .cost',
  'choosing-trouble': '.trouble',
  'still-there': 'dialog',
  releasing: '.progress.unknown',
  'releasing-needs': '.progress.downloading',
  'releasing-ends': '.progress.handed-over',
};

export async function showing(page: Page, name: string): Promise<void> {
  await page
    .locator(marks[name] ?? 'main:not(:has(.dots, .row, .keys)), .progress.printed')
    .first()
    .waitFor();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
