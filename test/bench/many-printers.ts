/**
 * A busy morning: 32 people at 32 printers let out 5 MB each at the same moment, and others one page meanwhile. Beside it the
 * same 32 documents by as many pairs of curl and ipptool at once, whose tokens are there already: what processors and
 * line allow on this machine.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { VirtualNetworkReader } from '../../src/simulator/reader/network-reader.ts';
import { startDiallingReader } from '../../src/simulator/reader/network-reader.ts';
import { required } from '../../src/core/required.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { api, enrol, login } from '../support/cloud/hand-client.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, perSecond, ratio, timesOf } from './figures.ts';
import type { Person } from '../support/agent/people.ts';
import { people } from '../support/agent/people.ts';
import type { PrinterApart, PrintersApart } from './printers-apart.ts';
import { momentNow, startPrintersApart } from './printers-apart.ts';

const crowd = 32;
/** Besides them, with a page each; so many a round that p95 is not the slowest. */
const quick = 4;
const rounds = 4;
const large = 5 * 1024 * 1024;
const small = 20 * 1024;
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;
/** Milliseconds between the badges of those with a page, the first one included. */
const apart = 60;

/** What the machine allows is asked for, and not what `cloud.limits` does: 36 people make 180 calls at once, and it lets 100. */
const config = { cloud: { limits: { requestsPerSecond: 1000, burst: 1000 } } };

interface Place {
  readonly person: Person;
  readonly printer: PrinterApart;
  readonly reader: VirtualNetworkReader;
}

/** Milliseconds. */
interface Spans {
  readonly byHand: number[];
  readonly platen: number[];
  readonly alone: number[];
  readonly among: number[];
}

export async function measureManyPrinters(): Promise<Measurement> {
  const spans: Spans = { byHand: [], platen: [], alone: [], among: [] };
  await using opened = new AsyncDisposableStack();
  const { stage, places, printers } = await setPlaces(opened);
  await using agent = startAgentProcess(stage.configFile);
  await agent.told(...places.flatMap(() => ['terminal ready', 'reader up']));
  const [busy, others] = [places.slice(0, crowd), places.slice(crowd)];
  const { device } = await enrol(stage.cloud);
  for (let round = 0; round < rounds; round += 1) {
    spans.byHand.push(await releaseByHand(stage, busy, device));
    for (const place of others) {
      addDocument(stage, place.person, small);
      spans.alone.push(await badgeAt(place));
    }
    await sleep(cardGone);
    // Made before: that would keep cloud and printers from their work.
    for (const { person } of busy) addDocument(stage, person, large);
    for (const { person } of others) addDocument(stage, person, small);
    const pages = others.map(async (place, index) => {
      await sleep(apart * (index + 1));
      spans.among.push(await badgeAt(place));
    });
    spans.platen.push(Math.max(...(await Promise.all(busy.map(badgeAt)))));
    await Promise.all(pages);
    await sleep(cardGone);
  }
  const wrong = [...stage.cloud.deviations, ...(await printers.end())];
  if (wrong.length > 0) throw new Error(`the protocol was not kept: ${wrong.join('; ')}`);
  return report(spans);
}

function report({ byHand, platen, alone, among }: Spans): Measurement {
  const usual = (some: readonly number[]) => percentile(some, 0.5);
  const all = (what: string, some: readonly number[]) => [
    what,
    inMilliseconds(usual(some)),
    inMilliseconds(percentile(some, 0.95)),
    perSecond((megabytes(large) * crowd * 1000) / usual(some), 'MB'),
    ratio(usual(byHand), usual(some)),
  ];
  const one = (what: string, some: readonly number[]) => all(what, some).with(3, '').with(4, '');
  return {
    title: `${crowd} documents of ${inMegabytes(large)} at ${crowd} printers at once`,
    how:
      `${rounds} rounds, turn about, no network in between; the cloud is one process and the printers another, on the same processors. ` +
      `Meanwhile ${quick} others let out a page each, ${apart} ms apart. From the badge to the printer's last octet.`,
    rows: [
      ['', 'p50', 'p95', 'pace', 'times as fast'],
      all('curl and ipptool, all of them', byHand),
      all('platen, all of them', platen),
      one('platen, a page while nobody else prints', alone),
      one('platen, a page meanwhile', among),
    ],
    goals: [
      {
        what: 'all of them, to curl and ipptool',
        figure: usual(byHand) / usual(platen),
        atLeast: 0.8,
        unit: '×',
      },
      { what: 'a page meanwhile, p95', figure: percentile(among, 0.95), limit: 200, unit: 'ms' },
    ],
    samples: [timesOf('all of them', platen), timesOf('a page meanwhile, p95', among)],
  };
}

