/** What a person wants done with the paper: only what the printer can do now is offered, and it is done, or nothing is printed. */
import { expect, it } from 'vitest';
import { standInFront } from './front.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const atAFinisher: StageOptions = { printer: { habits: ['finisher'] } };

/** Alice has one document of four pages, and stands in front of it. */
async function visit(stage: Stage) {
  await using opened = new AsyncDisposableStack();
  const agent = opened.use(await stage.start());
  const { page, at, is } = await standInFront(stage, agent, opened);
  stage.reader.tap(aliceCard);
  await is('choosing');
  const held = opened.move();
  const say = (word: object) =>
    page.say({ generation: at()?.generation ?? 0, ...word } as Parameters<typeof page.say>[0]);
  const plan = () => at()?.documents?.[0];
  return {
    agent,
    is,
    at,
    say,
    plan,
    /** As the page says it: all settings of the document, one of them another. */
    change: (changed: object) =>
      say({
        command: 'change',
        documentUuid: plan()?.uuid,
        copies: plan()?.copies,
        color: plan()?.color,
        sides: plan()?.sides,
        work: plan()?.work ?? {},
        ...changed,
      }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function oneDocument({ cloud }: Stage, more: object = {}) {
  cloud.state.documents = cloud.state.documents.filter(({ owner }) => owner !== 'alice');
  return cloud.addDocument({ owner: 'alice', name: 'Plan.pdf', pages: 4, ...more });
}

it('a staple, the letterhead and another bin: the printer is asked for them, and makes three stapled sets', async () => {
  await using stage = await setStage(atAFinisher);
  oneDocument(stage, { info: { paperSize: 'A4' } });
  await using front = await visit(stage);
  await expect
    .poll(() => front.plan()?.options?.work)
    .toEqual({
      staple: ['staple-top-left', 'staple-dual-left'],
      punch: ['punch-dual-left'],
      fold: ['fold-half'],
      // What holds A4, in the printer's order.
      'media-source': ['tray-1', 'tray-3', 'by-pass-tray'],
      'media-type': ['stationery', 'stationery-letterhead', 'cardstock'],
      'output-bin': ['top', 'lower', 'mailbox-1'],
      'print-quality': ['draft', 'normal', 'high'],
    });
  const work = { staple: 'staple-dual-left', 'media-type': 'stationery-letterhead', 'output-bin': 'lower' };
  expect(await front.change({ copies: 3, work })).toBe(204);
  await expect.poll(() => front.plan()?.work).toEqual(work);
  // Cardboard is not stapled, and the letterhead lies in one tray.
  expect(front.plan()?.options?.work).toMatchObject({
    'media-type': ['stationery', 'stationery-letterhead'],
    fold: ['fold-half'],
  });
  expect(front.plan()?.options?.work).not.toHaveProperty('media-source');

  expect(await front.say({ command: 'release', documentUuids: [front.plan()?.uuid] })).toBe(204);
  expect(await front.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(stage.printer.outputs).toMatchObject([
    {
      complete: true,
      attributes: {
        copies: 3,
        finishings: 28,
        'output-bin': 'lower',
        'multiple-document-handling': 'separate-documents-collated-copies',
        'media-col': {
          'media-size': { 'x-dimension': 21_000, 'y-dimension': 29_700 },
          'media-type': 'stationery-letterhead',
        },
      },
    },
  ]);
  expect(stage.printer.outputs[0]?.attributes).not.toHaveProperty('media');
  expect(stage.printer.deviations).toEqual([]);
});

it('what is not offered is refused: the wrong tray, a staple in cardboard, a word of nobody’s', async () => {
  await using stage = await setStage(atAFinisher);
  oneDocument(stage, { info: { paperSize: 'A4' } });
  await using front = await visit(stage);
  await expect.poll(() => front.plan()?.options?.work).toBeDefined();
  for (const work of [
    { 'media-source': 'tray-2' },
    { staple: 'staple-triple-left' },
    { 'output-bin': 'rear' },
    { fold: 'fold-half\u0000' },
    { cover: 'cover' },
  ]) {
    expect([409, 400]).toContain(await front.change({ work }));
  }
  expect(await front.change({ work: { 'media-type': 'cardstock' } })).toBe(204);
  await expect.poll(() => front.plan()?.options?.work).not.toHaveProperty('staple');
  expect(await front.change({ work: { 'media-type': 'cardstock', staple: 'staple-top-left' } })).toBe(409);
});

it('a printer that refuses or ignores the staple at the last moment prints nothing, and the document is in the list again', async () => {
  for (const habit of ['refuses-wishes=finishings', 'ignores-wishes=finishings'] as const) {
    await using stage = await setStage({ printer: { habits: ['finisher', habit] } });
    oneDocument(stage);
    await using front = await visit(stage);
    await expect.poll(() => front.plan()?.options?.work).toBeDefined();
    expect(await front.change({ work: { staple: 'staple-top-left' } })).toBe(204);
    expect(await front.say({ command: 'release', documentUuids: [front.plan()?.uuid] })).toBe(204);
    expect(await front.agent.told('release ended')).toMatchObject({ outcome: 'failed' });
    expect(stage.printer.outputs).toEqual([]);
    await expect.poll(() => front.at()?.documents).toMatchObject([{ standing: 'releasable' }]);
  }
});

it('is kept with the badge, as far as the printer offers it next time', async () => {
  await using stage = await setStage(atAFinisher);
  oneDocument(stage);
  {
    await using today = await visit(stage);
    const work = { staple: 'staple-top-left', 'output-bin': 'mailbox-1' };
    expect(await today.say({ command: 'keep-defaults', grey: false, twoSided: false, work })).toBe(204);
    await expect.poll(() => today.at()?.defaults).toEqual({ kept: { grey: false, twoSided: false, work } });
    await today.agent.stop();
  }
  await using tomorrow = await visit(stage);
  await expect
    .poll(() => tomorrow.plan()?.work)
    .toEqual({ staple: 'staple-top-left', 'output-bin': 'mailbox-1' });
  stage.awaitSameBadge();
  stage.reader.tap(aliceCard);
  expect(await tomorrow.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(stage.printer.outputs).toMatchObject([
    { attributes: { finishings: 20, 'output-bin': 'mailbox-1' } },
  ]);
});

it('a terminal offers what its administrator lets it, and does to the paper what they wrote, unless a person chooses', async () => {
  const printer = {
    offers: ['copies', 'staple'],
    defaults: { staple: 'staple-top-left', 'output-bin': 'lower' },
  };
  await using stage = await setStage({ ...atAFinisher, terminal: { printer } });
  oneDocument(stage);
  await using front = await visit(stage);
  await expect
    .poll(() => front.plan()?.options)
    .toEqual({
      grey: false,
      twoSided: false,
      mostCopies: 99,
      work: { staple: ['staple-top-left', 'staple-dual-left'] },
    });
  expect(front.plan()?.work).toEqual({ staple: 'staple-top-left', 'output-bin': 'lower' });
});
