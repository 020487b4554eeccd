/**
 * The judges are sharp: each deliberate fault, planted into one module of the agent, is found within a few scenes with
 * plain printers; the same scenes without it show nothing (`sessions.test.ts`).
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as Documents from '../../../src/cloud/resources/documents.ts';
import type * as PrinterByUri from '../../../src/printing/printer-by-uri.ts';
import type * as Ledger from '../../../src/store/ledger/ledger.ts';
import type { Gate } from '../../../src/cloud/http/gate.ts';
import type { ServerLinkOptions } from '../../../src/cloud/link/server-link.ts';

const seed = 4711;
/** Scenes of forty sessions each. */
const mostScenes = 4;

interface Planted {
  readonly fault: string;
  /** What finds it. */
  readonly invariant: string;
  /** The first scene of the seed in which somebody does what it harms; the first of all unless said. */
  readonly from?: number;
  plant(): void;
}

const inDocuments = (change: (documents: ReturnType<typeof Documents.createDocuments>) => object) =>
  vi.doMock(import('../../../src/cloud/resources/documents.ts'), async (original) => {
    const real = await original();
    return {
      ...real,
      createDocuments: (parts) => {
        const documents = real.createDocuments(parts);
        return { ...documents, ...change(documents) };
      },
    };
  });

const planted: readonly Planted[] = [
  {
    fault: 'a document is sent to the printer twice',
    invariant: 'I1',
    plant: () =>
      vi.doMock(import('../../../src/printing/printer-by-uri.ts'), async (original) => {
        const real = await original();
        return { ...real, createPrinter: (options) => sendingTwice(real.createPrinter(options)) };
      }),
  },
  {
    fault: 'the ledger forgets what is unknown',
    invariant: 'I1',
    from: 2,
    plant: () =>
      vi.doMock(import('../../../src/store/ledger/ledger.ts'), async (original) => {
        const real = await original();
        return { ...real, AttemptLedger: forgetful(real.AttemptLedger) };
      }),
  },
  {
    fault: 'what may have printed is released again by itself',
    invariant: 'I1',
    from: 1,
    plant: () =>
      vi.doMock(import('../../../src/domain/release.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          standingOf: (last, finish) => {
            const standing = real.standingOf(last, finish);
            return standing === 'may-have-printed' ? 'releasable' : standing;
          },
        };
      }),
  },
  {
    fault: 'every third history record is dropped',
    invariant: 'I2',
    plant: () =>
      vi.doMock(import('../../../src/cloud/resources/history.ts'), async (original) => {
        const real = await original();
        let posts = 0;
        return {
          ...real,
          createHistoryPoster: (parts) => {
            const { post } = real.createHistoryPoster(parts);
            return {
              post: async (...call) => {
                posts += 1;
                if (posts % 3 !== 0) await post(...call);
              },
            };
          },
        };
      }),
  },
  {
    fault: 'history records are posted twice',
    invariant: 'I2',
    plant: () =>
      vi.doMock(import('../../../src/cloud/resources/history.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          createHistoryPoster: (parts) => {
            const { post } = real.createHistoryPoster(parts);
            return {
              post: async (...call) => {
                await post(...call);
                await post(...call);
              },
            };
          },
        };
      }),
  },
  {
    fault: 'a list is shown to the next person',
    invariant: 'I3',
    plant: () => {
      let kept: Awaited<ReturnType<ReturnType<typeof Documents.createDocuments>['ready']>> | undefined;
      inDocuments(({ ready }) => ({
        ready: async (...call: Parameters<typeof ready>) => {
          const own = await ready(...call);
          const shown = kept ?? own;
          kept = own.documents.length > 0 ? own : undefined;
          return shown;
        },
      }));
    },
  },
  {
    fault: 'the name of the last person stays on the screen',
    invariant: 'I3',
    plant: () =>
      vi.doMock(import('../../../src/kiosk/server/frames.ts'), async (original) => {
        const real = await original();
        let last: string | undefined;
        return {
          ...real,
          privateFields: (view) => {
            const fields = real.privateFields(view);
            last = fields.fullName ?? last;
            return { ...fields, ...(last !== undefined && { fullName: last }) };
          },
        };
      }),
  },
  {
    fault: 'tokens are kept in the clear',
    invariant: 'I5',
    plant: () =>
      vi.doMock(import('../../../src/core/sealing.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          createSealing: () => ({
            seal: (_purpose: string, text: string) => Buffer.from(text),
            unseal: (_purpose: string, sealed: Buffer) => ({ kind: 'text', text: sealed.toString() }),
          }),
        };
      }),
  },
  {
    fault: 'a terminal whose service was away stays shut',
    invariant: 'I7',
    plant: () =>
      vi.doMock(import('../../../src/cloud/link/server-link.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          ServerLink: class extends real.ServerLink {
            constructor(options: ServerLinkOptions) {
              super(options);
              Object.assign(this, { api: stayingShut(this.api) });
            }
          },
        };
      }),
  },
  {
    fault: 'a balance that does not suffice is let pass',
    invariant: 'I9',
    from: 2,
    plant: () =>
      vi.doMock(import('../../../src/cloud/resources/balance.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          createBalance: (parts) =>
            Object.assign(real.createBalance(parts), { check: async () => 'not-charged' as const }),
        };
      }),
  },
  {
    fault: 'what is unknown is shown as printed',
    invariant: 'I12',
    plant: () =>
      vi.doMock(import('../../../src/kiosk/server/frames.ts'), async (original) => {
        const real = await original();
        return {
          ...real,
          privateFields: (view) => {
            const { progress, ...fields } = real.privateFields(view);
            const shown = progress?.map((one) =>
              one.stage === 'unknown' ? { ...one, stage: 'printed' as const } : one,
            );
            return { ...fields, ...(shown && { progress: shown }) };
          },
        };
      }),
  },
  {
    fault: 'a document is deleted as soon as it was downloaded',
    invariant: 'D6',
    plant: () =>
      inDocuments(({ download, remove }) => ({
        download: async (...call: Parameters<typeof download>) => {
          const [uuid, token, options] = call;
          const document = await download(...call);
          await remove(uuid, token, options).catch(() => undefined);
          return document;
        },
      })),
  },
];