/** A printer, a reader and a person at each terminal of one gateway. */
async function setPlaces(opened: AsyncDisposableStack): Promise<{
  readonly stage: Stage;
  readonly places: readonly Place[];
  readonly printers: PrintersApart;
}> {
  const port = await freePort();
  const users = people(crowd + quick);
  const printers = opened.use(await startPrintersApart(users.length));
  const places: Place[] = [];
  for (const [index, person] of users.entries()) {
    const printer = required(printers.printers[index], 'printer');
    const from = `127.0.9.${index + 1}`;
    const reader = opened.use(startDiallingReader({ host: '127.0.0.1', port, from }));
    places.push({ person, printer, reader });
  }
  const terminals = places.map(({ printer }, index) => ({
    id: `terminal-${index}`,
    serialNumber: `SN-${index}`,
    printer: { uri: printer.uri },
    session: { autoRelease: true },
    readers: [{ type: 'tcp-listen', listen: `127.0.0.1:${port}`, from: [`127.0.9.${index + 1}`] }],
  }));
  const [outputPort] = sampleData.outputPorts;
  const outputPorts = terminals.map(({ id, serialNumber }, index) => ({
    ...outputPort,
    id: 100 + index,
    name: id,
    deviceSerial: serialNumber,
  }));
  const seed = { ...sampleData, users, documents: [], outputPorts } as typeof sampleData;
  const [terminal, ...others] = terminals;
  const stage = opened.use(
    await setStage({ cloud: { seed }, config, ...(terminal && { terminal }), others }),
  );
  return { stage, places, printers };
}

let made = 0;

function addDocument({ cloud }: Stage, { userName: owner }: Person, size: number): string {
  made += 1;
  const bytes = samplePdf({ title: `Plan ${made}`, pages: 1, minimumBytes: size });
  return cloud.addDocument({ owner, name: `Plan ${made}.pdf`, bytes }).info.uuid;
}

/** From the badge to the last octet at the printer. */
async function badgeAt({ person, printer, reader }: Place): Promise<number> {
  const last = printer.nextDocument();
  const since = momentNow();
  await reader.tap(person.card);
  return (await last) - since;
}

async function releaseByHand(stage: Stage, places: readonly Place[], device: string): Promise<number> {
  const room = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  try {
    const errands = await Promise.all(
      places.map(async ({ person, printer }, index) => {
        const uuid = addDocument(stage, person, large);
        const token = await login(stage.cloud, device, person.card);
        return { printer, token, uuid, file: join(room, `${index}.pdf`) };
      }),
    );
    const since = momentNow();
    const ends = await Promise.all(
      errands.map(async ({ printer, token, uuid, file }) => {
        const last = printer.nextDocument();
        const { baseUrl, apiKey } = stage.cloud;
        const env = { ...process.env, TOKEN: token, KEY: apiKey, FILE: file, PRINTER: printer.uri };
        const url = `${baseUrl}/api/v1/documents/${uuid}.content?retain=true`;
        await promisify(execFile)('sh', ['-c', byHand], { env: { ...env, URL: url } });
        return last;
      }),
    );
    const span = Math.max(...ends) - since;
    for (const { uuid, token } of errands) {
      await api(stage.cloud, `/documents/${uuid}`, { method: 'DELETE', token });
    }
    return span;
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

const byHand =
  'curl --silent --fail -o "$FILE" -H "x-api-key: $KEY" -H "authorization: Bearer $TOKEN" "$URL" && ' +
  'ipptool -q -f "$FILE" -d filetype=application/pdf "$PRINTER" print-job.test';
