/** Names with emoji: a machine that has a picture draws it, any other leaves it out whole. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { idle } from './frames.ts';
import { optionsList } from './list-frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, useStages } from './stage.ts';

const names = [
  ['Party 🎉 plan', 'Party plan'],
  ['Family 👩‍👩‍👧‍👦', 'Family'],
  ['🇩🇪 Trip', 'Trip'],
  ['1️⃣ first', 'first'],
  ['👍🏽 done', 'done'],
  ['❤️‍🔥 ok', 'ok'],
  ['🎉🎉', '…'],
] as const;

const documents = (optionsList.documents ?? [])
  .slice(0, 1)
  .flatMap((one) => names.map(([name], at) => ({ ...one, uuid: `emoji-${at}`, name })));

needsPeer(executablePath, 'chromium')('emoji in the names of documents', () => {
  const stages = useStages();

  /** The machine's fonts are what they are: what was drawn is read in their place. */
  async function open(isPicture: boolean): Promise<Stage> {
    const stage = await stages({ frame: idle });
    await stage.page.evaluate((of) => {
      const read = CanvasRenderingContext2D.prototype.getImageData;
      CanvasRenderingContext2D.prototype.getImageData = function (...args) {
        const image = read.apply(this, args);
        for (let at = 0; at < image.data.length; at += 4)
          image.data.set(of ? [250, 200, 40, 255] : [255, 0, 254, 255], at);
        return image;
      };
    }, isPicture);
    await stage.shows({ ...optionsList, documents }, '.row');
    return stage;
  }
  const shown = async ({ page }: Stage) => page.locator('.row .name').allInnerTexts();

  it('are drawn where there is a picture of all of it', async () => {
    expect(await shown(await open(true))).toEqual(names.map(([name]) => name));
  });

  it('are left out whole where there is none', async () => {
    expect(await shown(await open(false))).toEqual(names.map(([, left]) => left));
  });

  it('are told from a box by the colour in which they are drawn on this machine', async () => {
    const stage = await stages({ frame: idle });
    await stage.shows({ ...optionsList, documents }, '.row');
    const texts = await shown(stage);
    expect(texts.map((text, at) => names[at]?.some((name) => name === text))).toEqual(names.map(() => true));
  });
});
