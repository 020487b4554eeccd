/** While a session is open its list is kept up to date, without taking anything from under a finger. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const [one, two, three] = [documentNamed('one'), documentNamed('two'), documentNamed('three')];

/** A terminal at a list that the test changes behind its back. */
async function opened(
  documents: readonly Document[],
  options: Omit<NonNullable<Parameters<typeof terminalStage>[0]>, 'list'> = {},
) {
  const service = { documents, fault: undefined as Problem | undefined };
  const asked: ('background' | 'person')[] = [];
  const at = terminalStage({
    canBeAsked: true,
    ...options,
    list: async ({ inBackground }) => {
      asked.push(inBackground ? 'background' : 'person');
      if (service.fault) throw service.fault;
      return service.documents;
    },
  });
  await at.tap(alice);
  expect(at.state()).toBe('choosing');
  asked.length = 0;
  const view = () => at.terminal.view.current();
  const listed = () => view().documents?.map(({ uuid, standing }) => `${uuid} ${standing}`);
  return { ...at, service, asked, view, listed };
}

describe('an empty list', () => {
  it('is asked for again every 5 s, and shows what was sent meanwhile', async () => {
    const at = await opened([]);
    await at.clock.advance(seconds(4.9));
    expect(at.asked).toEqual([]);
    at.service.documents = [one];
    await at.clock.advance(seconds(0.1));
    expect(at.asked).toEqual(['background']);
    expect(at.listed()).toEqual(['one releasable']);
    expect(at.view().notice).toEqual({
      code: 'new-documents',
      params: { n: 1 },
      sentence: '1 new document.',
    });
  });

  it('is asked for at once by the same badge, which hears that nothing has come', async () => {
    const at = await opened([]);
    await at.tap(alice);
    expect(at.asked).toEqual(['person']);
    expect([at.state(), at.closed(), at.view().notice?.code]).toEqual(['choosing', [], 'nothing-new']);
    at.service.documents = [one, two];
    await at.tap(alice);
    expect(at.view().notice).toMatchObject({ code: 'new-documents', params: { n: 2 } });
    expect(at.listed()).toEqual(['one releasable', 'two releasable']);
    expect(at.tickets).toEqual([]);
  });

  it('says why it could not be asked for, and stays', async () => {
    const at = await opened([]);
    at.service.fault = new Problem('cloud-unreachable', 'no answer');
    await at.tap(alice);
    expect([at.state(), at.view().notice?.code]).toEqual(['choosing', 'cloud-unreachable']);
  });
});

describe('a list with documents', () => {
  it('is asked for every 10 s; what is new comes last, what is gone keeps its place', async () => {
    const at = await opened([one, two]);
    await at.clock.advance(seconds(9.9));
    expect(at.asked).toEqual([]);
    at.service.documents = [three, two];
    await at.clock.advance(seconds(0.1));
    expect(at.asked).toEqual(['background']);
    expect(at.listed()).toEqual(['two releasable', 'three releasable', 'one unavailable']);
    expect(at.view().documents?.at(-1)?.why).toBe('gone');
    expect(at.view().notice).toMatchObject({ code: 'new-documents', params: { n: 1 } });
    at.service.documents = [one, two, three];
    await at.clock.advance(seconds(10));
    expect(at.listed()).toEqual(['two releasable', 'three releasable', 'one releasable']);
    expect(at.view().notice).toBeUndefined();
  });

  it('keeps nobody signed in, and nobody’s changes are lost', async () => {
    const at = await opened([one, two]);
    const { generation } = at.view();
    at.terminal.tell({
      type: 'change',
      generation,
      documentUuid: 'one',
      copies: 3,
      color: true,
      sides: 'one-sided',
    });
    const copies = () => at.view().documents?.find(({ uuid }) => uuid === 'one')?.copies;
    const chosen = copies();
    at.service.documents = [one, two, three];
    await at.clock.advance(seconds(30));
    expect([at.view().generation, at.view().endsInSeconds, copies()]).toEqual([generation, 30, chosen]);
    await at.clock.advance(seconds(30));
    expect(at.closed()).toEqual(['timeout']);
  });

  it('asks what the new ones cost, and of those it knows no more', async () => {
    const quoted: string[] = [];
    const at = await opened([one, two], {
      quote: async ({ document }) => {
        quoted.push(document.uuid);
        return { cost: 100n as never, balance: 1000n as never, isSufficient: true };
      },
    });
    await at.turn();
    at.service.documents = [three, one, two];
    await at.clock.advance(seconds(10));
    expect(quoted).toEqual(['one', 'two', 'three']);
  });

  it('brings back nothing that the person has deleted', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const at = await opened([one, two], { remove: () => never });
    at.terminal.tell({ type: 'delete', generation: at.generation(), documentUuids: ['one'] });
    await at.clock.advance(seconds(10));
    expect(at.asked).toEqual(['background']);
    expect(at.listed()).toEqual(['two releasable']);
  });
});

describe('the service is not asked', () => {
  it('while a release of this terminal runs', async () => {
    let isReleasing = true;
    const at = await opened([], { isReleasing: () => isReleasing });
    await at.clock.advance(seconds(20));
    expect(at.asked).toEqual([]);
    isReleasing = false;
    await at.clock.advance(seconds(5));
    expect(at.asked).toEqual(['background']);
  });

  it('while it is away, and says nothing of a question that fails', async () => {
    const at = await opened([]);
    at.terminal.tell({ type: 'service', state: 'down' });
    await at.clock.advance(seconds(20));
    expect(at.asked).toEqual([]);
    at.terminal.tell({ type: 'service', state: 'up' });
    at.service.fault = new Problem('cloud-busy', 'too much to do');
    await at.clock.advance(seconds(5));
    expect([at.asked, at.state(), at.view().notice]).toEqual([['background'], 'choosing', undefined]);
  });

  it('after the session', async () => {
    const at = await opened([]);
    at.terminal.tell({ type: 'log-out', generation: at.generation() });
    await at.clock.advance(seconds(20));
    expect(at.asked).toEqual([]);
  });
});
