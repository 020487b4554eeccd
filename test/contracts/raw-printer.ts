/**
 * What every raw printer must let `src/printing` do, whatever stands behind the URI: socat or the virtual printer. What
 * came out is read from the printer's side, never from the agent's.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import { hastyClock } from '../support/hasty-clock.ts';
import type { openRawPrinterHere } from '../support/printer/raw-printers.ts';
import { openRawPrinter, sendBytes } from '../support/printer/raw-printers.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

/** The printer's side. */
export interface RawPrinterStage extends AsyncDisposable {
  readonly uri: string;
  /** Everything that came, a connection each, PJL and document; those that brought no document may be left out. */
  received(): Promise<readonly Buffer[]>;
  /** It takes no more bytes, and says nothing. */
  freeze(): Promise<void>;
  /** It breaks every connection that it has. */
  breakOff(): Promise<void>;
  /** Nobody listens any more. */
  switchOff(): Promise<void>;
}

/** More than the buffers of a connection hold. */
const large = 16_000_000;

/** Defines the tests; stands within a `describe`. */
export function rawPrinterContract(
  startStage: () => Promise<RawPrinterStage>,
  open: typeof openRawPrinterHere = openRawPrinter,
): void {
  const setUp = async (): Promise<RawPrinterStage> => {
    const stage = await startStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    return stage;
  };
  const documents = async (stage: RawPrinterStage) =>
    (await stage.received()).filter((all) => all.includes('%PDF'));
  const whole = (stage: RawPrinterStage, count: number) =>
    eventually(async () => {
      const received = await documents(stage);
      expect(received).toHaveLength(count);
      return received;
    });

  it.each([false, true])(
    'is described as ready, and brings nothing out by that (asked for: %s)',
    async (isAskedFor) => {
      const stage = await setUp();
      const description = await open(stage.uri).describe({ ...withoutLimit(), isAskedFor });
      expect(description).toMatchObject({ ready: true, state: 'idle', acceptingJobs: true });
      expect(await documents(stage)).toEqual([]);
    },
  );

  it.each([1000, 1_000_000, 20_000_000])(
    'takes a document of %i octets, unchanged and once, without PJL',
    async (length) => {
      const stage = await setUp();
      const onFirstByte = vi.fn<() => void>();
      await sendBytes(open(stage.uri, { pjl: 'off' }), pdfOf(length), { onFirstByte });
      expect(onFirstByte).toHaveBeenCalledTimes(1);
      const [document] = await whole(stage, 1);
      expect(document?.equals(pdfOf(length))).toBe(true);
    },
  );

  it('takes it unchanged between PJL, a UEL before and one after', async () => {
    const stage = await setUp();
    const ticket = sampleTicket({ copies: 2, sides: 'two-sided-long-edge', grayscale: true });
    await sendBytes(open(stage.uri), pdfOf(100_000), { ticket });
    const [received] = await whole(stage, 1);
    const text = received?.toString('latin1') ?? '';
    expect(text.split('\u001b%-12345X')).toHaveLength(3);
    expect(text).toContain(pdfOf(100_000).toString('latin1'));
  });

  it('takes one document after the other', async () => {
    const stage = await setUp();
    const printer = open(stage.uri, { pjl: 'off' });
    await sendBytes(printer, pdfOf(1000));
    await whole(stage, 1);
    await sendBytes(printer, pdfOf(2000));
    const received = await whole(stage, 2);
    expect(received.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([1000, 2000]);
  });

  it.each([
    ['when it freezes: the time without progress is the limit (I7)', large],
    ['too, when it froze with a document so short that the kernel has it all', 1000],
  ])('is unknown ground, %s', async (_, length) => {
    const stage = await setUp();
    const document = await spooled(pdfOf(length));
    const printer = open(stage.uri);
    const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
    await stage.freeze();
    await expect(printer.send(plan, document, withoutLimit())).rejects.toMatchObject({
      code: 'printer-stalled',
      delivery: 'perhaps',
    });
  });

  it('is broken off from, not taken for done, when it breaks the connection', async () => {
    const stage = await setUp();
    const onFirstByte = () => void stage.breakOff();
    await expect(sendBytes(open(stage.uri), pdfOf(50_000_000), { onFirstByte })).rejects.toMatchObject({
      code: 'transfer-broken',
      delivery: 'perhaps',
    });
  });

  it('is unreachable when nobody listens, and then nothing was sent', async () => {
    const stage = await setUp();
    await stage.switchOff();
    const printer = openRawPrinter(stage.uri, { clock: hastyClock() });
    const refusal = { code: 'printer-unreachable', delivery: 'not-sent' };
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject(refusal);
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject(refusal);
    await expect(printer.describe({ ...withoutLimit(), isAskedFor: true })).rejects.toMatchObject({
      ...refusal,
      reasons: ['ECONNREFUSED'],
    });
  });
}
