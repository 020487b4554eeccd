/**
 * The service goes away while somebody stands at their list: what was wished, and what waits, stays on the screen, and
 * the list is fetched again as soon as that can be done (INVARIANTS.md B.4, I12).
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const [one, two, three] = [documentNamed('one'), documentNamed('two'), documentNamed('three')];
const away = new Problem('cloud-unreachable', 'no answer');

type Options = Omit<NonNullable<Parameters<typeof terminalStage>[0]>, 'list'>;

/** Alice at her list, before a service that can go away. */
async function atList(documents: readonly Document[], options: Options = {}) {
  const service = { documents, isAway: false, answers: true };
  const at = terminalStage({
    canBeAsked: true,
    ...options,
    list: () => {
      if (!service.answers) return new Promise<never>(() => {});
      return service.isAway ? Promise.reject(away) : Promise.resolve(service.documents);
    },
  });
  await at.tap(alice);
  const view = () => at.terminal.view.current();
  return {
    ...at,
    service,
    view,
    listed: () => view().documents?.map(({ uuid, standing }) => `${uuid} ${standing}`),
    became: () => view().progress?.map(({ name, stage }) => `${name} ${stage}`),
    release(...documentUuids: string[]) {
      at.terminal.tell({ type: 'release', generation: at.generation(), documentUuids });
    },
    async lookAgain() {
      at.terminal.tell({ type: 'look-again', generation: at.generation() });
      await at.turn();
    },
  };
}

describe('a list that cannot be fetched again after a print', () => {
  it('stays, with what was printed, until it can', async () => {
    const at = await atList([one, two]);
    at.release('one');
    at.service.isAway = true;
    at.ends.get('one')?.();
    await at.turn();
    expect([at.state(), at.closed(), at.listed(), at.became()]).toEqual([
      'choosing',
      [],
      ['two releasable'],
      ['one.pdf printed'],
    ]);
    expect(at.view().notice?.code).toBe('list-stale');
    expect(at.log.records('list failed')).toHaveLength(1);
    at.service.isAway = false;
    at.service.documents = [two, three];
    await at.clock.advance(seconds(5));
    expect([at.listed(), at.view().notice?.code]).toEqual([
      ['two releasable', 'three releasable'],
      'new-documents',
    ]);
  });

  it('is fetched when its owner wants it, who hears of it when that fails again', async () => {
    const at = await atList([one, two]);
    at.release('one');
    at.service.isAway = true;
    at.ends.get('one')?.();
    await at.turn();
    await at.lookAgain();
    expect([at.state(), at.view().notice?.code]).toEqual(['choosing', 'cloud-unreachable']);
    at.service.isAway = false;
    at.service.documents = [two];
    await at.lookAgain();
    expect([at.listed(), at.view().notice?.code]).toEqual([['two releasable'], 'nothing-new']);
  });

  it('has what was not printed again, and that can be tried once more', async () => {
    const at = await atList([one, two]);
    at.release('one', 'two');
    at.service.isAway = true;
    at.ends.get('one')?.();
    at.ends.get('two')?.(away);
    await at.turn();
    expect([at.listed(), at.became()]).toEqual([['two releasable'], ['one.pdf printed', 'two.pdf failed']]);
    at.release('two');
    await at.turn();
    expect(at.tickets.map(({ document }) => document.uuid)).toEqual(['one', 'two', 'two']);
    at.ends.get('two')?.();
    await at.turn();
    expect(at.became()).toEqual(['one.pdf printed', 'two.pdf printed']);
  });

  it('is the end of all where nothing is left: the person reads that, and is seen off', async () => {
    const at = await atList([one]);
    at.release('one');
    at.service.isAway = true;
    at.ends.get('one')?.();
    await at.turn();
    expect(at.sentence()).toContain('All done. Please take your pages.');
    expect(at.view().endsInSeconds).toBe(8);
    await at.clock.advance(seconds(8));
    expect([at.state(), at.closed()]).toEqual(['prompting', ['released']]);
  });

  it('stays where no answer comes at all, too', async () => {
    const at = await atList([one, two]);
    at.release('one');
    at.service.answers = false;
    at.ends.get('one')?.();
    await at.clock.advance(seconds(30));
    expect([at.state(), at.listed(), at.view().notice?.code]).toEqual([
      'choosing',
      ['two releasable'],
      'list-stale',
    ]);
  });
});

it('a document that could not be deleted is back in a list that cannot be fetched either', async () => {
  const at = await atList([one, two], { remove: () => Promise.reject(away) });
  at.service.isAway = true;
  at.terminal.tell({ type: 'delete', generation: at.generation(), documentUuids: ['one'] });
  await at.turn();
  expect([at.state(), at.closed(), at.listed()]).toEqual([
    'choosing',
    [],
    ['two releasable', 'one releasable'],
  ]);
});

it('the first list is fetched or nothing: its person is told why, and nobody else', async () => {
  const at = terminalStage({ canBeAsked: true, list: () => Promise.reject(away) });
  await at.tap(alice);
  expect([at.state(), at.closed(), at.terminal.view.current().notice?.code]).toEqual([
    'prompting',
    ['error'],
    'cloud-unreachable',
  ]);
});

it('an open list tells that the service is away, or slow, and of its return', async () => {
  const at = await atList([one]);
  const reported = (state: 'up' | 'slow' | 'down') => {
    at.terminal.tell({ type: 'service', state });
    return at.view().notice?.code;
  };
  expect([reported('slow'), reported('down'), reported('up')]).toEqual([
    'service-slow',
    'list-stale',
    undefined,
  ]);
  expect(at.listed()).toEqual(['one releasable']);
});
