/** Documents that their owner deletes at the terminal. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Standing } from '../../src/domain/release.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const documents = ['one', 'two', 'three'].map((uuid) => documentNamed(uuid));

async function aliceChooses(options: Parameters<typeof terminalStage>[0] = {}) {
  const stage = terminalStage({ documents, ...options });
  await stage.tap(alice);
  const { terminal, turn } = stage;
  const { generation } = terminal.view.current();
  return {
    ...stage,
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
    const stage = await aliceChooses();
    await stage.deletes(['two', 'unheard of']);
    expect(stage.removed).toEqual(['two']);
    expect([stage.state(), stage.listed()]).toEqual(['choosing', ['one', 'three']]);
    await stage.clock.advance(seconds(2));
    await stage.tap(alice);
    expect(stage.tickets.map(({ document }) => document.uuid)).toEqual(['one', 'three']);
  });

  it('has to be in the list that is shown (D2, I3)', async () => {
    const stage = await aliceChooses();
    await stage.deletes(['one'], stage.generation - 1);
    await stage.deletes(['unheard of']);
    expect(stage.removed).toEqual([]);
    expect(stage.listed()).toEqual(['one', 'two', 'three']);
    expect(stage.log.records('choice ignored')).toHaveLength(2);
  });

  it('stays where another terminal has it by now, and where it may have been printed', async () => {
    const standings: Record<string, Standing> = { three: 'may-have-printed' };
    const last = { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false } as const;
    const stage = await aliceChooses({ standings, last });
    standings['two'] = 'in-progress';
    await stage.deletes(['two', 'three']);
    expect(stage.removed).toEqual([]);
    expect(stage.sentence()).toContain('being printed');
  });

  it('comes back, with the reason, where the service refuses', async () => {
    const refused = new Problem('cloud-denied', 'the service answered 403', { status: 403 });
    const stage = await aliceChooses({ remove: () => Promise.reject(refused) });
    await stage.deletes(['one']);
    expect([stage.state(), stage.listed()]).toEqual(['choosing', ['one', 'two', 'three']]);
    expect(stage.terminal.view.current().notice).toMatchObject({ code: 'cloud-denied' });
    expect(stage.log.records('deletion refused')).toMatchObject([{ code: 'cloud-denied' }]);
  });

  it('tells nobody else that it could not be deleted (I3)', async () => {
    let refuse: (problem: Problem) => void = () => {};
    const stage = await aliceChooses({ remove: () => new Promise<void>((_, reject) => (refuse = reject)) });
    await stage.deletes(['one']);
    stage.terminal.tell({ type: 'log-out', generation: stage.generation });
    refuse(new Problem('cloud-denied', 'the service answered 403', { status: 403 }));
    await stage.turn();
    expect([stage.state(), stage.sentence()]).toEqual(['prompting', 'Hold your card to the reader.']);
  });
});
