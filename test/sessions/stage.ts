/** What a scene is played on: the cloud, a printer and a reader at each terminal, and the books that are kept of it all. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Chance } from '../../src/core/chance.ts';
import { milliseconds } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { CloudDocument, CloudUser } from '../../src/simulator/cloud/state.ts';
import type { VirtualNetworkReader } from '../../src/simulator/reader/network-reader.ts';
import { startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import type { PrinterOptions, VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { SeenDocument, SeenOutput } from './chronicle.ts';
import type { ScenePlan, TerminalPlan } from './plan.ts';
import type { VirtualClock } from '../support/virtual-time.ts';

export interface Stage {
  readonly cloud: SimulatedCloud;
  readonly desks: readonly Desk[];
  readonly documents: readonly SeenDocument[];
  addDocument(owner: string, size: { pages: number; minimumBytes: number }): CloudDocument;
  /** Everything that lies in any tray. */
  outputs(): readonly SeenOutput[];
  /** Of this document, as a person sees who stands at the printer. */
  liesInTray(uuid: string): boolean;
}

export interface Desk {
  readonly plan: TerminalPlan;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualNetworkReader & { readonly port: number };
}

/** In every document's pages and in nobody's log, and in every title. */
export const contentCanary = 'Canary-of-the-content';
export const titleCanary = 'ttl';

export const apiKey = 'key-3f9d2c71a8';

export async function setStage(
  opened: AsyncDisposableStack,
  { plan, clock, chance }: { plan: ScenePlan; clock: VirtualClock; chance: Chance },
): Promise<Stage> {
  const cloud = opened.use(
    await startCloud({ approval: 'at-once', apiKey, clock, chance, seed: seedOf(plan) }),
  );
  if (plan.isBalanceChecked) {
    cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
    for (const { userName, canPay } of plan.people) {
      cloud.setUserBalance(userName, { quota: canPay ? 1_000_000 : 0 });
    }
  }
  const desks: Desk[] = [];
  for (const terminal of plan.terminals) {
    const printer = opened.use(await startVirtualPrinter({ ...printerOf(terminal), clock, chance }));
    desks.push({ plan: terminal, printer, reader: opened.use(await startWaitingReader()) });
  }
  return { cloud, desks, ...keepDocuments(cloud, desks, () => clock.now()) };
}

const printerOf = ({ habits }: TerminalPlan): PrinterOptions => ({ pageTime: milliseconds(900), habits });

function keepDocuments(cloud: SimulatedCloud, desks: readonly Desk[], now: () => number) {
  const documents: SeenDocument[] = [];
  const bytesOf = new Map<string, Buffer>();

  function documentOf({ sha256, jobName, file }: VirtualPrinter['outputs'][number]): string | undefined {
    const whole = documents.find((one) => one.sha256 === sha256);
    if (whole) return whole.uuid;
    // A part, or more than the document (trailing bytes): by its first bytes, which no two documents share beyond the
    // title; else by what the job was called.
    const begunFile = readFileSync(file);
    const begun = documents.filter(({ uuid }) => startAlike(bytesOf.get(uuid), begunFile));
    const named = documents.filter(({ name }) => jobName.startsWith(name));
    return (begun.length === 1 ? begun : named)[0]?.uuid;
  }

  const outputs = (): SeenOutput[] =>
    desks
      .flatMap(({ plan: { id: terminal }, printer }) =>
        printer.outputs.map((output) => ({ terminal, output, document: documentOf(output) })),
      )
      .map(({ terminal, document, output: { at, complete, impressions } }) => {
        return { terminal, document, at, impressions, whole: complete };
      })
      .toSorted((a, b) => a.at - b.at);

  return {
    documents,
    outputs,
    liesInTray: (uuid: string) => outputs().some(({ document }) => document === uuid),
    addDocument(owner: string, { pages, minimumBytes }: { pages: number; minimumBytes: number }) {
      const name = `${titleCanary}-${owner}-${documents.length + 1}.pdf`;
      const bytes = samplePdf({ title: `${contentCanary} ${name}`, pages, minimumBytes });
      const added = cloud.addDocument({ owner, name, pages, bytes });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      bytesOf.set(added.info.uuid, bytes);
      documents.push({ uuid: added.info.uuid, name, owner, sha256, addedAt: now() });
      return added;
    },
  };
}

function startAlike(one: Buffer = Buffer.alloc(0), other: Buffer): boolean {
  const length = Math.min(one.length, other.length);
  return one.subarray(0, length).equals(other.subarray(0, length));
}

function seedOf({ people, terminals }: ScenePlan) {
  const [model] = sampleData.users;
  const [port] = sampleData.outputPorts;
  if (!model || !port) throw new Error('the sample data has neither user nor port');
  const users = people.map(({ userName, fullName, card, password }, index): CloudUser => {
    const email = `${userName}@example.org`;
    const shortId = `short-${userName}-${index}`;
    return { ...model, id: 201 + index, cards: [card], userName, fullName, email, shortId, password };
  });
  const outputPorts = terminals.map(({ id, serialNumber: deviceSerial, autoRelease }, index) => ({
    ...port,
    id: 7 + index,
    name: id,
    deviceSerial,
    autoRelease,
  }));
  return { ...sampleData, users, outputPorts, documents: [] };
}
