/**
 * Printing through the spooler of Windows, with a fake in the place of the package pdf-to-printer. The package itself was
 * never run here: it needs Windows.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { BytePrinter } from '../../../src/domain/ports/printing.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import type { PdfToPrinter, PdfToPrinterOptions } from '../../../src/printing/spooler/windows-spooler.ts';
import {
  emptyPlainFolder,
  loadPdfToPrinter,
  windowsPrinterName,
} from '../../../src/printing/spooler/windows-spooler.ts';
import type { WindowsPrinterDeps } from '../../../src/printing/spooler/windows-printer.ts';
import { createWindowsPrinter } from '../../../src/printing/spooler/windows-printer.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { pdfOf, spooled, temporaryDirectory } from '../../support/printer/samples.ts';
import { withoutLimit } from '../../support/patience.ts';

interface Spooled {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly options: PdfToPrinterOptions;
}

interface Stage {
  readonly printer: BytePrinter;
  readonly plainFolder: string;
  readonly taken: readonly Spooled[];
  left(): readonly string[];
}

/** `print` is what the spooler does once it has read the file. */
function setUp(
  print: () => Promise<unknown> = async () => {},
  options: Partial<WindowsPrinterDeps> = {},
): Stage {
  const plainFolder = join(temporaryDirectory(), 'plain');
  const taken: Spooled[] = [];
  const spooler: PdfToPrinter = {
    print: (path, wishes) => {
      taken.push({ bytes: readFileSync(path), mode: statSync(path).mode & 0o777, options: wishes });
      return print();
    },
    getPrinters: async () => [{ name: 'Office' }, { name: 'Lab' }],
  };
  const printer = createWindowsPrinter({
    uri: 'windows:Office',
    outputType: 'auto',
    plainFolder,
    load: async () => spooler,
    clock: hastyClock(),
    chance: systemChance,
    ...options,
  });
  const left = () => (existsSync(plainFolder) ? readdirSync(plainFolder) : []);
  return { printer, plainFolder, taken, left };
}

async function send({ printer }: Pick<Stage, 'printer'>, ticket = sampleTicket()) {
  const document = await spooled(pdfOf(1000));
  const plan = await printer.prepare(ticket, document, withoutLimit());
  return printer.send(plan, document, withoutLimit());
}

const failing = (error: unknown) => async (): Promise<never> => {
  throw error;
};

describe('the name of a printer of Windows', () => {
  it.each([
    ['windows:Office printer', 'Office printer'],
    ['windows:\\\\server\\Office', '\\\\server\\Office'],
  ])('%s is %s', (uri, name) => {
    expect(windowsPrinterName(uri)).toBe(name);
  });

  it.each(['windows:', 'windows: ', 'windows:a"b', 'windows:a\nb', `windows:${'x'.repeat(221)}`, 'ipp://x/'])(
    '%j is none',
    (uri) => {
      expect(() => windowsPrinterName(uri)).toThrow(
        expect.objectContaining({ code: 'config-invalid' }) as Error,
      );
    },
  );
});

describe('a printer of Windows', () => {
  it('is ready where Windows knows it', async () => {
    expect(await setUp().printer.describe(withoutLimit())).toMatchObject({
      ready: true,
      formats: ['application/pdf'],
      capabilities: { counts: 'nothing' },
    });
  });

  it('is handed the document whole, as a file of its owner alone that is gone afterwards (I4)', async () => {
    const stage = setUp();
    expect(await send(stage)).toBeUndefined();
    expect(stage.taken).toEqual([
      { bytes: pdfOf(1000), mode: 0o600, options: { printer: 'Office', silent: true } },
    ]);
    expect(stage.left()).toEqual([]);
  });

  it('is asked for copies, sides and grey', async () => {
    const stage = setUp();
    await send(stage, sampleTicket({ copies: 3, sides: 'two-sided-short-edge' }, { monochrome: true }));
    expect(stage.taken[0]?.options).toEqual({
      printer: 'Office',
      silent: true,
      copies: 3,
      side: 'duplexshort',
      monochrome: true,
    });
  });

  it.each([
    [
      'a program that cannot be started',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'spawn S.exe' }),
    ],
    ['arguments that the package does not like', 'No such file'],
  ])('prints nothing with %s', async (_, error) => {
    const stage = setUp(failing(error));
    await expect(send(stage)).rejects.toMatchObject({ delivery: 'not-sent' });
    expect(stage.left()).toEqual([]);
  });

  it('may have printed whatever else went wrong (B.1)', async () => {
    const stage = setUp(failing(Object.assign(new Error('Command failed: S.exe'), { code: 1 })));
    await expect(send(stage)).rejects.toMatchObject({ code: 'outcome-unknown', delivery: 'perhaps' });
    expect(stage.left()).toEqual([]);
  });

  it('that does not end is given up after its time: it may have printed, and its file is gone (I7)', async () => {
    const stage = setUp(() => new Promise(() => {}), { spoolerLimit: seconds(2) });
    await expect(send(stage)).rejects.toMatchObject({ code: 'outcome-unknown', delivery: 'perhaps' });
    expect(stage.left()).toEqual([]);
  });

  it('that Windows does not know is unreachable, before the intent', async () => {
    const { printer, taken } = setUp(undefined, { uri: 'windows:Cellar' });
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({ code: 'printer-unreachable' });
    await expect(send({ printer })).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'not-sent',
    });
    expect(taken).toEqual([]);
  });

  it('takes nothing but PDF', async () => {
    const { printer } = setUp();
    const picture = await spooled(Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    await expect(printer.prepare(sampleTicket(), picture, withoutLimit())).rejects.toMatchObject({
      code: 'document-not-printable',
    });
  });

  it('cannot be used without its package, and says how to get it', async () => {
    await expect(loadPdfToPrinter()).rejects.toMatchObject({
      code: 'printer-unsupported',
      message: expect.stringContaining('npm install pdf-to-printer') as string,
    });
    const { printer } = setUp(undefined, { load: loadPdfToPrinter });
    await expect(printer.describe(withoutLimit())).rejects.toBeInstanceOf(Problem);
  });

  it('leaves nothing of a crash behind: the next start empties the folder (I4)', async () => {
    const folder = temporaryDirectory();
    await writeFile(join(folder, 'left.pdf'), 'secret');
    await emptyPlainFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });
});
