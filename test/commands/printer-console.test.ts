/** What is typed at `platen simulate printer`: the troubles of a printer, and what a client meets then. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lookAtPrinter, lookInWords } from '../../src/commands/init/printers/printers.ts';
import { seconds } from '../../src/core/duration.ts';
import { replyToPrinter } from '../../src/commands/simulate/printer-console.ts';
import { ordersTo, startIppPrinter, startRawPrinter } from '../../src/commands/simulate/simulated-printer.ts';

const { signal } = new AbortController();

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'platen-words-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}
const ipp = async () =>
  startIppPrinter({ port: 0, habit: [], serialNumber: 'SN-0001', outputFolder: await folder() });
const raw = async (isTalking: boolean) =>
  startRawPrinter({ port: 0, habit: [], isTalking, outputFolder: await folder() });

it.each([
  ['empty', 'The paper tray is empty.', /stopped \(media-empty-error\)/],
  ['jam', 'Paper has jammed.', /stopped \(media-jam-error\)/],
  ['door', 'A door is open.', /stopped \(door-open-error\)/],
  ['away', 'The printer is away.', /^does not answer: no answer from/],
  ['slow', 'Each page takes 5 s.', /, idle,/],
  ['slow 2', 'Each page takes 2 s.', /, idle,/],
  ['jam 2', 'Paper jams after 2 pages of each job.', /, idle,/],
])('%s is met at once by who asks the printer, and clear ends it', async (line, reported, seen) => {
  await using printer = await ipp();
  expect(await replyToPrinter(printer.orders, line)).toEqual({ kind: 'done', text: reported });
  expect(lookInWords(await lookAtPrinter(printer.uri, { signal }))).toMatch(seen);
  await replyToPrinter(printer.orders, 'clear');
  const well = await lookAtPrinter(printer.uri, { signal });
  expect([lookInWords(well), well.serialNumber]).toEqual([expect.stringContaining(', idle,'), 'SN-0001']);
});

it('stays slow when it is told to jam, and the other way round, until it is well', async () => {
  const behaviours: unknown[] = [];
  const orders = ordersTo({
    behave: async (behaviour) => void behaviours.push(behaviour),
    clear: async () => void behaviours.push('well'),
  });
  for (const line of ['slow 2', 'jam 3', 'clear', 'jam 1', 'slow 4']) await replyToPrinter(orders, line);
  expect(behaviours).toEqual([
    { kind: 'slow', pageTime: seconds(2) },
    { kind: 'jam', afterPages: 3, pageTime: seconds(2) },
    'well',
    { kind: 'jam', afterPages: 1 },
    { kind: 'jam', afterPages: 1, pageTime: seconds(4) },
  ]);
});

it('help lists the words, and an unknown one is told with them', async () => {
  await using printer = await ipp();
  const { text } = await replyToPrinter(printer.orders, 'help');
  const listed = text
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/)[0]);
  expect(listed).toEqual(['help', 'empty', 'jam [PAGES]', 'door', 'away', 'slow [SECONDS]', 'clear', 'quit']);
  expect(await replyToPrinter(printer.orders, 'fire')).toEqual({
    kind: 'mistake',
    text: 'fire is not a command. The commands are: help, empty, jam, door, away, slow, clear, quit',
  });
});

it.each([
  ['slow 0', 'SECONDS is a whole number from 1 to 3600'],
  ['jam some', 'PAGES is a whole number from 0 to 9999'],
])('%s is a mistake, and nothing is done', async (line, text) => {
  await using printer = await ipp();
  expect(await replyToPrinter(printer.orders, line)).toEqual({ kind: 'mistake', text });
});

/** As whoever asks over the connection that prints (PJL Technical Reference, "INFO"). */
async function statusOf(uri: string): Promise<string> {
  const socket = connect(Number(new URL(uri.replace('socket:', 'http:')).port), '127.0.0.1');
  socket.write('\u001b%-12345X@PJL INFO STATUS\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('latin1');
}

it.each([
  ['empty', 'CODE=41213'],
  ['jam', 'CODE=42102'],
  ['door', 'CODE=40021'],
])('a raw printer that talks PJL tells of %s', async (line, seen) => {
  await using printer = await raw(true);
  await replyToPrinter(printer.orders, line);
  expect(await statusOf(printer.uri)).toContain(seen);
  await replyToPrinter(printer.orders, 'clear');
  expect(await statusOf(printer.uri)).toContain('CODE=10001');
});

it('a raw printer goes away and comes back, and cannot be slow', async () => {
  await using printer = await raw(false);
  await replyToPrinter(printer.orders, 'away');
  expect((await lookAtPrinter(printer.uri, { signal })).failure).toMatch(/ECONNREFUSED/);
  await replyToPrinter(printer.orders, 'clear');
  expect((await lookAtPrinter(printer.uri, { signal })).description?.ready).toBe(true);
  expect((await replyToPrinter(printer.orders, 'slow')).kind).toBe('mistake');
});
