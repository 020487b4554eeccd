/** The printer is not up to it before it has a byte of the document (INVARIANTS.md B.4, 7 Print). */
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { expectPrintedOnce, expectUntouched, setRunningStage } from '../support/agent/running-stage.ts';

const stopped = (reason: string): PrinterBehaviour => ({ kind: 'stopped', reason });
const http = (status: number, headers: Readonly<Record<string, string>> = {}): PrinterBehaviour => ({
  kind: 'http',
  status,
  headers,
});

const rows: readonly (readonly [string, PrinterBehaviour, ProblemCode])[] = [
  ['nobody listens', { kind: 'refuse-connections' }, 'printer-unreachable'],
  ['it never answers', { kind: 'never-answer' }, 'printer-unreachable'],
  ['it never answers to Validate-Job', { kind: 'never-answer', to: 'Validate-Job' }, 'printer-unreachable'],
  ['it has no paper', stopped('media-empty-error'), 'printer-not-ready'],
  ['it has no paper and does not say how bad that is', stopped('media-empty'), 'printer-not-ready'],
  ['it is jammed', stopped('media-jam-error'), 'printer-not-ready'],
  ['its door is open', stopped('door-open-error'), 'printer-not-ready'],
  ['it accepts no jobs', { kind: 'not-accepting' }, 'printer-rejecting'],
  ['it is busy for half a minute', { kind: 'busy' }, 'printer-busy'],
  ['it does not take PDF', { kind: 'refuse-format' }, 'document-not-printable'],
  ['it wants a password', http(401, { 'www-authenticate': 'Basic realm="printer"' }), 'printer-denied'],
  ['it sends elsewhere', http(302, { location: '/elsewhere' }), 'printer-moved'],
  ['it wants TLS', http(426, { upgrade: 'TLS/1.2' }), 'printer-tls-wanted'],
  ['a proxy says 502', http(502), 'printer-protocol'],
  ['it answers what is not IPP', { kind: 'garbage' }, 'printer-protocol'],
  ['it answers another request', { kind: 'wrong-request-id' }, 'printer-protocol'],
];

const documentsSent = ({ printer }: RunningStage) =>
  printer.requests.filter(({ operation }) => operation === 'Send-Document').length;

describe('nothing is sent, the log says why, the document still waits; then the next badge works (I1, I7)', () => {
  it.each(rows)('%s', async (_, behaviour, code) => {
    await using stage = await setRunningStage();
    const { printer } = stage;
    await printer.behave(behaviour);
    expect(await stage.release()).toMatchObject({ level: 'warn', outcome: 'failed', code });
    expectUntouched(stage);
    expect(documentsSent(stage)).toBe(0);

    await printer.clear();
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
  });

  it('names the printer-state-reasons it was stopped for', async () => {
    await using stage = await setRunningStage();
    await stage.printer.behave(stopped('marker-supply-empty-error'));
    expect(await stage.release()).toMatchObject({ reasons: ['marker-supply-empty-error'] });
  });

  it('the answer to Create-Job is lost: the empty job is found by its name and cancelled', async () => {
    await using stage = await setRunningStage();
    const { printer } = stage;
    await printer.behaveOnce({ kind: 'answer-lost', to: 'Create-Job' });
    expect(await stage.release()).toMatchObject({ outcome: 'failed', code: 'printer-unreachable' });
    expectUntouched(stage);
    expect(printer.jobs.map(({ state }) => state)).toEqual(['canceled']);
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
  });

  it.each<[string, PrinterBehaviour]>([
    ['gives the job up before the first page', { kind: 'abort', afterPages: 0 }],
    ['jams before the first page and is not mended', { kind: 'jam', afterPages: 0 }],
  ])('the printer %s and counts no page: what is known of that hangs on its counter', async (...row) => {
    const [, behaviour] = row;
    await using stage = await setRunningStage({ printer: { pageTime: milliseconds(100) } });
    const { agent, cloud, printer } = stage;
    const outcomes = ['completed', 'failed', 'completed'];

    // It has counted while it printed: its 0 says that nothing came out, and the document may be printed again.
    expect(await stage.release()).toMatchObject({ outcome: outcomes[0] });
    cloud.addDocument({ owner: 'alice', name: 'Second.pdf', pages: 3 });
    await printer.behave(behaviour);
    expect(await stage.release()).toMatchObject({
      outcome: outcomes[1],
      code: expect.stringMatching(/^printer-(aborted|stalled)/),
    });
    await printer.clear();
    expect(await stage.release()).toMatchObject({ outcome: outcomes[2] });
    expect(printer.outputs.map(({ complete }) => complete)).toEqual([true, true]);
    expect(agent.records.filter(({ msg }) => msg === 'release repeated')).toEqual([]);
  });

  it.each<[string, PrinterBehaviour]>([
    ['gives the job up before the first page', { kind: 'abort', afterPages: 0 }],
    ['jams before the first page and is not mended', { kind: 'jam', afterPages: 0 }],
  ])('a printer that never counted before %s: nobody knows, and nothing is sent again', async (...row) => {
    const [, behaviour] = row;
    await using stage = await setRunningStage();
    const { printer } = stage;
    await printer.behave(behaviour);
    expect(await stage.release()).toMatchObject({ outcome: 'unknown' });
    await printer.clear();
    await stage.badge();
    await stage.clock.hurry(stage.agent.told('session closed'));
    expect(printer.outputs).toEqual([]);
  });
});

describe('what passes by itself is waited for (B.4, 7)', () => {
  it('a printer busy for a while', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, printer } = stage;
    await printer.behave({ kind: 'busy' });
    await stage.badge();
    await agent.told('release started');
    const asked = printer.requests.length;
    await clock.hurry(printer.waitFor(() => printer.requests.length > asked + 5));
    await printer.clear();
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
  });

  it('a jam in the middle that somebody clears in time', async () => {
    await using stage = await setRunningStage();
    const { agent, printer } = stage;
    await printer.behave({ kind: 'jam', afterPages: 1 });
    await stage.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
    await printer.clear();
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
  });
});

describe('a batch', () => {
  it('stops at the first fault of the printer, and nothing of it is lost (B.4, 7)', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock, printer } = stage;
    cloud.addDocument({ owner: 'alice', name: 'Second.pdf' });
    cloud.addDocument({ owner: 'alice', name: 'Third.pdf' });
    await printer.behave(stopped('door-open-error'));
    expect(await stage.release()).toMatchObject({ outcome: 'failed', code: 'printer-not-ready' });
    const skipped = agent.records.filter(({ msg }) => msg === 'release skipped');
    expect(skipped.map(({ code }) => code)).toEqual(['printer-not-ready', 'printer-not-ready']);
    await printer.clear();
    clock.forward(seconds(2));
    await stage.release();
    await cloud.waitFor(() => cloud.state.history.length === 3);
    expect(printer.outputs.map(({ complete }) => complete)).toEqual([true, true, true]);
  });
});
