/** What is learned of a printer at one document, and made use of at the next. */
import { expect, it } from 'vitest';
import type { Operation } from '../../../src/ipp/registry.ts';
import { group, strings } from '../../../src/ipp/message.ts';
import { shortReleaseId } from '../../../src/domain/release.ts';
import type { ReleaseStage } from './release-stage.ts';
import { releaseStage, ticketOf } from './release-stage.ts';

const printed = 'completed, device';

const requestsOf = ({ peer }: ReleaseStage, operation: Operation) =>
  peer.requests.filter((request) => request.operation === operation);

it.each([63, 64, 80, 127])(
  'names cut at %i octets have the release in front at the second document',
  async (at) => {
    await using stage = await releaseStage([`cuts-names=${at}`], 300);
    const life = stage.live();
    expect(await life.release(ticketOf(1))).toBe(printed);
    expect(stage.habits()).toMatchObject({ cutsNamesAt: expect.any(Number) as number });
    expect(await life.release(ticketOf(2))).toBe(printed);
    const marks = [1, 2].map((number) => `[${shortReleaseId(ticketOf(number).releaseId)}]`);
    const names = stage.peer.jobs.map(({ name }) => name);
    expect(names[0]).toMatch(/^Über/);
    expect(names[0]?.endsWith(marks[0] ?? '?')).toBe(true);
    expect(names[1]?.startsWith(`${marks[1]} Über`)).toBe(true);
  },
);

it('also after a restart of the agent', async () => {
  await using stage = await releaseStage(['cuts-names=64'], 300);
  await stage.live().release(ticketOf(1));
  expect(await stage.live().release(ticketOf(2))).toBe(printed);
  expect(stage.peer.jobs[1]?.name).toMatch(/^\[/);
});

it.each([
  ['refuses-document-name', 'document-name'],
  ['refuses-job-name', 'job-name'],
  ['refuses-user-name', 'requesting-user-name'],
] as const)('at a printer that %s it is left out at once at the second document', async (habit, name) => {
  await using stage = await releaseStage([habit], 300);
  const life = stage.live();
  expect(await life.release(ticketOf(1))).toBe(printed);
  expect(stage.habits()).toMatchObject({ refusesNames: [name] });
  const before = stage.peer.requests.length;
  expect(await life.release(ticketOf(2))).toBe(printed);
  const made = (['Validate-Job', 'Create-Job', 'Send-Document'] as const).map((operation) =>
    requestsOf(stage, operation).filter((request) => stage.peer.requests.indexOf(request) >= before),
  );
  expect(made.map(({ length }) => length)).toEqual([expect.any(Number), 1, 1]);
  for (const { message } of made.flat()) {
    expect(strings(group(message, 'operation-attributes'), name)).toEqual([]);
  }
  expect(stage.peer.outputs).toHaveLength(2);
});

it.each([
  ['only-ipp-1.1', '1.1'],
  ['only-ipp-1.0=http-400', '1.0'],
] as const)(
  'at a printer that speaks %s an agent that starts again asks in that at once',
  async (habit, version) => {
    await using stage = await releaseStage([habit], 300);
    expect(await stage.live().release(ticketOf(1))).toBe(printed);
    expect(stage.habits()).toMatchObject({ version });
    const before = stage.peer.requests.length;
    expect(await stage.live().release(ticketOf(2))).toBe(printed);
    expect(new Set(stage.peer.requests.slice(before).map((request) => request.version))).toEqual(
      new Set([version]),
    );
  },
);

it('a 0 of a printer that was seen to count while it prints is a proof at the next document', async () => {
  await using stage = await releaseStage([], 2000);
  const life = stage.live();
  expect(await life.release(ticketOf(1))).toBe(printed);
  expect(stage.habits()).toMatchObject({ counts: 'while-printing' });
  await stage.peer.behave({ kind: 'abort', afterPages: 0 });
  expect(await life.release(ticketOf(2))).toBe('failed, printer-aborted-job');
  expect(stage.peer.outputs).toHaveLength(1);
});

it.each([0, 5, 20, 60])(
  'a printer that hangs up %i ms after each answer is given a connection for each request, also after a restart',
  async (after) => {
    await using stage = await releaseStage([`hangs-up=${after}`], 300);
    const life = stage.live();
    for (const number of [1, 2, 3, 4]) expect(await life.release(ticketOf(number))).toBe(printed);
    expect(stage.habits()).toMatchObject({ hangsUp: true });
    expect(await stage.live().release(ticketOf(5))).toBe(printed);
    expect(stage.peer.outputs).toHaveLength(5);
    expect(stage.peer.jobs).toHaveLength(5);
  },
);
