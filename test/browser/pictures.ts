/**
 * `npm run pictures`: those of the README, taken from the page before a running agent, its embedded cloud and printer. They are
 * kept beside the page, and made anew when it looks different.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { milliseconds } from '../../src/core/duration.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import type { Pixels } from './palette-png.ts';
import { palettePng } from './palette-png.ts';
import { browserArgs, executablePath, panel } from './stage.ts';

const folder = fileURLToPath(new URL('../../src/kiosk/page/pictures/', import.meta.url));

const documents = [
  { owner: 'alice', name: 'Travel request March.pdf', pages: 2 },
  { owner: 'alice', name: 'Minutes of the safety committee.pdf', pages: 6, info: { duplex: 1 } },
  { owner: 'alice', name: 'Quarterly figures.pdf', pages: 12, info: { grayscale: true, copies: 3 } },
  { owner: 'alice', name: 'Boarding pass.pdf', pages: 1 },
];

await mkdir(folder, { recursive: true });
await using stage = await setStage({
  cloud: { seed: { ...sampleData, documents: [] } },
  terminal: { login: { shortId: true, password: true } },
  printer: { pageTime: milliseconds(400) },
});
const { cloud, printer, reader } = stage;
for (const document of documents) cloud.addDocument(document);
await using agent = await stage.start();
await agent.told('terminal ready');
await agent.told('reader up');
await using browser = await chromium.launch({ executablePath, args: browserArgs });
const page = await browser.newPage({
  ...{
    viewport: panel,
    hasTouch: true,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  },
});
await page.goto(await launchAddress(stage, agent));
await page.getByText('No card with you?').waitFor();
await keep('idle');

reader.tap(aliceCard);
await page.getByText('Boarding pass').tap();
await page.getByText('Minutes of').tap();
await keep('list');

await page.getByRole('button', { name: 'Print 2' }).tap();
await page.getByText('Printing page 2 of 6').waitFor();
await keep('progress');

for (const _ of ['Minutes', 'Boarding pass']) await agent.told('release ended');
await printer.behaveOnce({ kind: 'abort', afterPages: 1 });
await page.getByText('Travel request').tap();
await page.getByText('Quarterly figures').tap();
await page.getByRole('button', { name: 'Print 2' }).tap();
await page
  .getByRole('listitem')
  .getByText(/stopped printing this document|look at the tray/i)
  .first()
  .waitFor();
await keep('failure');

async function keep(name: string): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const png = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${folder}${name}.png`, palettePng(await decoded(browser, png)));
}

/** By the browser, which has a decoder. */
async function decoded(by: Browser, png: Buffer): Promise<Pixels> {
  const blank: Page = await by.newPage();
  const bytes = await blank.evaluate(
    async (address) => {
      const image = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      const { data = [] } = canvas?.getImageData(0, 0, image.width, image.height) ?? {};
      let text = '';
      for (const byte of data) text += String.fromCharCode(byte);
      return text;
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await blank.close();
  return { ...panel, rgba: Buffer.from(bytes, 'latin1') };
}
