/**
 * The converter as one terminal sees it: what it lacks becomes a condition of the terminal, as soon as the settings call
 * for it or a document needed it, and goes when a document was converted. Where the service alone asks for copies and
 * order, and they cannot be made here, documents go out without; where the configuration does, they are refused.
 */
import type { Env } from '../domain/env.ts';
import type { Converter } from '../domain/ports/printing.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { PageHandling } from '../printing/conversion/conversion-plan.ts';
import type { OutputType } from '../domain/output-port.ts';

export interface StationConverter extends Converter, AsyncDisposable {
  /** What is asked of the pages, as far as it is to be carried out. */
  readonly handling: PageHandling;
  /** The settings are others, perhaps; also once at the start. */
  look(): void;
}

export interface StationConverterDeps extends Pick<Env, 'log' | 'conditions'> {
  readonly terminal: string;
  /** Of its condition. */
  readonly subject: string;
  readonly converter: Converter;
  /** What is asked of the pages. */
  readonly handling: PageHandling;
  isDemanded(): boolean;
  readonly outputType: OutputType;
}

export function createStationConverter(deps: StationConverterDeps): StationConverter {
  const { terminal, subject, converter, handling, isDemanded, outputType, conditions, log } = deps;
  const gone = new AbortController();
  let isMissing = false;
  let looking = Promise.resolve();

  /** The settings alone call for it, whatever the documents are. */
  const isNeeded = () =>
    handling.softwareCopies || handling.reversed || !['auto', 'raw', 'pdf'].includes(outputType);

  async function told<Result>(call: Promise<Result>): Promise<Result> {
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
      const confinement = await told(converter.examine(gone));
      if (confinement === 'limits') log.warn('converter not in namespaces', { terminal });
    } catch (error) {
      if (!gone.signal.aborted && !isProblem(error)) throw error;
    }
  }

  function look(): void {
    if (isNeeded()) looking = looking.then(examine);
    else conditions.clear(terminal, subject);
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
    look,
    convert: (...call) => told(converter.convert(...call)),
    examine: (call) => told(converter.examine(call)),
    async [Symbol.asyncDispose]() {
      gone.abort();
      await looking;
    },
  };
}
