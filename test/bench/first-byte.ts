/**
 * What a person waits for: from the badge at the reader to the first byte of the document at the printer. Beside it
 * the same calls made one after the other by a client that keeps nothing, checks nothing and records nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import type { CloudUser } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import { api, enrol, login, waiting } from '../support/cloud/hand-client.ts';
import { ask, createJob, jobNamed, lastDocument } from '../support/printer/ipp-by-hand.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio, timesOf } from './figures.ts';
import type { PrinterLine } from './printer-line.ts';
import { openPrinterLine } from './printer-line.ts';

const releases = 50;
const documentSize = 1024 * 1024;
/** So many that nobody's turn comes again while their badge counts as still lying on the reader (1.5 s). */
const people = 8;
/** Milliseconds. Two badges within 300 ms count as held to the reader together. */
const betweenBadges = 310;

export async function measureFirstByte(): Promise<Measurement> {
  await using line = await openPrinterLine();
  const users = crowd();
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, users, documents: [] } },
    printer: { port: line.port },
    terminal: { printer: { uri: line.uri }, session: { autoRelease: true } },
  });
  const byHand = await releasesByHand({ stage, line, users });
  const platen = await releasesByPlaten({ stage, line, users });
  const wrong = [...stage.cloud.deviations, ...stage.printer.deviations];
  if (wrong.length > 0) throw new Error(`the protocol was not kept: ${wrong.join('; ')}`);

  const shares = [0.5, 0.95, 1];
  const cells = (spans: readonly number[]) => shares.map((share) => percentile(spans, share));
  return {
    title: 'Badge at the reader to the first byte of the document at the printer',
    how:
      `${releases} releases of a fresh document of 1 MB, no network in between. Beside it the same calls one after ` +
      'the other by hand: no disk, no ledger, no encryption.',
    rows: [
      ['', 'p50', 'p95', 'max'],
      ['the calls by hand', ...cells(byHand).map(inMilliseconds)],
      ['platen run', ...cells(platen).map(inMilliseconds)],
      ['ratio', ...shares.map((share) => ratio(percentile(platen, share), percentile(byHand, share)))],
    ],
    goals: [
      { what: 'p95', figure: percentile(platen, 0.95), limit: 60, unit: 'ms' },
      {
        what: 'p95 to the calls by hand',
        figure: percentile(platen, 0.95) / percentile(byHand, 0.95),
        limit: 1.6,
        unit: '×',
      },
    ],
    samples: [timesOf('p95', platen)],
  };
}

interface Scene {
  readonly stage: Stage;
  readonly line: PrinterLine;
  readonly users: readonly CloudUser[];
}

const cardOf = (user: CloudUser): string => user.cards[0] ?? '';

function crowd(): CloudUser[] {
  const [model] = sampleData.users;
  if (!model) throw new Error('the sample data has no user');
  return Array.from({ length: people }, (_, index) => ({
    ...model,
    id: 200 + index,
    userName: `person-${index}`,
    cards: [`04A1B2C3${(0x10 + index).toString(16).toUpperCase()}`],
  }));
}

/** Another file each time, so that nothing can be kept from the last. */
const freshDocument = ({ userName: owner }: CloudUser, number: number) => ({
  owner,
  name: `Plan ${number}.pdf`,
  bytes: samplePdf({ title: `Plan ${number}`, pages: 1, minimumBytes: documentSize }),
});

async function releasesByPlaten({ stage, line, users }: Scene): Promise<number[]> {
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  // Awaited here: the agent has to live until the last release.
  return await eachRelease(users, async (user, number) => {
    stage.cloud.addDocument(freshDocument(user, number));
    const begins = line.nextDocument();
    const since = performance.now();
    stage.reader.tap(cardOf(user));
    const read = await agent.told('card read');
    await agent.told('session closed');
    await sleep(Math.max(0, read + betweenBadges - performance.now()));
    return (await begins) - since;
  });
}

async function releasesByHand({ stage, line, users }: Scene): Promise<number[]> {
  const { cloud } = stage;
  const printer = { ...stage.printer, uri: line.uri };
  const { device } = await enrol(cloud);
  return eachRelease(users, async (user, number) => {
    const { info } = cloud.addDocument(freshDocument(user, number));
    const begins = line.nextDocument();
    const since = performance.now();
    const token = await login(cloud, device, cardOf(user));
    await waiting(cloud, token);
    await checkBalance(cloud, token, user, info.uuid);
    const content = await api(cloud, `/documents/${info.uuid}.content?retain=true`, { token });
    const document = Buffer.from(await content.arrayBuffer());
    await ask(printer, { operation: 'Get-Printer-Attributes' });
    await ask(printer, { operation: 'Validate-Job', attributes: [jobNamed(info.documentName)] });
    const jobId = await createJob(printer, { attributes: [jobNamed(info.documentName)] });
    await ask(printer, { operation: 'Send-Document', jobId, attributes: [lastDocument], document });
    const span = (await begins) - since;
    await api(cloud, `/documents/${info.uuid}`, { method: 'DELETE', token });
    return span;
  });
}

async function eachRelease(
  users: readonly CloudUser[],
  release: (user: CloudUser, number: number) => Promise<number>,
): Promise<number[]> {
  const spans: number[] = [];
  while (spans.length < releases) {
    for (const user of users) spans.push(await release(user, spans.length));
  }
  return spans.slice(0, releases);
}

function checkBalance(
  cloud: SimulatedCloud,
  token: string,
  user: CloudUser,
  uuid: string,
): Promise<Response> {
  const { userName, providerId } = user;
  const pages = { totalPages: 1, colorPages: 1, paperSize: 'A4', copies: 1 };
  return api(cloud, '/balance/check', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uuid, userName, providerId, ...pages }),
  });
}
