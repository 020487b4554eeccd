/**
 * The judges are sharp: each deliberate fault, planted into one module of the agent, is found in a scene in which somebody
 * does what it harms; the same scenes without it show nothing.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as PrinterByUri from '../../../src/printing/printer-by-uri.ts';
import type { Gate } from '../../../src/cloud/http/gate.ts';
import type { ServerLinkDeps } from '../../../src/cloud/link/server-link.ts';
import type { ReadyDocuments } from '../../../src/domain/ports/service.ts';
import { judgeScene } from '../../sessions/judge/judge.ts';
import { openMortality } from '../../sessions/mortality.ts';
import { planScene, seedOfScene } from '../../sessions/plan.ts';
import { playScene } from '../../sessions/scene.ts';

const seed = 4711;
/** Of forty in a campaign: where a fault harms everybody, a few people are enough. */
const visits = 10;

/** `scene`: of the seed, one in which it is found. */
const faults = {
  'a document is sent to the printer twice': { invariant: 'I1', scene: 0 },
  'the ledger forgets what is unknown': { invariant: 'I1', scene: 2 },
  'what may have printed is released again by itself': { invariant: 'I1', scene: 2 },
  'every third history record is dropped': { invariant: 'I2', scene: 0 },
  'history records are posted twice': { invariant: 'I2', scene: 0 },
  'a list is shown to the next person': { invariant: 'I3', scene: 0 },
  'the name of the last person stays on the screen': { invariant: 'I3', scene: 0 },
  'tokens are kept in the clear': { invariant: 'I5', scene: 0 },
  'a terminal whose service was away stays shut': { invariant: 'I7', scene: 0 },
  'a balance that does not suffice is let pass': { invariant: 'I9', scene: 2 },
  'what is unknown is shown as printed': { invariant: 'I12', scene: 2 },
  'a document is deleted as soon as it was downloaded': { invariant: 'D6', scene: 0 },
} as const;
type Fault = keyof typeof faults;

/** The modules are there once, and each asks for itself whether its fault is planted. */
const planted = vi.hoisted<{ fault?: string }>(() => ({}));
const has = (fault: Fault): boolean => planted.fault === fault;

vi.mock(import('../../../src/printing/printer-by-uri.ts'), async (original) => {
  const real = await original();
  return { ...real, createPrinter: (options) => sendingTwice(real.createPrinter(options)) };
});

/** The second time as a job of its own. */
function sendingTwice(printer: ReturnType<typeof PrinterByUri.createPrinter>): typeof printer {
  if (printer.kind !== 'jobs') return printer;
  const send = printer.send.bind(printer);
  return Object.assign(printer, {
    async send(...[job, plan, document, options]: Parameters<typeof send>) {
      await send(job, plan, document, options);
      if (!has('a document is sent to the printer twice')) return;
      const again = await printer.createJob(plan, options);
      await send(again, plan, document, { ...options, onFirstByte: () => {} });
    },
  });
}

vi.mock(import('../../../src/store/ledger/ledger.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    AttemptLedger: class extends real.AttemptLedger {
      override lastRelease(...asked: Parameters<InstanceType<typeof real.AttemptLedger>['lastRelease']>) {
        const last = super.lastRelease(...asked);
        const isForgotten = last !== undefined && ['PARTIAL', 'UNKNOWN'].includes(last.state);
        return isForgotten && has('the ledger forgets what is unknown') ? undefined : last;
      }
    },
  };
});

vi.mock(import('../../../src/domain/release.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    standingOf: (last, finish) => {
      const standing = real.standingOf(last, finish);
      const isAgain =
        standing === 'may-have-printed' && has('what may have printed is released again by itself');
      return isAgain ? 'releasable' : standing;
    },
  };
});

vi.mock(import('../../../src/cloud/resources/history.ts'), async (original) => {
  const real = await original();
  let posts = 0;
  return {
    ...real,
    createHistoryPoster: (parts) => {
      const { post } = real.createHistoryPoster(parts);
      return {
        post: async (...call) => {
          posts += 1;
          if (posts % 3 === 0 && has('every third history record is dropped')) return;
          await post(...call);
          if (has('history records are posted twice')) await post(...call);
        },
      };
    },
  };
});

