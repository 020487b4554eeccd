/** Documents that their owner deletes at the terminal. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Standing } from '../../src/domain/release.ts';
import { alice, documentNamed, stand } from './terminal-stand.ts';

const documents = ['one', 'two', 'three'].map((uuid) => documentNamed(uuid));

async function aliceChooses(options: Parameters<typeof stand>[0] = {}) {
  const scene = stand({ documents, ...options });
  await scene.tap(alice);
  const { terminal, turn } = scene;
  const { generation } = terminal.view.current();
  return {
    ...scene,
    generation,
    listed: () => terminal.view.current().documents?.map(({ uuid }) => uuid),
    async deletes(documentUuids: readonly string[], shown = generation) {
      terminal.tell({ type: 'delete', generation: shown, documentUuids });
      await turn();
    },
  };
}

describe('a document that is deleted at the terminal', () => {
  it('is deleted in the cloud, leaves the list, and is not printed with the rest', async () => {
    const scene = await aliceChooses();
    await scene.deletes(['two', 'unheard of']);
    expect(scene.removed).toEqual(['two']);
    expect([scene.state(), scene.listed()]).toEqual(['choosing', ['one', 'three']]);
    await scene.clock.advance(seconds(2));
    await scene.tap(alice);
    expect(scene.tickets.map(({ document }) => document.uuid)).toEqual(['one', 'three']);
  });

  it('has to be in the list that is shown (D2, I3)', async () => {
    const scene = await aliceChooses();
    await scene.deletes(['one'], scene.generation - 1);
    await scene.deletes(['unheard of']);
    expect(scene.removed).toEqual([]);
    expect(scene.listed()).toEqual(['one', 'two', 'three']);
    expect(scene.log.records('choice ignored')).toHaveLength(2);
  });

  it('stays where another terminal has it by now, and where it may have been printed', async () => {
    const standings: Record<string, Standing> = { three: 'may-have-printed' };
    const last = { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false } as const;
    const scene = await aliceChooses({ standings, last });
    standings['two'] = 'in-progress';
    await scene.deletes(['two', 'three']);
    expect(scene.removed).toEqual([]);
    expect(scene.sentence()).toContain('being printed');
  });

  it('comes back, with the reason, where the service refuses', async () => {
    const refused = new Problem('cloud-denied', 'the service answered 403', { status: 403 });
    const scene = await aliceChooses({ remove: () => Promise.reject(refused) });
    await scene.deletes(['one']);
    expect([scene.state(), scene.listed()]).toEqual(['choosing', ['one', 'two', 'three']]);
    expect(scene.terminal.view.current().notice).toMatchObject({ code: 'cloud-denied' });
    expect(scene.log.records('deletion refused')).toMatchObject([{ code: 'cloud-denied' }]);
  });

  it('tells nobody else that it could not be deleted (I3)', async () => {
    let refuse: (problem: Problem) => void = () => {};
    const scene = await aliceChooses({ remove: () => new Promise<void>((_, reject) => (refuse = reject)) });
    await scene.deletes(['one']);
    scene.terminal.tell({ type: 'log-out', generation: scene.generation });
    refuse(new Problem('cloud-denied', 'the service answered 403', { status: 403 }));
    await scene.turn();
    expect([scene.state(), scene.sentence()]).toEqual(['prompting', 'Hold your card to the reader.']);
  });
});
