/** The printer is not up to it before it has a byte of the document (INVARIANTS.md B.4, 7 Print). */
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import type { Scene } from './scene.ts';
import { expectPrintedOnce, expectUntouched, setScene } from './scene.ts';

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
  ['it sends elsewhere', http(302, { location: '/elsewhere' }), 'printer-protocol'],
  ['it wants TLS', http(426, { upgrade: 'TLS/1.2' }), 'printer-protocol'],
  ['a proxy says 502', http(502), 'printer-protocol'],
  ['it answers what is not IPP', { kind: 'garbage' }, 'printer-protocol'],
  ['it answers another request', { kind: 'wrong-request-id' }, 'printer-protocol'],
];

const documentsSent = ({ printer }: Scene) =>
  printer.requests.filter(({ operation }) => operation === 'Send-Document').length;

describe('nothing is sent, the log says why, the document still waits; then the next badge works (I1, I7)', () => {
  it.each(rows)('%s', async (_, behaviour, code) => {
    await using scene = await setScene();
    const { printer } = scene;
    await printer.behave(behaviour);
    expect(await scene.release()).toMatchObject({ level: 'warn', outcome: 'failed', code });
    expectUntouched(scene);
    expect(documentsSent(scene)).toBe(0);

    await printer.clear();
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });

  it('names the printer-state-reasons it was stopped for', async () => {
    await using scene = await setScene();
    await scene.printer.behave(stopped('marker-supply-empty-error'));
    expect(await scene.release()).toMatchObject({ reasons: ['marker-supply-empty-error'] });
  });

  it('the answer to Create-Job is lost: the empty job is found by its name and cancelled', async () => {
    await using scene = await setScene();
    const { printer } = scene;
    await printer.behaveOnce({ kind: 'answer-lost', to: 'Create-Job' });
    expect(await scene.release()).toMatchObject({ outcome: 'failed', code: 'printer-unreachable' });
    expectUntouched(scene);
    expect(printer.jobs.map(({ state }) => state)).toEqual(['canceled']);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });

  it.each<[string, PrinterBehaviour]>([
    ['gives the job up before the first page', { kind: 'abort', afterPages: 0 }],
    ['jams before the first page and is not mended', { kind: 'jam', afterPages: 0 }],
  ])('the printer %s and counts no page: what is known of that hangs on its counter', async (...row) => {
    const [, behaviour] = row;
    await using scene = await setScene({ printer: { pageTime: milliseconds(100) } });
    const { agent, cloud, printer } = scene;
    const outcomes = ['completed', 'failed', 'completed'];

    // It has counted while it printed: its 0 says that nothing came out, and the document may be printed again.
    expect(await scene.release()).toMatchObject({ outcome: outcomes[0] });
    cloud.addDocument({ owner: 'alice', name: 'Second.pdf', pages: 3 });
    await printer.behave(behaviour);
    expect(await scene.release()).toMatchObject({
      outcome: outcomes[1],
      code: expect.stringMatching(/^printer-(aborted|stalled)/),
    });
    await printer.clear();
    expect(await scene.release()).toMatchObject({ outcome: outcomes[2] });
    expect(printer.outputs.map(({ complete }) => complete)).toEqual([true, true]);
    expect(agent.records.filter(({ msg }) => msg === 'release repeated')).toEqual([]);
  });

  it.each<[string, PrinterBehaviour]>([
    ['gives the job up before the first page', { kind: 'abort', afterPages: 0 }],
    ['jams before the first page and is not mended', { kind: 'jam', afterPages: 0 }],
  ])('a printer that never counted before %s: nobody knows, and nothing is sent again', async (...row) => {
    const [, behaviour] = row;
    await using scene = await setScene();
    const { printer } = scene;
    await printer.behave(behaviour);
    expect(await scene.release()).toMatchObject({ outcome: 'unknown' });
    await printer.clear();
    scene.badge();
    await scene.agent.told('session closed');
    expect(printer.outputs).toEqual([]);
  });
});

describe('what passes by itself is waited for (B.4, 7)', () => {
  it('a printer busy for a while', async () => {
    await using scene = await setScene();
    const { agent, clock, printer } = scene;
    await printer.behave({ kind: 'busy' });
    scene.badge();
    await agent.told('release started');
    const asked = printer.requests.length;
    await clock.hurry(printer.waitFor(() => printer.requests.length > asked + 5));
    await printer.clear();
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });

  it('a jam in the middle that somebody clears in time', async () => {
    await using scene = await setScene();
    const { agent, printer } = scene;
    await printer.behave({ kind: 'jam', afterPages: 1 });
    scene.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
    await printer.clear();
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });
});

describe('a batch', () => {
  it('stops at the first fault of the printer, and nothing of it is lost (B.4, 7)', async () => {
    await using scene = await setScene();
    const { agent, cloud, clock, printer } = scene;
    cloud.addDocument({ owner: 'alice', name: 'Second.pdf' });
    cloud.addDocument({ owner: 'alice', name: 'Third.pdf' });
    await printer.behave(stopped('door-open-error'));
    expect(await scene.release()).toMatchObject({ outcome: 'failed', code: 'printer-not-ready' });
    const skipped = agent.records.filter(({ msg }) => msg === 'release skipped');
    expect(skipped.map(({ code }) => code)).toEqual(['printer-not-ready', 'printer-not-ready']);
    await printer.clear();
    clock.forward(seconds(2));
    await scene.release();
    await cloud.waitFor(() => cloud.state.history.length === 3);
    expect(printer.outputs.map(({ complete }) => complete)).toEqual([true, true, true]);
  });
});