vi.mock(import('../../../src/cloud/resources/documents.ts'), async (original) => {
  const real = await original();
  let kept: ReadyDocuments | undefined;
  return {
    ...real,
    createDocuments: (parts) => {
      const documents = real.createDocuments(parts);
      return {
        ...documents,
        ready: async (...call) => {
          const own = await documents.ready(...call);
          if (!has('a list is shown to the next person')) return own;
          const shown = kept ?? own;
          kept = own.documents.length > 0 ? own : undefined;
          return shown;
        },
        download: async (...call) => {
          const document = await documents.download(...call);
          if (has('a document is deleted as soon as it was downloaded')) {
            await documents.remove(...call).catch(() => undefined);
          }
          return document;
        },
      };
    },
  };
});

vi.mock(import('../../../src/kiosk/server/frames.ts'), async (original) => {
  const real = await original();
  let last: string | undefined;
  return {
    ...real,
    privateFields: (view) => {
      const fields = real.privateFields(view);
      last = fields.fullName ?? last;
      if (last !== undefined && has('the name of the last person stays on the screen')) {
        return { ...fields, fullName: last };
      }
      if (!fields.progress || !has('what is unknown is shown as printed')) return fields;
      const progress = fields.progress.map((one) =>
        one.stage === 'unknown' ? { ...one, stage: 'printed' as const } : one,
      );
      return { ...fields, progress };
    },
  };
});

vi.mock(import('../../../src/core/sealing.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    createSealing: (options) =>
      has('tokens are kept in the clear')
        ? {
            seal: (_purpose, text) => Buffer.from(text),
            unseal: (_purpose, sealed) => ({ kind: 'text', text: sealed.toString() }),
          }
        : real.createSealing(options),
  };
});

vi.mock(import('../../../src/cloud/link/server-link.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    ServerLink: class extends real.ServerLink {
      constructor(options: ServerLinkDeps) {
        super(options);
        Object.assign(this, { api: stayingShut(this.api) });
      }
    },
  };
});

/** Once a server has failed, nothing is sent to it any more, whoever waits. */
function stayingShut({ pass, heard }: Gate): Gate {
  let failures = 0;
  const isShut = () => failures >= 1 && has('a terminal whose service was away stays shut');
  return {
    pass(call, urgency) {
      if (isShut()) throw new Error(`${call}: left alone`);
      pass(call, urgency);
    },
    heard(state, urgency) {
      if (!isShut()) failures = state === 'up' ? 0 : failures + 1;
      heard(state, urgency);
    },
  };
}

vi.mock(import('../../../src/cloud/resources/balance.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    createBalance: (parts) => {
      const balance = real.createBalance(parts);
      const check = balance.check.bind(balance);
      return Object.assign(balance, {
        check: async (...call: Parameters<typeof check>) =>
          has('a balance that does not suffice is let pass') ? ('not-charged' as const) : check(...call),
      });
    },
  };
});

/** The invariants that its judges find broken. */
async function brokenIn(scene: number): Promise<readonly string[]> {
  using mortality = openMortality();
  const plan = { ...planScene(seedOfScene(seed, scene), 'plain'), visits };
  const { violations } = judgeScene(await playScene({ plan, mortality }));
  return violations.map(({ invariant }) => invariant);
}

afterEach(() => {
  delete planted.fault;
});

describe('the judges find', () => {
  it.each([...new Set(Object.values(faults).map(({ scene }) => scene))])(
    'nothing in scene %i as it is',
    async (scene) => {
      expect(await brokenIn(scene)).toEqual([]);
    },
  );

  it.each(Object.entries(faults))('%s', async (fault, { invariant, scene }) => {
    planted.fault = fault;
    expect(await brokenIn(scene)).toContain(invariant);
  });
});
