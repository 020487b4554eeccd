/** What a printer was found to do in its own way is remembered with its identity, and forgotten with it. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { KnownPrinter, PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { createAcquaintance } from '../../../src/printing/ipp/wire/acquaintance.ts';
import { ippAddress } from '../../../src/printing/ipp/wire/ipp-address.ts';
import { recordLog } from '../../support/recorded-log.ts';

const uri = 'ipp://10.0.0.7/ipp/print';
const habits = { counts: 'while-printing', cutsNamesAt: 63 } as const;

function stage(known?: Partial<KnownPrinter>) {
  let held: KnownPrinter | undefined = known && { uri, ...known };
  const memory: PrinterMemory = {
    recall: () => held,
    keep: (_, next) => {
      held = next;
    },
    all: () => (held ? [held] : []),
  };
  const open = () =>
    createAcquaintance({
      address: ippAddress(uri),
      memory,
      trust: 'auto',
      clock: systemClock,
      log: recordLog().log,
    });
  return {
    open,
    approve: (next: Partial<KnownPrinter>) => memory.keep('', { uri, ...next }),
    held: () => held,
  };
}

describe('the habits of a printer', () => {
  it('are kept for the next start, where it tells who it is', () => {
    const { open } = stage();
    const first = open();
    first.recognise({ uuid: 'urn:uuid:1' });
    first.learn(habits);
    expect(open().habits()).toEqual(habits);
  });

  it('are forgotten when an administrator approves another printer, also while the agent runs', () => {
    const { open, approve } = stage();
    const running = open();
    running.recognise({ uuid: 'urn:uuid:1' });
    running.learn(habits);
    approve({ identity: { uuid: 'urn:uuid:2' } });
    running.recognise({ uuid: 'urn:uuid:2' });
    expect(running.habits()).toEqual({});
    running.learn({ cutsNamesAt: 80 });
    expect(running.habits()).toEqual({ cutsNamesAt: 80 });
  });

  it('say nothing of its counters after a restart, where it tells nobody who it is (I1)', () => {
    const { open } = stage();
    const first = open();
    first.recognise({});
    first.learn(habits);
    first.recognise({});
    expect(first.habits()).toMatchObject(habits);
    expect(open().habits()).toEqual({ cutsNamesAt: 63, counts: undefined });
  });

  it('are none while what is remembered cannot be read, which is told where it is needed', () => {
    const broken: PrinterMemory = {
      recall: () => {
        throw new Problem('state-unusable', 'damaged');
      },
      keep: () => {},
      all: () => [],
    };
    const acquaintance = createAcquaintance({
      address: ippAddress(uri),
      memory: broken,
      trust: 'auto',
      clock: systemClock,
      log: recordLog().log,
    });
    expect(acquaintance.habits()).toEqual({});
    expect(() => acquaintance.recognise({})).toThrow('damaged');
  });
});
