/** The smart-card reader and the cards on it, with a pcscd of the tests' behind it. */
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { acr, pcscd, runOn, uid } from '../contracts/pcsc-stage.ts';

const sharingViolation = 0x8010000b;
const unresponsive = 0x80100066;
const removedCard = 0x80100069;
const alice = '04A1B2C3';
const bob = '04D4E5F6';

/** Longer than any span in which a card is only moved. */
const aWhile = seconds(3);

async function started() {
  const daemon = pcscd();
  await daemon.start();
  const reader = runOn(daemon);
  await reader.time.until(() => expect(reader.counts.up).toBe(1));
  return { daemon, ...reader };
}

async function withCard(number: string) {
  const stage = await started();
  stage.daemon.lay(uid(number));
  await stage.time.until(() => expect(stage.cards).toEqual([number]));
  return stage;
}

describe('a card on a smart-card reader', () => {
  it.each([
    ['of four bytes', '04a1b2c3'],
    ['of seven bytes', '04a1b2c3d4e5f6'],
    ['of ten bytes', '04a1b2c3d4e5f6070809'],
  ])('is known by its UID, %s', async (_, number) => {
    const { daemon, time, cards } = await started();
    daemon.lay(uid(number));
    await time.until(() => expect(cards).toEqual([number.toUpperCase()]));
  });

  it('is read when it lies there at the start: a person may hold it', async () => {
    const daemon = pcscd();
    daemon.lay(uid(alice));
    await daemon.start();
    const { time, cards } = runOn(daemon);
    await time.until(() => expect(cards).toEqual([alice]));
  });

  it.each([
    ['that has no UID', '6a81'],
    ['that does not know the question', '6d00'],
    ['whose UID is zeros', '000000009000'],
    ['that answers nothing', ''],
    ['that answers one byte', '90'],
  ])('%s is garbage, told once and without a byte of it', async (_, answers) => {
    const { daemon, time, cards, counts, recorded } = await started();
    daemon.lay(answers);
    await time.until(() => expect(counts.garbage).toBe(1));
    await time.pass(aWhile);
    expect([cards, counts.garbage]).toEqual([[], 1]);
    expect(recorded.records('card without a number')).toHaveLength(1);
    daemon.take();
    daemon.lay(uid(alice));
    await time.until(() => expect(cards).toEqual([alice]));
  });

  it('that went before it was read is garbage', async () => {
    const { daemon, time, counts } = await started();
    const [reader] = daemon.readers;
    Object.assign(reader ?? {}, { events: 2 });
    daemon.changed();
    await time.until(() => expect(counts.garbage).toBe(1));
  });

  it.each([
    ['another program has for itself', sharingViolation],
    ['does not answer yet, for it comes slowly', unresponsive],
  ])('that %s is read as soon as it answers', async (_, value) => {
    const { daemon, time, cards, counts } = await started();
    daemon.lay(value);
    await time.pass(milliseconds(100));
    Object.assign(daemon.readers[0] ?? {}, { answers: uid(alice) });
    await time.until(() => expect(cards).toEqual([alice]));
    expect(counts.garbage).toBe(0);
  });

  it('that never answers is garbage, once', async () => {
    const { daemon, time, counts, verdicts } = await started();
    daemon.lay(unresponsive);
    await time.until(() => expect(counts.garbage).toBe(1));
    await time.pass(aWhile);
    expect(verdicts).toEqual(['garbage']);
    expect(counts.down).toBe(0);
  });
});

describe('a card that is taken off a smart-card reader', () => {
  it('was removed, once it does not come back', async () => {
    const { daemon, time, removed } = await withCard(alice);
    daemon.take();
    expect(removed).toEqual([]);
    await time.until(() => expect(removed).toEqual([alice]));
  });

  it('and comes again at once is neither removed nor a second badge, twenty times a second (I1, I8)', async () => {
    const { daemon, time, cards, removed } = await withCard(alice);
    for (let round = 0; round < 20; round += 1) {
      daemon.take();
      await time.pass(milliseconds(25));
      daemon.lay(uid(alice));
      await time.pass(milliseconds(25));
    }
    expect([cards, removed]).toEqual([[alice], []]);
  });

  it('is a badge again when it is laid on later', async () => {
    const { daemon, time, cards, removed } = await withCard(alice);
    daemon.take();
    await time.until(() => expect(removed).toEqual([alice]));
    daemon.lay(uid(alice));
    await time.until(() => expect(cards).toEqual([alice, alice]));
  });

  it('is removed before the next badge comes, however fast that is', async () => {
    const { daemon, time, cards, removed } = await withCard(alice);
    daemon.take();
    await time.pass(milliseconds(320));
    expect(removed).toEqual([]);
    daemon.lay(uid(bob));
    await time.until(() => expect(cards).toEqual([alice, bob]));
    expect(removed).toEqual([alice]);
  });

  it('and put back while pcscd restarts is no second badge (I1)', async () => {
    const { daemon, time, cards, counts, verdicts, removed } = await withCard(alice);
    await daemon.kill();
    await time.until(() => expect(counts.down).toBe(1));
    await time.pass(aWhile);
    Object.assign(daemon.readers[0] ?? {}, { events: 1 });
    await daemon.start();
    await time.until(() => expect(verdicts.at(-1)).toBe('still-there'));
    expect([cards, removed]).toEqual([[alice], []]);
    expect(counts.up).toBe(2);
  });

  it('while pcscd restarts was removed', async () => {
    const { daemon, time, cards, counts, removed } = await withCard(alice);
    await daemon.kill();
    await time.until(() => expect(counts.down).toBe(1));
    Object.assign(daemon.readers[0] ?? {}, { events: 0, bits: 2 });
    await daemon.start();
    await time.until(() => expect(removed).toEqual([alice]));
    expect(cards).toEqual([alice]);
  });

  it('and lies there all the same by what the reader says is removed, and the reader is down (ghost)', async () => {
    const { daemon, time, cards, counts, removed, recorded } = await withCard(alice);
    Object.assign(daemon.readers[0] ?? {}, { answers: removedCard });
    await time.until(() => expect(removed).toEqual([alice]));
    expect(counts).toMatchObject({ up: 1, down: 1 });
    expect(recorded.text()).toContain('shows a card that no longer answers');
    Object.assign(daemon.readers[0] ?? {}, { answers: uid(bob) });
    await time.until(() => expect(cards).toEqual([alice, bob]));
    expect(counts).toMatchObject({ up: 2, down: 1, garbage: 0 });
  });

  it('is no badge when the ghost turns out to be itself, forgotten there (I1)', async () => {
    const { daemon, time, cards, counts, removed } = await withCard(alice);
    Object.assign(daemon.readers[0] ?? {}, { answers: removedCard });
    await time.until(() => expect(removed).toEqual([alice]));
    Object.assign(daemon.readers[0] ?? {}, { answers: uid(alice) });
    await time.until(() => expect(counts.up).toBe(2));
    expect(cards).toEqual([alice]);
    expect(daemon.readers[0]?.name).toBe(acr);
  });
});
