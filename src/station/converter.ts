/**
 * The converter as one terminal sees it. If something is missing, that becomes a condition of the terminal as soon as
 * the settings need it or a document needed it. The condition goes when a document was converted. If only the service
 * asks for copies and order, and they cannot be made here, documents are printed without them. If the configuration
 * asks for them, documents are refused.
 */
import type { Env } from '../domain/env.ts';
import type { Converter } from '../domain/ports/printing.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { PageHandling } from '../printing/conversion/conversion-plan.ts';
import type { OutputType } from '../domain/output-port.ts';

export interface StationConverter extends Converter, AsyncDisposable {
  /** The wishes for the pages, as far as they can be carried out. */
  readonly handling: PageHandling;
  /** Pages of documents may be changed here, and nothing is known to be missing for that. */
  mayWork(): boolean;
  /** The settings may have changed. Also called once at the start. */
  look(): void;
}

export interface StationConverterDeps extends Pick<Env, 'log' | 'conditions'> {
  readonly terminal: string;
  /** The subject of its condition. */
  readonly subject: string;
  readonly converter: Converter;
  /** The wishes for the pages. */
  readonly handling: PageHandling;
  isDemanded(): boolean;
  readonly outputType: OutputType;
}

export function createStationConverter(deps: StationConverterDeps): StationConverter {
  const { terminal, subject, converter, handling, isDemanded, outputType, conditions, log } = deps;
  const gone = new AbortController();
  let isMissing = false;
  let looking = Promise.resolve();

  /** The settings alone need it, for every document. */
  const isNeeded = () =>
    handling.softwareCopies || handling.reversed || !['auto', 'raw', 'pdf'].includes(outputType);

  async function watched<Result>(call: Promise<Result>): Promise<Result> {
    try {
      const result = await call;
      isMissing = false;
      conditions.clear(terminal, subject);
      return result;
    } catch (error) {
      if (isProblem(error, 'converter-missing') || isProblem(error, 'converter-unconfined')) {
        isMissing = true;
        const { code, message: detail } = error;
        conditions.raise({ code, severity: 'error', scope: terminal, subject, detail });
      }
      throw error;
    }
  }

  async function examine(): Promise<void> {
    try {
      const confinement = await watched(converter.examine(gone));
      if (confinement === 'limits') log.warn('converter not in namespaces', { terminal });
    } catch (error) {
      if (!gone.signal.aborted && !isProblem(error)) throw error;
    }
  }

  function look(): void {
    if (isNeeded()) looking = looking.then(examine);
    else {
      isMissing = false;
      conditions.clear(terminal, subject);
    }
  }

  const isCarriedOut = () => isDemanded() || !isMissing;

  return {
    handling: {
      get softwareCopies() {
        return handling.softwareCopies && isCarriedOut();
      },
      get reversed() {
        return handling.reversed && isCarriedOut();
      },
    },
    mayWork: () => outputType !== 'raw' && !isMissing,
    look,
    convert: (...call) => watched(converter.convert(...call)),
    examine: (call) => watched(converter.examine(call)),
    async [Symbol.asyncDispose]() {
      gone.abort();
      await looking;
    },
  };
}
