/**
 * The port Converter: Ghostscript and qpdf in the sandbox, one process for each step; the output of each step goes to
 * the encrypted spool. The agent never parses the document itself. qpdf counts the pages first.
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
import {
  fontsSeen,
  foreignFonts,
  isDoubtful,
  lostFont,
  scriptsMissing,
  seenFonts,
} from './contents/missing-fonts.ts';
import { concernedObjects, objectListing, requirePages } from './contents/pdf-objects.ts';
import type { OutputFacts } from './converted-output.ts';
import { convertedOutput } from './converted-output.ts';
import { formats } from '../document-format.ts';
import { blankPage, needsOrder, pageOrder } from './page-order.ts';
import { lettersMissing } from './running.ts';
import { isColored, isRaster } from './raster-abilities.ts';
import { beyondPaper } from './raster-stream.ts';
import type { Sandbox } from './sandbox.ts';

export interface ConverterDeps {
  readonly sandbox: Sandbox;
  readonly spool: Spool;
  readonly clock: Clock;
}

/** The facts describe the output. */
interface Step extends OutputFacts {
  readonly recipe: Recipe;
}

/** The wait before the one new try after the system ran out of memory. */
const pauseForMemory = seconds(1);

export const createConverter = (deps: ConverterDeps): Converter => ({
  examine: (call) => deps.sandbox.confinement(call),

  async convert(document, conversion, call) {
    await document.whole(call);
    const course = new ConversionCourse(deps, document, call);
    try {
      await course.walk(conversion);
      return course.current;
    } catch (error) {
      course.leave();
      throw error;
    }
  },
});

/** One document on its way through the steps of one conversion. */
class ConversionCourse {
  readonly #deps: ConverterDeps;
  readonly #document: SpooledDocument;
  readonly #call: CallOptions;
  #current: SpooledDocument;

  constructor(deps: ConverterDeps, document: SpooledDocument, call: CallOptions) {
    this.#deps = deps;
    this.#document = document;
    this.#call = call;
    this.#current = document;
  }

  /** The output of the last step. */
  get current(): SpooledDocument {
    return this.#current;
  }

  /** Disposes of the output of the last step; the document itself belongs to the caller. */
  leave(): void {
    if (this.#current !== this.#document) this.#current[Symbol.dispose]();
  }

  async walk(conversion: Conversion): Promise<void> {
    const toPdf = becomingPdf(this.#document.format, conversion);
    if (toPdf) await this.#go({ recipe: toPdf, format: formats.pdf });
    const counted = await this.#countPages();
    checkCount(counted, conversion);
    if (this.#document.format === formats.pdf) await this.#lookInside(counted, isDrawn(conversion));
    const order = pageOrder(counted, conversion);
    const pages = order.length;
    if (needsOrder(conversion)) {
      await this.#go({ recipe: arranged(order, blankPage(conversion)), format: formats.pdf });
    }
    if (isGreyInColor(conversion)) {
      await this.#go({ recipe: rendered(greyPdf(conversion)), format: formats.pdf });
    }
    if (isRendered(conversion)) await this.#render(conversion, pages);
    if (conversion.format === formats.pdf && (await this.#countPages()) !== pages) {
      throw new Problem('document-not-convertible', `the converter made other than ${pages} pages`);
    }
  }

  async #render(conversion: Conversion, pages: number): Promise<void> {
    const { format, backs, resolution, within: papers = [] } = conversion;
    const facts = { format, ...(isRaster(format) ? { pages, backs } : {}) };
    const [paper] = papers;
    if (paper === undefined) return this.#go({ recipe: rendered(conversion), ...facts });
    try {
      await this.#go({ recipe: rendered(conversion), ...facts, limit: { papers, resolution } });
    } catch (error) {
      if (!isProblem(error, 'document-not-convertible') || !error.reasons.includes(beyondPaper)) throw error;
      await this.#go({ recipe: rendered({ ...conversion, media: paper }), ...facts });
    }
  }

  async #go({ recipe, ...facts }: Step): Promise<void> {
    const { sandbox, spool } = this.#deps;
    const document = this.#current;
    const made = await this.#oncePerhapsTwice(() => {
      const chunks = sandbox.run({ recipe, document }, this.#call);
      const bytes = Readable.from(convertedOutput(chunks, facts), { objectMode: false });
      return spool.store({ length: undefined, bytes }, this.#call);
    });
    this.leave();
    this.#current = made;
  }

  /** The print must be what the author wrote: real pages with the same letters. */
  async #lookInside(pages: number, isToBeDrawn: boolean): Promise<void> {
    const objects = await this.#resultOf(objectListing, concernedObjects);
    requirePages(objects, pages);
    const fonts = isToBeDrawn ? foreignFonts(objects) : [];
    if (!fonts.some(isDoubtful)) return;
    const seen = await this.#resultOf(fontsSeen, seenFonts);
    const inPlace = fonts.filter(({ isComposite, name }) => isComposite && seen.composite.has(name));
    const missing = inPlace.length > 0 ? await scriptsMissing(this.#deps.sandbox, this.#call) : [];
    const isMissing = inPlace.some((font) => missing.some(({ ordering }) => ordering === font.ordering));
    if (isMissing || lostFont(fonts, seen) !== undefined) {
      throw lettersMissing(
        'the document needs a font that it does not contain and that is not on this machine',
      );
    }
  }

  #resultOf<Result>(
    recipe: Recipe,
    read: (output: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result> {
    const task = { recipe, document: this.#current };
    return this.#oncePerhapsTwice(() => read(this.#deps.sandbox.run(task, this.#call)));
  }

  async #countPages(): Promise<number> {
    const text = await this.#resultOf(pageCount, async (output) => {
      let said = '';
      for await (const chunk of output) said = (said + chunk.toString('latin1')).slice(0, longestCount);
      return said.trim();
    });
    if (!/^[1-9]\d*$/.test(text)) throw new Problem('document-not-convertible', 'the document has no pages');
    return Number(text);
  }

  /** One new try, and only if the system was out of memory: any other failure comes from the document. */
  async #oncePerhapsTwice<Result>(attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      if (!isProblem(error, 'document-not-convertible') || !error.reasons.includes('killed')) throw error;
    }
    await this.#deps.clock.sleep(pauseForMemory, this.#call);
    return attempt();
  }
}

/** Longer than any count of pages. */
const longestCount = 32;

const isRendered = ({ format, color, isFitted }: Conversion): boolean =>
  format !== formats.pdf || color === 'grey' || isFitted === true;

/** The printer takes colour pixels only, so the pages are made grey first. */
const isGreyInColor = ({ color, rasterType }: Conversion): boolean =>
  color === 'grey' && rasterType !== undefined && isColored(rasterType);

/** Drawn by Ghostscript, not by the printer. */
const isDrawn = (conversion: Conversion): boolean => isRendered(conversion) || isGreyInColor(conversion);

const greyPdf = (conversion: Conversion): Conversion => ({
  ...conversion,
  format: formats.pdf,
  rasterType: undefined,
  backs: undefined,
});

/** The count in the record may differ by one page, or leave out a cover page. */
const countedOtherwise = { pages: 1, share: 0.05 };

function checkCount(pages: number, { recordedPages, copies, picked, exactPages = pages }: Conversion): void {
  // In another document these would be other pages.
  if (pages !== exactPages) {
    throw new Problem('document-not-as-recorded', `the document has ${pages} pages, and had ${exactPages}`);
  }
  const last = picked?.at(-1)?.to ?? 0;
  if (last > pages) {
    throw new Problem('document-not-as-recorded', `the document has ${pages} pages, and no page ${last}`);
  }
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
