import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Turn, TurnOptions, TurnWish } from '../../src/release/turns.ts';
import { printerAddress } from '../../src/domain/printer/printer-address.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';

const printerUri = 'ipp://printer/ipp/print';
const patient = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function lineUp() {
  const turns = createPrinterTurns();
  /** Who got the printer, in order. */
  const came: string[] = [];
  const places = new Map<string, number[]>();
  const ask = (
    name: string,
    wish: Partial<TurnWish & TurnOptions> = {},
    signal: AbortSignal = patient,
  ): Turn => {
    places.set(name, []);
    const turn = turns.ask({
      terminal: name,
      rank: 'new',
      onPlace: (before) => places.get(name)?.push(before),
      ...wish,
    });
    turn.come({ printerUri: wish.printerUri ?? printerUri, signal }).then(
      () => came.push(name),
      () => came.push(`${name} left`),
    );
    return turn;
  };
  return { ask, came, places };
}

describe('a turn at a printer', () => {
  it('comes at once where nobody is, and to the next when it is over', async () => {
    const { ask, came } = lineUp();
    const first = ask('lobby');
    ask('stairs');
    await settled();
    expect(came).toEqual(['lobby']);
    first[Symbol.dispose]();
    await settled();
    expect(came).toEqual(['lobby', 'stairs']);
  });

  it('is given back once, however often it is disposed of', async () => {
    const { ask, came } = lineUp();
    const first = ask('lobby');
    ask('stairs');
    ask('roof');
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await settled();
    expect(came).toEqual(['lobby', 'stairs']);
  });

  it('that is no longer waited for is left out', async () => {
    const { ask, came } = lineUp();
    const first = ask('lobby');
    const leaving = new AbortController();
    ask('stairs', {}, leaving.signal);
    ask('roof')[Symbol.dispose]();
    ask('cellar');
    leaving.abort();
    first[Symbol.dispose]();
    await settled();
    expect(came).toEqual(['lobby', 'stairs left', 'cellar']);
  });

  it('that was waited for in vain from the start takes no place', async () => {
    const { ask, came } = lineUp();
    const first = ask('lobby');
    ask('stairs', {}, AbortSignal.abort());
    first[Symbol.dispose]();
    ask('roof');
    await settled();
    expect(came).toEqual(['lobby', 'stairs left', 'roof']);
  });

  it('comes first to what a restart found open', async () => {
    const { ask, came } = lineUp();
    const first = ask('lobby');
    ask('stairs');
    ask('roof', { rank: 'resumed' });
    first[Symbol.dispose]();
    await settled();
    expect(came).toEqual(['lobby', 'roof']);
  });

  it('is waited for at the same printer only', async () => {
    const { ask, came } = lineUp();
    ask('lobby');
    ask('stairs', { printerUri: 'ipp://another/ipp/print' });
    await settled();
    expect(came).toEqual(['lobby', 'stairs']);
  });

  it('tells those who wait how many come before them, but nobody who waits for their own terminal', async () => {
    const { ask, places } = lineUp();
    const first = ask('lobby');
    const second = ask('stairs');
    ask('roof');
    ask('own', { terminal: 'lobby' });
    expect([places.get('stairs'), places.get('own')]).toEqual([[1, 1, 1], []]);
    expect(places.get('roof')?.at(-1)).toBe(2);
    first[Symbol.dispose]();
    expect(places.get('stairs')?.at(-1)).toBe(0);
    expect([places.get('roof')?.at(-1), places.get('own')?.at(-1)]).toEqual([1, 2]);
    second[Symbol.dispose]();
    expect(places.get('roof')?.at(-1)).toBe(0);
  });

  it('between two turns of one terminal every other one that waits has had one', async () => {
    const terminals = ['a', 'b', 'c', 'd'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ask', 'pass'), { maxLength: 60 }),
        fc.infiniteStream(fc.constantFrom(...terminals)),
        async (steps, who) => {
          const turns = createPrinterTurns();
          const waiting = new Map<string, Turn>();
          /** Each turn, and who waited when it was over. */
          const history: { readonly terminal: string; waited: readonly string[] }[] = [];
          let held: Turn | undefined;
          for (const step of steps) {
            const terminal = who.next().value;
            if (step === 'pass') {
              const last = history.at(-1);
              if (held && last) last.waited = [...waiting.keys()].filter((one) => one !== last.terminal);
              held?.[Symbol.dispose]();
              held = undefined;
              await settled();
            } else if (!waiting.has(terminal)) {
              const turn = turns.ask({ terminal, rank: 'new', onPlace: () => {} });
              waiting.set(terminal, turn);
              const arrive = async () => {
                await turn.come({ printerUri, signal: patient });
                waiting.delete(terminal);
                held = turn;
                history.push({ terminal, waited: [] });
              };
              void arrive();
              await settled();
            }
          }
          for (const [index, { terminal, waited }] of history.entries()) {
            const next = history.findIndex((one, later) => later > index && one.terminal === terminal);
            if (next < 0) continue;
            const between = history.slice(index + 1, next).map((one) => one.terminal);
            expect(waited.filter((other) => !between.includes(other))).toEqual([]);
          }
          // Nobody waits for a printer that is free.
          expect(waiting.size === 0 || held !== undefined).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the address of a printer', () => {
  it.each([
    ['ipp://Printer/ipp/print', 'ipp://printer:631/ipp/print'],
    ['ipp://printer:631/ipp/print', 'ipp://printer/ipp/print'],
    ['ipps://printer/ipp/print', 'ipps://PRINTER:631/ipp/print'],
    ['socket://printer', 'socket://printer:9100/'],
    ['ipp://[FD00::7]/ipp/print', 'ipp://[fd00::7]:631/ipp/print'],
    ['cups:Office', 'cups://localhost:631/office'],
    ['cups://Server/Office', 'cups://server:631/office'],
  ])('%s and %s are one printer', (one, other) => {
    expect(printerAddress(one)).toBe(printerAddress(other));
  });

  it.each([
    ['ipp://printer/ipp/print', 'ipp://printer/ipp/other'],
    ['ipp://printer:631/', 'ipp://printer:8631/'],
    ['ipp://printer/ipp/print', 'socket://printer'],
    ['cups:office', 'cups:lobby'],
    ['windows:Office', 'windows:Lobby'],
  ])('%s and %s are two', (one, other) => {
    expect(printerAddress(one)).not.toBe(printerAddress(other));
  });
});