/** The second time as a job of its own. */
function sendingTwice(printer: ReturnType<typeof PrinterByUri.createPrinter>): typeof printer {
  if (printer.kind !== 'jobs') return printer;
  const send = printer.send.bind(printer);
  return Object.assign(printer, {
    async send(...[job, plan, document, options]: Parameters<typeof send>) {
      await send(job, plan, document, options);
      const again = await printer.createJob(plan, options);
      return send(again, plan, document, { ...options, onFirstByte: () => {} });
    },
  });
}

const forgetful = (real: typeof Ledger.AttemptLedger): typeof real =>
  class extends real {
    override lastRelease(...asked: Parameters<Ledger.AttemptLedger['lastRelease']>) {
      const last = super.lastRelease(...asked);
      return last && ['PARTIAL', 'UNKNOWN'].includes(last.state) ? undefined : last;
    }
  };

/** Once a server has failed five times, nothing is sent to it any more, whoever waits. */
function stayingShut({ pass, heard }: Gate): Gate {
  let failures = 0;
  return {
    pass(call, urgency) {
      if (failures >= 5) throw new Error(`${call}: left alone`);
      pass(call, urgency);
    },
    heard(state, urgency) {
      if (failures < 5) failures = state === 'up' ? 0 : failures + 1;
      heard(state, urgency);
    },
  };
}

const mended = [
  '../../../src/cloud/link/server-link.ts',
  '../../../src/cloud/resources/balance.ts',
  '../../../src/cloud/resources/documents.ts',
  '../../../src/cloud/resources/history.ts',
  '../../../src/domain/release.ts',
  '../../../src/kiosk/server/frames.ts',
  '../../../src/printing/printer-by-uri.ts',
  '../../../src/store/ledger/ledger.ts',
  '../../../src/core/sealing.ts',
];

afterEach(() => {
  for (const module of mended) vi.doUnmock(module);
  vi.resetModules();
});

describe('the judges find', () => {
  it.each(planted)(
    '$fault ($invariant)',
    async ({ invariant, from = 0, plant }) => {
      vi.resetModules();
      plant();
      const { playScenes } = await import('../../sessions/play.ts');
      const found = new Set<string>();
      for (let scene = from; scene < from + mostScenes && !found.has(invariant); scene += 1) {
        const { violations } = await playScenes({
          seed,
          from: scene,
          scenes: 1,
          stride: 1,
          printers: 'plain',
        });
        for (const one of Object.keys(violations)) found.add(one);
      }
      expect([...found]).toContain(invariant);
    },
    120_000,
  );
});
