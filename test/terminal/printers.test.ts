/** Several printers at one screen: whoever is there picks, is offered another where the chosen one will not do, and is told where. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { PrinterView } from '../../src/domain/terminal/terminal-view.ts';
import type { Demand, PrinterAtHand, PrintersAtHand } from '../../src/terminal/printers/at-hand.ts';
import { printerThatCan } from '../support/terminal/login-world.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const ready: PrinterView = { lamp: 'ready' };

interface Sort extends Partial<PrinterAtHand> {
  readonly cannot?: readonly Demand[];
  readonly is?: () => PrinterView;
}

const printer = (name: string, { cannot = [], is = () => ready, ...more }: Sort = {}): PrinterAtHand =>
  printerThatCan({ name, view: is, does: (demand) => !cannot.includes(demand), ...more });

async function standBefore(printers: PrintersAtHand, options: Parameters<typeof terminalStage>[0] = {}) {
  const stage = terminalStage({ canBeAsked: true, ...options, printers });
  await stage.tap(alice);
  const shown = () => stage.terminal.view.current();
  return {
    ...stage,
    shown,
    async pick(name: string, generation = stage.generation()) {
      stage.terminal.tell({ type: 'printer', printer: name, generation });
      await stage.turn();
    },
    async print(...documentUuids: string[]) {
      stage.terminal.tell({ type: 'release', documentUuids, generation: stage.generation() });
      await stage.turn();
    },
  };
}

const two: PrintersAtHand = [printer('Lobby'), printer('Colour')];

describe('the choice', () => {
  it('is the default at first; all is printed where it leads, until the session is over', async () => {
    const { shown, pick, print, ends, tickets, tap, turn, terminal, generation } = await standBefore(two);
    expect(shown()).toMatchObject({
      printers: [
        { name: 'Lobby', is: ready },
        { name: 'Colour', is: ready },
      ],
      chosenPrinter: 'Lobby',
    });
    await pick('Colour');
    expect(shown()).toMatchObject({ state: 'choosing', chosenPrinter: 'Colour' });
    await print('one');
    expect(shown().progress).toMatchObject([{ documentUuid: 'one', printer: 'Colour' }]);
    ends.get('one')?.();
    await turn();
    terminal.tell({ type: 'log-out', generation: generation() });
    await tap(bob);
    expect(shown()).toMatchObject({ state: 'choosing', chosenPrinter: 'Lobby' });
    await tap(bob);
    expect(tickets.map((ticket) => ticket.printer)).toEqual(['Colour', 'Lobby', 'Lobby']);
  });

  it('holds for the second badge, and for what is printed while something is', async () => {
    const { pick, print, tap, tickets } = await standBefore(two, {
      documents: ['one', 'two', 'three'].map((uuid) => documentNamed(uuid)),
    });
    await print('one');
    await pick('Colour');
    await print('two');
    expect(tickets.map((ticket) => ticket.printer)).toEqual(['Lobby', 'Colour']);
    await tap(alice);
    await tap(bob);
    await pick('Colour');
    await tap(bob);
    expect(tickets.slice(2).map((ticket) => ticket.printer)).toEqual(['Colour', 'Colour', 'Colour']);
  });

  it.each<[string, (at: Awaited<ReturnType<typeof standBefore>>) => Promise<void>]>([
    ['in answer to an older screen', (at) => at.pick('Colour', at.generation() - 1)],
    ['of a printer that is not there', (at) => at.pick('Attic')],
    [
      'after the session',
      async (at) => {
        const generation = at.generation();
        at.terminal.tell({ type: 'log-out', generation });
        await at.pick('Colour', generation);
        await at.tap(alice);
      },
    ],
  ])('is nothing %s', async (_when, picks) => {
    const at = await standBefore(two);
    await picks(at);
    expect(at.shown().chosenPrinter).toBe('Lobby');
    expect(at.log.records('choice ignored')).toHaveLength(1);
  });

  it('is none where there is one printer', async () => {
    const { shown, pick } = await standBefore([printerThatCan()]);
    await pick('Lobby');
    expect(shown()).not.toHaveProperty('chosenPrinter');
    expect(shown()).not.toHaveProperty('printers');
  });

  it('brings the printer its settings: what it costs is asked anew, and what was changed may be taken back', async () => {
    const asked: boolean[] = [];
    const grey = printer('Grey', {
      can: () => ({ grey: false, twoSided: false, copies: 1 }),
      monochrome: true,
    });
    const at = await standBefore([printer('Colour'), grey], {
      documents: [documentNamed('one', { colorPages: 2, totalPages: 2, sides: 'one-sided' })],
      quote: async ({ monochrome }) => void asked.push(monochrome),
    });
    const { terminal, generation, pick, print, shown, tickets, turn } = at;
    const change = { copies: 1, color: true, sides: 'two-sided-long-edge' } as const;
    terminal.tell({ type: 'change', documentUuid: 'one', generation: generation(), ...change });
    await turn();
    await pick('Grey');
    expect(asked).toEqual([false, false, true]);
    expect(shown().documents).toMatchObject([
      { color: false, sides: 'two-sided-long-edge', options: { twoSided: true, grey: false } },
    ]);
    await print('one');
    expect(tickets).toMatchObject([{ printer: 'Grey', monochrome: true, changed: { twoSided: true } }]);
  });
});

describe('another printer is offered', () => {
  const away: PrinterView = { lamp: 'unreachable' };
  const jammed: PrinterView = { lamp: 'needs-attention', needs: 'jam' };
  const colourful = documentNamed('one', { colorPages: 3 });
  const onA3 = documentNamed('two', { paperSize: 'A3' });
  const bothSides = documentNamed('three', { sides: 'two-sided-long-edge' });

  it.each<[string, PrintersAtHand, readonly Document[], object | undefined]>([
    [
      'where the chosen one is away: the next that works',
      [printer('A', { is: () => away }), printer('B', { is: () => jammed }), printer('C')],
      [colourful, onA3],
      { printer: 'C', why: 'trouble', documentUuids: ['one', 'two'] },
    ],
    [
      'where it needs something: for what the other can print as well',
      [printer('A', { is: () => jammed }), printer('B', { cannot: ['color'] })],
      [colourful, onA3],
      { printer: 'B', why: 'trouble', documentUuids: ['two'] },
    ],
    [
      'nowhere, where all are away',
      [printer('A', { is: () => away }), printer('B', { is: () => away })],
      [onA3],
      undefined,
    ],
    ['nowhere, where all is well', two, [colourful, onA3, bothSides], undefined],
    ['nowhere, where nothing waits', [printer('A', { is: () => away }), printer('B')], [], undefined],
    [
      'for colour',
      [
        printer('A', { cannot: ['color', 'paper'] }),
        printer('B', { cannot: ['color'] }),
        printer('C', { cannot: ['paper'] }),
      ],
      [colourful, onA3],
      { printer: 'C', why: 'color', documentUuids: ['one'] },
    ],
    [
      'for its paper',
      [printer('A', { cannot: ['paper'] }), printer('B')],
      [colourful, onA3],
      { printer: 'B', why: 'paper', documentUuids: ['two'] },
    ],
    [
      'for both sides',
      [printer('A', { cannot: ['two-sided'] }), printer('B')],
      [bothSides],
      { printer: 'B', why: 'two-sided', documentUuids: ['three'] },
    ],
    [
      'not where it does not say that it can',
      [printer('A', { cannot: ['color'] }), printer('B', { does: () => undefined })],
      [colourful],
      undefined,
    ],
  ])('%s', async (_where, printers, documents, offer) => {
    const { shown } = await standBefore(printers, { documents: [...documents] });
    expect(shown().instead).toEqual(offer);
  });

  it('after the chosen one, and then from the first again', async () => {
    let lobby = ready;
    const { shown, pick } = await standBefore([
      printer('A', { is: () => lobby }),
      printer('B', { is: () => jammed }),
      printer('C'),
    ]);
    await pick('B');
    expect(shown().instead).toMatchObject({ printer: 'C' });
    await pick('A');
    lobby = away;
    expect(shown().instead).toMatchObject({ printer: 'C' });
  });

  it('for a document that the chosen one does not take, and not back to it', async () => {
    const { print, ends, turn, shown, pick } = await standBefore(two);
    await print('one');
    ends.get('one')?.(new Problem('document-not-printable', 'no such format', { delivery: 'not-sent' }));
    await turn();
    expect(shown().instead).toEqual({ printer: 'Colour', why: 'format', documentUuids: ['one'] });
    await pick('Colour');
    expect(shown().instead).toBeUndefined();
  });

  it('when the printer goes away between the choice and the print, and what failed is tried again there', async () => {
    let lobby = ready;
    const { print, ends, turn, shown, pick, tickets } = await standBefore([
      printer('Lobby', { is: () => lobby }),
      printer('Colour'),
    ]);
    await print('one');
    lobby = away;
    ends.get('one')?.(new Problem('printer-unreachable', 'gone', { delivery: 'not-sent' }));
    await turn();
    expect(shown()).toMatchObject({
      trouble: { code: 'printer-unreachable', documentUuids: ['one'] },
      instead: { printer: 'Colour', why: 'trouble', documentUuids: ['one', 'two'] },
    });
    await pick('Colour');
    expect(shown().trouble).toMatchObject({ code: 'release-abandoned', documentUuids: ['one'] });
    await print('one');
    expect(tickets.map((ticket) => ticket.printer)).toEqual(['Lobby', 'Colour']);
  });

  it.each([
    ['is left to who is there, where another one can', ready, true, 'choosing', 0],
    ['is carried out where none can', away, true, 'releasing', 2],
    ['is carried out where nobody can be asked', ready, false, 'releasing', 2],
  ])('autoRelease to a printer that is away %s', async (_what, other, canBeAsked, state, printed) => {
    const printers: PrintersAtHand = [printer('A', { is: () => away }), printer('B', { is: () => other })];
    const { shown, tickets } = await standBefore(printers, { autoRelease: true, canBeAsked });
    expect(shown().state).toBe(state);
    expect(tickets).toHaveLength(printed);
  });

  it('for what comes in late as for what was there: autoRelease leaves both to who is there', async () => {
    const documents: Document[] = [];
    const { shown, tickets, clock, turn } = await standBefore(
      [printer('A', { is: () => away }), printer('B')],
      { autoRelease: true, list: async () => [...documents] },
    );
    documents.push(onA3);
    await clock.advance(seconds(11));
    await turn();
    expect([shown().state, shown().waiting, tickets]).toEqual(['choosing', 1, []]);
    await clock.advance(seconds(5));
    expect(shown()).toMatchObject({ state: 'choosing', instead: { printer: 'B', why: 'trouble' } });
  });

  it('to nobody who may not print here', async () => {
    const { shown } = await standBefore([printer('A', { is: () => away }), printer('B')], {
      mayPrint: async () => false,
    });
    expect(shown()).toMatchObject({ notHere: true });
    expect(shown()).not.toHaveProperty('instead');
  });
});
