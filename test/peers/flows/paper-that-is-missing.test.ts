/** A document asks for paper that is not in the printer: its owner reads so before, and may have it on paper that is there. */
import { expect, it } from 'vitest';
import { attribute } from '../../../src/ipp/message.ts';
import { noValue } from '../../../src/ipp/values.ts';
import { keywords } from '../../../src/simulator/printer/everywhere-attributes.ts';
import { mediaCollection } from '../../../src/simulator/printer/paper.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { aliceInFront } from '../../flows/front.ts';
import { setStage } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { pageSizesOf } from '../../support/printer/pdf-pages.ts';

const a4 = 'iso_a4_210x297mm';
const onlyA4 = [keywords('media-ready', a4), attribute('media-col-ready', mediaCollection(a4))];
const seed = {
  ...sampleData,
  documents: [
    { owner: 'alice', name: 'Poster.pdf', pages: 2, info: { paperSize: 'A3' } },
    { owner: 'alice', name: 'Letter.pdf', pages: 1, info: { paperSize: 'A4' } },
  ],
};

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  it('a missing paper is said in the list; made to fit A4 the document is charged, printed and recorded on A4', async () => {
    await using stage = await setStage({ cloud: { seed }, printer: { attributes: onlyA4 } });
    const { cloud, printer } = stage;
    cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
    cloud.setUserBalance('alice', { quota: 100, wallet: 0 });
    await using agent = await stage.start();
    await using front = await aliceInFront(stage, agent);
    await expect
      .poll(() => front.shown('Poster.pdf'))
      .toMatchObject({ lacksPaper: true, paper: 'A3', cost: '0.80', options: { otherPaper: 'A4' } });
    expect(front.shown('Letter.pdf')).not.toHaveProperty('lacksPaper');
    expect(front.shown('Letter.pdf')?.options).not.toHaveProperty('otherPaper');
    // What is not in the printer either is no way out.
    expect(await front.change('Poster.pdf', { onPaper: 'A5' })).toBe(409);
    expect(await front.change('Poster.pdf', { onPaper: 'A4' })).toBe(204);
    await expect
      .poll(() => front.shown('Poster.pdf'))
      .toMatchObject({ onPaper: 'A4', paper: 'A4', cost: '0.40' });
    expect(front.shown('Poster.pdf')).not.toHaveProperty('lacksPaper');
    await front.print('Poster.pdf');
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    const [output] = printer.outputs;
    expect(output).toMatchObject({ complete: true, impressions: 2, attributes: { media: a4 } });
    expect(await pageSizesOf(output?.file ?? '')).toEqual(['595 x 842', '595 x 842']);
    await agent.told('history accepted');
    expect(cloud.state.history).toMatchObject([{ totalPages: 2, paperSize: 'A4' }]);
    expect(printer.deviations).toEqual([]);
  });
});

it('its owner may wait for somebody to add it, or take the wish back', async () => {
  await using stage = await setStage({ cloud: { seed }, printer: { attributes: onlyA4 } });
  await using agent = await stage.start();
  await using front = await aliceInFront(stage, agent);
  await expect.poll(() => front.shown('Poster.pdf')?.options).toMatchObject({ otherPaper: 'A4' });
  expect(await front.change('Poster.pdf', { onPaper: 'A4' })).toBe(204);
  await expect.poll(() => front.shown('Poster.pdf')?.onPaper).toBe('A4');
  expect(await front.change('Poster.pdf', {})).toBe(204);
  await expect.poll(() => front.shown('Poster.pdf')).toMatchObject({ paper: 'A3', lacksPaper: true });
  await front.print('Poster.pdf');
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(stage.printer.outputs).toMatchObject([{ attributes: { media: 'iso_a3_297x420mm' } }]);
});

it('a printer that does not tell its paper is never said to lack any', async () => {
  const silent = ['media-ready', 'media-col-ready'].map((name) => attribute(name, noValue));
  await using stage = await setStage({ cloud: { seed }, printer: { attributes: silent } });
  await using agent = await stage.start();
  await using front = await aliceInFront(stage, agent);
  await expect.poll(() => front.shown('Poster.pdf')?.options).toBeDefined();
  expect(front.shown('Poster.pdf')).not.toHaveProperty('lacksPaper');
  expect(front.shown('Poster.pdf')?.options).not.toHaveProperty('otherPaper');
});
