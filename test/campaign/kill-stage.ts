/**
 * What the agent is killed on: a cloud, a printer of one of three protocols, and a reader, which stay while agents come
 * and go. Nothing misbehaves but the agent's own end.
 */
import { hours } from '../../src/core/duration.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Records } from './kill-oracle.ts';

export const protocols = ['ipp', 'socket', 'cups'] as const;
export type Protocol = (typeof protocols)[number];

export interface KillStage extends Stage, Records {
  /** Looked at after each change of the cloud's and of the printer's, before anybody learns of it. */
  watch(look: () => void): Disposable;
}

export interface Output {
  readonly jobName: string;
  readonly sha256: string;
  readonly complete: boolean;
}

/** History rows of unknown outcome are posted at once: a campaign has no day to wait. */
export const settings = { history: { unknownAfterHours: 0 } };

/** Each has several: the same card counts as read again only after a while. */
export const aliceCards = [
  aliceCard,
  '04A1000001',
  '04A1000002',
  '04A1000003',
  '04A1000004',
  '04A1000005',
] as const;
export const bobCards = [
  bobCard,
  '04B5000001',
  '04B5000002',
  '04B5000003',
  '04B5000004',
  '04B5000005',
] as const;
const cards: Readonly<Record<string, readonly string[]>> = { alice: aliceCards, bob: bobCards };
const users = sampleData.users.map((user) => ({ ...user, cards: [...(cards[user.userName] ?? user.cards)] }));
export const cloud = { seed: { ...sampleData, users, documents: [] } };
/** A list that stays, for what nobody knows of is in it, is left as soon as may be. */
export const session = { autoRelease: true, logoutTimeoutSeconds: 10 };

/** `further`: sections of the configuration besides. */
export async function setKillStage(
  protocol: Protocol,
  further: Readonly<Record<string, object>> = {},
  clock = forwardClock(),
): Promise<KillStage> {
  await using opened = new AsyncDisposableStack();
  const raw = protocol === 'socket' ? opened.use(await startVirtualSocketPrinter({ clock })) : undefined;
  const stage = opened.use(
    await setStage({
      cloud,
      clock,
      config: { ...settings, ...further },
      ...(protocol === 'cups' ? { printer: { queue: 'office' } } : {}),
      terminal: { session, ...(raw ? { printer: { uri: raw.uri, stallSeconds: 5 } } : {}) },
    }),
  );
  const printer = raw ?? stage.printer;
  const held = opened.move();
  return {
    ...stage,
    outputs: () => printer.outputs,
    // A killed process ends its connections as one does that is done: what a raw printer notes of it is our doing.
    deviations: () => [...stage.cloud.deviations, ...(raw ? [] : stage.printer.deviations)],
    watch(look) {
      let isOver = false;
      const looks = () => {
        if (!isOver) look();
        return isOver;
      };
      for (const { waitFor } of [stage.cloud, printer]) void waitFor(looks, { timeout: hours(24) });
      return { [Symbol.dispose]: () => void (isOver = true) };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Another document of alice's, told from all others by its name and its bytes. */
export function addDocument(
  { cloud: { addDocument: add } }: Records,
  name: string,
  minimumBytes: number,
  pages = 1,
) {
  add({ owner: 'alice', name, bytes: samplePdf({ title: name, pages, minimumBytes }) });
}
