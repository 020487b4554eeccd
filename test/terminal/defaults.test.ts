/** How a person wants their documents is kept with their badge, and is on the list when they sign in next: seen, undone, forgotten. */
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import type { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Defaults } from '../../src/domain/document-changes.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const plan: Partial<Document> = { totalPages: 4, colorPages: 4, copies: 3, sides: 'one-sided' };
const both = { grey: true, twoSided: true };
const saved = { color: false, sides: 'two-sided-long-edge' };
const asSent = { color: true, sides: 'one-sided' };

function standWith(more: Parameters<typeof terminalStage>[0] = {}, before?: Defaults) {
  const kept = new Map<string, Defaults>(before ? [[alice.reveal(), before]] : []);
  const defaults = {
    of: (card: CardNumber) => kept.get(card.reveal()),
    keep: (card: CardNumber, wanted: Defaults) => void kept.set(card.reveal(), wanted),
    forget: (card: CardNumber) => void kept.delete(card.reveal()),
  };
  const documents = [documentNamed('one', plan), documentNamed('two', plan)];
  const at = terminalStage({ defaults, documents, ...more });
  const { terminal, generation } = at;
  return {
    ...at,
    kept,
    view: () => terminal.view.current(),
    shown: () => terminal.view.current().documents ?? [],
    keep: (wanted: Defaults) => terminal.tell({ type: 'keep-defaults', generation: generation(), ...wanted }),
    forget: () => terminal.tell({ type: 'forget-defaults', generation: generation() }),
    change: (documentUuid: string, wanted: object) =>
      terminal.tell({
        type: 'change',
        generation: generation(),
        documentUuid,
        copies: 3,
        ...asSent,
        ...wanted,
      } as Parameters<typeof terminal.tell>[0]),
  };
}

describe('what is kept', () => {
  it('is on all of the list at once, and with this badge when it is held next, and no other', async () => {
    const { tap, keep, view, shown, kept } = standWith();
    await tap(alice);
    expect(view().defaults).toEqual({});
    keep(both);
    expect(view().defaults).toEqual({ kept: both });
    expect(shown()).toMatchObject([saved, saved]);
    await tap(bob);
    expect(view().defaults).toEqual({});
    expect(shown()).toMatchObject([asSent, asSent]);
    await tap(alice);
    expect(shown()).toMatchObject([
      { ...saved, copies: 3 },
      { ...saved, copies: 3 },
    ]);
    expect([...kept]).toEqual([[alice.reveal(), both]]);
  });

  it.each([true, false])(
    'is what a badge alone releases, with autoRelease (%s) or held twice',
    async (auto) => {
      const { tap, tickets } = standWith({ autoRelease: auto }, both);
      await tap(alice);
      if (!auto) await tap(alice);
      expect(tickets).toMatchObject([
        { document: { grayscale: true, sides: saved.sides }, changed: both },
        { document: { grayscale: true, sides: saved.sides }, changed: both },
      ]);
    },
  );

  it('is no more than printer and document offer', async () => {
    const { tap, shown, tickets } = standWith(
      {
        printerCan: () => ({ grey: true, twoSided: false, copies: 99 }),
        documents: [documentNamed('one', plan), documentNamed('grey', { ...plan, grayscale: true })],
      },
      both,
    );
    await tap(alice);
    expect(shown()).toMatchObject([
      { color: false, sides: 'one-sided' },
      { color: false, sides: 'one-sided' },
    ]);
    await tap(alice);
    expect(tickets.map(({ changed }) => changed)).toEqual([{ grey: true }, undefined]);
  });

  it('leaves a document as the person changed it, through every list of the session', async () => {
    const { tap, change, keep, shown, terminal, generation, ends, turn, forget } = standWith({}, both);
    await tap(alice);
    change('one', { color: true, sides: 'one-sided' });
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['two'] });
    ends.get('two')?.(new Problem('printer-refused-job', 'no'));
    await turn();
    expect(shown()).toMatchObject([asSent, saved]);
    keep({ grey: false, twoSided: true });
    expect(shown()).toMatchObject([asSent, { color: true, sides: saved.sides }]);
    forget();
    expect(shown()).toMatchObject([asSent, asSent]);
  });

  it('is forgotten by one touch, and by keeping nothing', async () => {
    const { tap, view, forget, keep, kept, shown } = standWith({}, both);
    await tap(alice);
    forget();
    expect([view().defaults, kept.size]).toEqual([{}, 0]);
    expect(shown()).toMatchObject([asSent, asSent]);
    keep({ grey: true, twoSided: false });
    keep({ grey: false, twoSided: false });
    expect([view().defaults, kept.size]).toEqual([{}, 0]);
  });

  it('is not offered to who typed, and kept of nobody by an older view', async () => {
    const { terminal, generation, turn, keep, view, kept, tap } = standWith({
      offer: { ways: ['short-id'] },
    });
    terminal.tell({
      type: 'log-in',
      generation: generation(),
      credentials: { kind: 'short-id', shortId: new Secret('4711') },
    });
    await turn();
    keep(both);
    expect([view().state, view().defaults, kept.size]).toEqual(['choosing', undefined, 0]);
    await tap(alice);
    terminal.tell({ type: 'keep-defaults', generation: generation() - 1, ...both });
    expect(kept.size).toBe(0);
  });

  it('what the disk refuses is said, and all stays as it was', async () => {
    const refused = new Problem('store-refused', 'the disk is full');
    const { tap, keep, forget, view, shown, log } = standWith({
      defaults: {
        of: () => ({ grey: true, twoSided: false }),
        keep: () => {
          throw refused;
        },
        forget: () => {
          throw refused;
        },
      },
    });
    await tap(alice);
    for (const say of [() => keep(both), forget]) {
      say();
      expect(view()).toMatchObject({
        notice: { code: 'defaults-not-kept' },
        defaults: { kept: { grey: true, twoSided: false } },
      });
      expect(shown()).toMatchObject([{ color: false, sides: 'one-sided' }, {}]);
    }
    expect(log.records('defaults not kept')).toMatchObject([{ code: 'store-refused' }, {}]);
    expect(log.text()).not.toContain(alice.reveal());
  });
});
