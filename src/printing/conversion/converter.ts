/**
 * The port Converter: Ghostscript and qpdf in the sandbox, a step a process, each step's output in the encrypted spool.
 * The document itself is never parsed here. Its pages are counted by qpdf before anything else is done with them.
 */
import { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { documentLimits } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Conversion, Converter, Spool, SpooledDocument } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Recipe } from './conversion-commands.ts';
import { arranged, becomingPdf, pageCount, rendered } from './conversion-commands.ts';
import type { OutputFacts } from './converted-output.ts';
import { convertedOutput } from './converted-output.ts';
import { formats } from '../document-format.ts';
import { blankPage, needsOrder, pageOrder } from './page-order.ts';
import { isRaster } from './raster-abilities.ts';
import { isColored } from './raster-types.ts';
import type { Sandbox } from './sandbox.ts';

export interface ConverterOptions {
  readonly sandbox: Sandbox;
  readonly spool: Spool;
  readonly clock: Clock;
}

/** The facts are of what comes out. */
interface Step extends OutputFacts {
  readonly recipe: Recipe;
}

/** Before the one new try after the system ran out of memory. */
const pauseForMemory = seconds(1);

export function createConverter({ sandbox, spool, clock }: ConverterOptions): Converter {
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
    { recipe, ...facts }: Step,
    document: SpooledDocument,
    call: CallOptions,
  ): Promise<SpooledDocument> =>
    once(() => {
      const chunks = sandbox.run({ recipe, document }, call);
      const bytes = Readable.from(convertedOutput(chunks, facts), { objectMode: false });
      return spool.store({ length: undefined, bytes }, call);
    }, call);

  async function countPages(document: SpooledDocument, call: CallOptions): Promise<number> {
    const text = await once(async () => {
      let said = '';
      for await (const chunk of sandbox.run({ recipe: pageCount, document }, call)) {
        said = (said + chunk.toString('latin1')).slice(0, longestCount);
      }
      return said.trim();
    }, call);
    if (!/^[1-9]\d*$/.test(text)) throw new Problem('document-not-convertible', 'the document has no pages');
    return Number(text);
  }

  return {
    examine: (call) => sandbox.confinement(call),

    async convert(document, conversion, call) {
      await document.whole(call);
      let current = document;
      const leave = () => {
        if (current !== document) current[Symbol.dispose]();
      };
      const go = async (step: Step) => {
        const made = await convertedBy(step, current, call);
        leave();
        current = made;
      };
      try {
        const toPdf = becomingPdf(document.format, conversion);
        if (toPdf) await go({ recipe: toPdf, format: formats.pdf });
        const counted = await countPages(current, call);
        checkCount(counted, conversion);
        const order = pageOrder(counted, conversion);
        const pages = order.length;
        if (needsOrder(conversion)) {
          await go({ recipe: arranged(order, blankPage(conversion)), format: formats.pdf });
        }
        if (isGreyInColor(conversion)) {
          await go({ recipe: rendered(greyPdf(conversion)), format: formats.pdf });
        }
        if (isRendered(conversion)) {
          const { format, backs } = conversion;
          await go({ recipe: rendered(conversion), format, ...(isRaster(format) ? { pages, backs } : {}) });
        }
        if (conversion.format === formats.pdf && (await countPages(current, call)) !== pages) {
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

/** The printer takes pixels of colour alone: the pages are grey before they become that. */
const isGreyInColor = ({ color, rasterType }: Conversion): boolean =>
  color === 'grey' && rasterType !== undefined && isColored(rasterType);

const greyPdf = (conversion: Conversion): Conversion => ({
  ...conversion,
  ...{ format: formats.pdf, rasterType: undefined, backs: undefined },
});

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
