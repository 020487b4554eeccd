/**
 * `npm run pictures`: those of the README and of the kiosk's guide, taken from the page before a running agent, its embedded
 * cloud and printer. They are kept beside the page, and made anew when it looks different.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { milliseconds } from '../../src/core/duration.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import type { Size } from './stage.ts';
import { broad, browserArgs, executablePath, kiosk, panel, tablet } from './stage.ts';

const mostColours = 64;

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
  viewport: panel,
  hasTouch: true,
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
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

for (const { name, pages } of Array.from({ length: 5 }, () => documents).flat())
  cloud.addDocument({ owner: 'bob', name, pages });
reader.tap(bobCard);
await page.getByText('Bob Baker').waitFor();
for (const size of [broad, tablet, kiosk]) {
  await page.setViewportSize(size);
  await page.locator('.many .row').nth(17).waitFor();
  await keep(`list-${size.width}x${size.height}`, size);
}

async function keep(name: string, size: Size = panel): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const png = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${folder}${name}.png`, palettePng(await decoded(browser, png, size)));
}

/** By the browser, which has a decoder. */
async function decoded(by: Browser, png: Buffer, size: Size): Promise<Pixels> {
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
  return { ...size, rgba: Buffer.from(bytes, 'latin1') };
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each; the last is not looked at. */
  readonly rgba: Uint8Array;
}

/**
 * A PNG of few colours (W3C PNG, third edition: 11.2.1, colour type 3) from what a browser has drawn: of a screen that is
 * mostly flat a third as large. Not for photographs: rare colours become the most like one of those that are not.
 */
function palettePng({ width, height, rgba }: Pixels): Buffer {
  const colours = new Int32Array(width * height);
  const counts = new Map<number, number>();
  for (let at = 0; at < colours.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at * 4, at * 4 + 3);
    const colour = (red << 16) | (green << 8) | blue;
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const palette = byCount.slice(0, mostColours);
  const places = new Map(byCount.map((colour) => [colour, nearest(colour, palette)]));

  // Each row is preceded by its filter, which is none (9.2).
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < colours.length; at += 1) {
    rows[at + Math.floor(at / width) + 1] = places.get(colours[at] ?? 0) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function partsOf(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(colour: number, palette: readonly number[]): number {
  const wanted = partsOf(colour);
  const distances = palette.map((one) =>
    partsOf(one).reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
