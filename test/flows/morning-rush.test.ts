/**
 * A rush at a large gateway: 36 people badge at the same moment, at 36 terminals with 32 printers, and the service bears
 * fewer calls than they make. The clock of the test stands still while anything is under way, so the time that passes by
 * it is the time in which they wait for a limit: their own, or that of the service.
 */
import { expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { seconds } from '../../src/core/duration.ts';
import { required } from '../../src/core/required.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startDiallingReader } from '../../src/simulator/reader/network-reader.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { people } from '../support/agent/people.ts';
import { setStage } from '../support/agent/stage.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { freePort } from '../support/ports.ts';

const crowd = 36;
const printerCount = 32;

async function setRush(bears: { readonly callsPerSecond: number; readonly callsAtOnce: number }) {
  await using opened = new AsyncDisposableStack();
  const clock = forwardClock();
  const users = people(crowd);
  const printers: VirtualPrinter[] = [];
  for (let index = 0; index < printerCount; index += 1)
    printers.push(opened.use(await startVirtualPrinter({ clock })));
  const port = await freePort();
  const host = '127.0.0.1';
  const from = (index: number) => `127.0.9.${index + 1}`;
  const terminals = users.map((_, index) => ({
    id: `terminal-${index}`,
    serialNumber: `SN-${index}`,
    printer: { uri: required(printers[index % printerCount], 'printer').uri },
    session: { autoRelease: true },
    readers: [{ type: 'tcp-listen', listen: `${host}:${port}`, from: [from(index)] }],
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
  const stage = opened.use(await setStage({ clock, cloud: { seed }, ...(terminal && { terminal }), others }));
  const { cloud } = stage;
  const agent = opened.use(await stage.start());
  const readers = users.map((_, index) => opened.use(startDiallingReader({ host, port, from: from(index) })));
  for (const { id } of terminals) {
    await clock.hurry(agent.told('terminal ready', isAt(id)));
    await clock.hurry(agent.told('reader up', isAt(id)));
  }
  const held = opened.move();
  let before = 0;
  const calls = () => cloud.calls.slice(before);
  const fetched = (userName: string) =>
    calls().findLast(
      ({ path, status, user }) => path.endsWith('.content') && status === 200 && user === userName,
    );
  return {
    cloud,
    printers,
    metrics: async () => (await fetch(`${agent.operations}/metrics`)).text(),
    /** Since the badges. */
    calls,
    /** Everybody has a document and badges; gives how long each has waited until the service gave it out. */
    async badge(): Promise<readonly number[]> {
      for (const { userName: owner } of users) {
        const bytes = samplePdf({ title: `Plan of ${owner}`, pages: 1 });
        cloud.addDocument({ owner, name: `Plan of ${owner}.pdf`, bytes });
      }
      // What was asked before is over, and the cards are away from the readers.
      clock.forward(seconds(60));
      cloud.changeSettings(bears);
      before = cloud.calls.length;
      let since = Number.NaN;
      const rush = async () => {
        since = clock.now();
        await Promise.all(users.map(({ card }, index) => required(readers[index], 'reader').tap(card)));
        const left = terminals.map(({ id }) => agent.told('session closed', isAt(id)));
        await Promise.all(left);
        await cloud.waitFor(() =>
          cloud.state.documents.every(({ info }) => info.status === documentStatus.DELETED),
        );
      };
      await clock.hurry(rush());
      return users.map(({ userName }) => (fetched(userName)?.at ?? Number.NaN) - since);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const isAt =
  (id: string) =>
  (record: LogRecord): boolean =>
    record['terminal'] === id;

it('36 people at 32 printers wait at most 2 s for a service that bears 50 calls a second', async () => {
  await using rush = await setRush({ callsPerSecond: 50, callsAtOnce: 100 });
  const { cloud, printers } = rush;
  const waits = await rush.badge();
  expect(Math.max(...waits)).toBeLessThanOrEqual(seconds(2));
  // The agent's own figures say the same of each call.
  const metrics = await rush.metrics();
  const waited = (series: string) =>
    metrics.split('\n').find((line) => line.startsWith(`platen_cloud_limit_wait_seconds_${series} `));
  const within = waited('bucket{le="2",for="person"}')?.split(' ').at(-1);
  expect(Number(within)).toBeGreaterThanOrEqual(crowd * 4);
  expect(waited('count{for="person"}')).toMatch(new RegExp(` ${within}$`));
  const statuses = rush.calls().map(({ status }) => status);
  expect(statuses).toContain(429);
  // No document goes out unpaid because its check was one call too many.
  const checks = rush.calls().filter(({ path }) => path.endsWith('/balance/check'));
  expect(checks.filter(({ status }) => status === 200)).toHaveLength(crowd);
  const names = printers.flatMap(({ outputs }) => outputs.map(({ jobName }) => jobName));
  expect([names.length, new Set(names).size]).toEqual([crowd, crowd]);
  expect(cloud.deviations).toEqual([]);
});
