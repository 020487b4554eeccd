import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import type { Setting } from '../../src/domain/terminal/terminal-settings.ts';
import { createAddressGuard } from '../../src/printing/address-guard.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { Whereabouts } from '../../src/station/printer.ts';
import { StationPrinter } from '../../src/station/printer.ts';
import { recordLog } from '../support/recorded-log.ts';

const guard = createAddressGuard({
  network: {
    allow: ['10.0.0.0/24'],
    ports: [{ first: 631, last: 9100 }],
    schemes: ['ipp', 'ipps', 'socket'],
  },
  own: () => [],
});

const said = <Value>(value: Value): Setting<Value> => ({ value, from: 'output port' });
const at = (uri: string, protocol: 'ipp' | 'tcp' | 'spooler' = 'ipp'): Whereabouts => ({
  printerUri: said(uri),
  printProtocol: said(protocol),
});

function printerAt(whereabouts: Whereabouts) {
  let inUse = false;
  let moves = 0;
  const printer = new StationPrinter({
    at: whereabouts,
    guard,
    isInUse: () => inUse,
    onMove: () => (moves += 1),
    outputType: 'auto',
    pjl: 'auto',
    plainFolder: '/nowhere',
    chance: systemChance,
    stall: seconds(5),
    clock: systemClock,
    log: recordLog().log,
    trust: systemTrust(),
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  const signal = new AbortController().signal;
  return {
    printer,
    moves: () => moves,
    use: (yes: boolean) => (inUse = yes),
    describePrinter: () => printer.describe({ signal }),
  };
}

describe('the printer of a terminal', () => {
  it('stays where it is while it is in use, and moves after that (B.4, 11)', () => {
    const { printer, moves, use } = printerAt(at('ipp://10.0.0.7/ipp/print'));
    use(true);
    printer.moveTo(at('ipp://10.0.0.8/ipp/print'));
    expect([printer.uri, moves()]).toEqual(['ipp://10.0.0.7:631/ipp/print', 0]);
    use(false);
    printer.settle();
    expect([printer.uri, moves()]).toEqual(['ipp://10.0.0.8:631/ipp/print', 1]);
    printer.settle();
    expect(moves()).toBe(1);
  });

  it('does not move when the service takes its word back meanwhile', () => {
    const { printer, moves, use } = printerAt(at('ipp://10.0.0.7/ipp/print'));
    use(true);
    printer.moveTo(at('ipp://10.0.0.8/ipp/print'));
    printer.moveTo(at('ipp://10.0.0.7/ipp/print'));
    use(false);
    printer.settle();
    expect([printer.uri, moves()]).toEqual(['ipp://10.0.0.7:631/ipp/print', 0]);
  });

  it('that was not known is taken at once, whoever stands there', () => {
    const { printer, use } = printerAt(at(''));
    use(true);
    printer.moveTo(at('ipp://10.0.0.7/ipp/print'));
    expect(printer.uri).toBe('ipp://10.0.0.7:631/ipp/print');
  });

  it.each([
    [at(''), 'printer-unreachable', 'the service has not told where the printer is'],
    [at('', 'spooler'), 'printer-unsupported', 'by a spooler; this version prints by IPP and raw TCP'],
    [
      at('ipp://10.0.1.7/'),
      'printer-address-refused',
      'the service says ipp://10.0.1.7/: 10.0.1.7 is in no network of printerNetwork.allow',
    ],
  ] as const)('%j is told as %s', async (whereabouts, code, message) => {
    const { describePrinter } = printerAt(whereabouts);
    await expect(describePrinter()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
      delivery: 'not-sent',
    });
  });

  it('may come to speak another protocol, and each release asks for the one of its moment', () => {
    const { printer } = printerAt(at('ipp://10.0.0.7/ipp/print'));
    expect(printer.present().kind).toBe('jobs');
    printer.moveTo(at('socket://10.0.0.7:9100', 'tcp'));
    expect(printer.present()).toMatchObject({ kind: 'bytes', uri: 'socket://10.0.0.7:9100/' });
    printer.moveTo(at(''));
    expect(printer.present()).toMatchObject({ kind: 'bytes', uri: '' });
  });

  it('of the configuration is nobody else’s concern: loopback is as good as any', () => {
    const { printer } = printerAt({
      printerUri: { value: 'ipp://127.0.0.1:8631/ipp/print', from: 'config' },
      printProtocol: { value: 'ipp', from: 'config' },
    });
    expect(printer.uri).toBe('ipp://127.0.0.1:8631/ipp/print');
  });
});
