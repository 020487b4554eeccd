/** Cost, balance, and what of the documents fits (INVARIANTS.md B.4, 4 Balance). */
import { describe, expect, it } from 'vitest';
import { parseAmount, zero } from '../../src/domain/amount.ts';
import type { Quote } from '../../src/domain/balance.ts';
import type { Chargeable } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const amount = (text: string) => parseAmount(text) ?? zero;
const documents = ['one', 'two', 'three'].map((uuid) => documentNamed(uuid));
/** As a service with this balance answers for documents of these costs; it does not know those left out. */
const priced =
  (balance: string, costs: Record<string, string>) =>
  async ({ document }: Chargeable): Promise<Quote | undefined> => {
    const cost = costs[document.uuid];
    return cost === undefined
      ? undefined
      : { cost: amount(cost), balance: amount(balance), isSufficient: amount(cost) <= amount(balance) };
  };
const released = (tickets: readonly { document: { uuid: string } }[]) =>
  tickets.map(({ document }) => document.uuid);

describe('a person who chooses', () => {
  it('sees balance and costs, and how many documents fit', async () => {
    const { tap, terminal, sentence } = terminalStage({
      documents,
      quote: priced('3.2', { one: '1.4', two: '9', three: '1.4' }),
    });
    await tap(alice);
    expect(sentence()).toBe(
      'Your balance is 3.20. 2 of 3 documents fit (2.80). Hold your card to the reader again to print.',
    );
    expect(terminal.view.current().balance).toEqual({
      balance: '3.20',
      cost: '2.80',
      fitting: 2,
      tooDear: 1,
      costs: [
        { cost: '1.40', fits: true },
        { cost: '9.00', fits: false },
        { cost: '1.40', fits: true },
      ],
    });
  });

  it.each([
    ['1', 'Your balance is 3.20. Your document fits (1.00). Hold your card to the reader again to print.'],
    ['9', 'Your balance is 3.20. Your document costs too much (9.00).'],
  ])('reads of a single document of %s: %s', async (cost, words) => {
    const { tap, sentence } = terminalStage({
      documents: documents.slice(0, 1),
      quote: priced('3.2', { one: cost }),
    });
    await tap(alice);
    expect(sentence()).toBe(words);
  });

  it('sees the costs come in one after the other, asked for one at a time (B.4, 4)', async () => {
    const answers: ((quote: Quote) => void)[] = [];
    const { tap, turn, sentence } = terminalStage({
      documents,
      quote: () => new Promise((resolve) => answers.push(resolve)),
    });
    await tap(alice);
    expect([sentence(), answers.length]).toEqual(['Hold your card to the reader again to print.', 1]);
    answers[0]?.({ cost: amount('1'), balance: amount('3'), isSufficient: true });
    await turn();
    expect(sentence()).toContain('1 of the first 1 documents fit (1.00).');
    expect(answers).toHaveLength(2);
  });

  it.each([
    ['prints are not charged', {}, 1],
    ['the service stops answering', { one: '1' }, 2],
  ])('is asked for no further where %s', async (_words, costs, calls) => {
    let asked = 0;
    const quote = priced('3', costs);
    const { tap } = terminalStage({
      documents,
      quote: (wanted) => {
        asked += 1;
        return quote(wanted);
      },
    });
    await tap(alice);
    expect(asked).toBe(calls);
  });

  it('gets quotes for fifty documents at most', async () => {
    const many = Array.from({ length: 60 }, (_, i) => documentNamed(`d-${i}`));
    const costs = Object.fromEntries(many.map(({ uuid }) => [uuid, '0.01']));
    const { tap, sentence } = terminalStage({ documents: many, quote: priced('3', costs) });
    await tap(alice);
    expect(sentence()).toContain('50 of the first 50 documents fit (0.50).');
  });

  it('who leaves is quoted nothing more, and the next person sees nothing of it (I3, D2)', async () => {
    const answers: ((quote: Quote) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { tap, terminal, turn } = terminalStage({
      documents,
      quote: (_wanted, { signal }) => {
        signals.push(signal);
        return new Promise((resolve) => answers.push(resolve));
      },
    });
    await tap(alice);
    await tap(bob);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    answers[0]?.({ cost: amount('1'), balance: amount('777'), isSufficient: true });
    await turn();
    expect(answers).toHaveLength(2);
    expect(JSON.stringify(terminal.view.current())).not.toContain('777');
  });
});

describe('the second badge', () => {
  it('releases what fits, in order, and leaves the rest where it is', async () => {
    const { tap, tickets } = terminalStage({
      documents,
      quote: priced('3.2', { one: '1.4', two: '9', three: '1.4' }),
    });
    await tap(alice);
    await tap(alice);
    expect(released(tickets)).toEqual(['one', 'three']);
  });

  it('releases also what was not quoted yet: the desk asks again (I9)', async () => {
    const { tap, tickets } = terminalStage({ documents, quote: priced('1', { one: '1.4' }) });
    await tap(alice);
    await tap(alice);
    expect(released(tickets)).toEqual(['two', 'three']);
  });

  it('closes the session where nothing fits', async () => {
    const { tap, tickets, closed } = terminalStage({
      documents: documents.slice(0, 1),
      quote: priced('1', { one: '1.4' }),
    });
    await tap(alice);
    await tap(alice);
    expect([tickets.length, closed()]).toEqual([0, ['badge']]);
  });
});

describe('with autoRelease', () => {
  it('nothing is quoted, and the person reads why a document did not come out (I12)', async () => {
    const quote = () => Promise.reject(new Error('not to be asked'));
    const { tap, tickets, ends, turn, sentence, closed } = terminalStage({
      autoRelease: true,
      documents,
      quote,
    });
    await tap(alice);
    expect(released(tickets)).toEqual(['one', 'two', 'three']);
    ends.get('one')?.(new Problem('balance-insufficient', 'the balance does not cover the cost'));
    ends.get('two')?.();
    ends.get('three')?.();
    await turn();
    expect([closed(), sentence()]).toEqual([
      ['released'],
      '1 of 3 documents may be missing. Please look at the tray. Your balance is not enough for this document.',
    ]);
    await tap(bob);
    expect(sentence()).not.toContain('balance');
  });
});
