/**
 * The port Converter: Ghostscript and qpdf in the sandbox, a step a process, each step's output in the encrypted spool.
 * The document itself is never parsed here. Its pages are counted by qpdf before anything else is done with them.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { documentLimits } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Conversion, Converter, Spool, SpooledDocument } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import { arranged, pageCount, postscriptToPdf, rendered } from './conversion-commands.ts';
import { convertedOutput } from './converted-output.ts';
import { formats } from '../document-format.ts';
import { blankPage, needsOrder, pageOrder } from './page-order.ts';
import type { Sandbox, Task } from './sandbox.ts';

export interface ConverterOptions {
  /** `conversion` of the configuration: names, looked for on the path of the system, or absolute paths. */
  readonly programs: { readonly ghostscript: string; readonly qpdf: string };
  readonly sandbox: Sandbox;
  readonly spool: Spool;
  readonly clock: Clock;
}

interface Step extends Omit<Task, 'document' | 'program'> {
  /** Of what comes out. */
  readonly format: string;
  readonly pages?: number;
}

/** Before the one new try after the system ran out of memory. */
const pauseForMemory = seconds(1);

export function createConverter({ programs, sandbox, spool, clock }: ConverterOptions): Converter {
  /** One new try, and only where the system took the memory back: everything else is the document's own fault. */
  async function once<Result>(attempt: () => Promise<Result>, { signal }: CallOptions): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      if (!isProblem(error, 'document-not-convertible') || !error.reasons.includes('killed')) throw error;
    }
    await clock.sleep(pauseForMemory, { signal });
    return attempt();
  }

  const convertedBy = (
    program: string,
    { format, pages, ...task }: Step,
    document: SpooledDocument,
    call: CallOptions,
  ): Promise<SpooledDocument> =>
    once(() => {
      const chunks = sandbox.run({ ...task, program, document }, call);
      const bytes = Readable.from(convertedOutput(chunks, { format, pages }), { objectMode: false });
      return spool.store({ length: undefined, bytes }, call);
    }, call);

  async function countPages(qpdf: string, document: SpooledDocument, call: CallOptions): Promise<number> {
    const text = await once(async () => {
      let said = '';
      for await (const chunk of sandbox.run({ program: qpdf, arguments: pageCount, document }, call)) {
        said = (said + chunk.toString('latin1')).slice(0, longestCount);
      }
      return said.trim();
    }, call);
    if (!/^[1-9]\d*$/.test(text)) throw new Problem('document-not-convertible', 'the document has no pages');
    return Number(text);
  }

  return {
    examine: async (call) => {
      await Promise.all(Object.values(programs).map(found));
      return sandbox.confinement(call);
    },

    async convert(document, conversion, call) {
      const qpdf = await found(programs.qpdf);
      const isDrawn = document.format === formats.postscript || isRendered(conversion);
      // Pages that only change their order need no interpreter.
      const ghostscript = isDrawn ? await found(programs.ghostscript) : '';
      await document.whole(call);
      let current = document;
      const leave = () => {
        if (current !== document) current[Symbol.dispose]();
      };
      const go = async (program: string, step: Step) => {
        const made = await convertedBy(program, step, current, call);
        leave();
        current = made;
      };
      try {
        if (document.format === formats.postscript) {
          await go(ghostscript, { arguments: postscriptToPdf, format: formats.pdf });
        }
        const counted = await countPages(qpdf, current, call);
        checkCount(counted, conversion);
        const order = pageOrder(counted, conversion);
        const pages = order.length;
        if (needsOrder(conversion)) {
          const beside = blankPage(conversion);
          await go(qpdf, { arguments: arranged(order, conversion), format: formats.pdf, beside });
        }
        if (isRendered(conversion)) {
          await go(ghostscript, { arguments: rendered(conversion), format: conversion.format, pages });
        }
        if (conversion.format === formats.pdf && (await countPages(qpdf, current, call)) !== pages) {
          throw new Problem('document-not-convertible', `the converter made other than ${pages} pages`);
        }
        return current;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** More than any count of pages. */
const longestCount = 32;

const isRendered = ({ format, color }: Conversion): boolean => format !== formats.pdf || color === 'grey';

/** Whoever counted the pages for the record may have been one off, or left a cover page out. */
const countedOtherwise = { pages: 1, share: 0.05 };

function checkCount(pages: number, { recordedPages, copies }: Conversion): void {
  if (pages * copies > documentLimits.pages) {
    throw new Problem('document-beyond-limits', `${pages * copies} pages, copies included, are too many`);
  }
  if (recordedPages === undefined || recordedPages === 0) return;
  const most = recordedPages + Math.max(countedOtherwise.pages, recordedPages * countedOtherwise.share);
  if (pages > most) {
    throw new Problem(
      'document-not-as-recorded',
      `the document has ${pages} pages, and ${recordedPages} by its record`,
    );
  }
}

const folders = ['/usr/local/bin', '/usr/bin', '/bin'];

async function found(program: string): Promise<string> {
  const candidates = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  for (const path of candidates) {
    if (await isProgram(path)) return path;
  }
  throw new Problem('converter-missing', `the program ${program} is not there`);
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
