/** What a page with words of its own is told of a terminal: a code beside the English sentence. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, stand } from './terminal-stand.ts';

const noticeOf = ({ terminal }: Pick<ReturnType<typeof stand>, 'terminal'>) => terminal.view.current().notice;

describe('the notice of a terminal', () => {
  it('is there only where something is to be said', async () => {
    const scene = stand();
    await scene.turn();
    expect(noticeOf(scene)).toBeUndefined();
    await scene.tap(alice);
    expect(noticeOf(scene)).toBeUndefined();
  });

  it('names why a login failed, with the sentence that the screen shows', async () => {
    const refused = new Problem('login-refused', 'the service answered 401', { status: 401 });
    const scene = stand({ login: () => Promise.reject(refused) });
    await scene.tap(alice);
    expect(noticeOf(scene)).toEqual({ code: 'login-refused', sentence: scene.sentence() });
    await scene.clock.advance(seconds(9));
    expect(noticeOf(scene)).toBeUndefined();
  });

  it('tells that the service is away or slow', async () => {
    const scene = stand({ login: () => new Promise<never>(() => {}) });
    scene.terminal.tell({ type: 'service', state: 'down' });
    await scene.turn();
    expect(noticeOf(scene)).toMatchObject({ code: 'cloud-unreachable', sentence: scene.sentence() });
    scene.terminal.tell({ type: 'service', state: 'up' });
    await scene.tap(alice);
    await scene.clock.advance(seconds(3));
    expect(noticeOf(scene)).toMatchObject({ code: 'service-slow', sentence: scene.sentence() });
  });

  it('counts documents of others before one’s own, and those that were left alone', async () => {
    const scene = stand({
      documents: [documentNamed('one'), documentNamed('two')],
      standings: { two: 'may-have-printed' },
      last: { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false },
    });
    await scene.tap(alice);
    expect(noticeOf(scene)).toMatchObject({ code: 'left-alone', params: { n: 1 } });
    await scene.clock.advance(seconds(2));
    await scene.tap(alice);
    scene.places[0]?.(3);
    await scene.turn();
    expect(noticeOf(scene)).toMatchObject({ code: 'queued', params: { n: 3 } });
  });

  it('says that the list has documents under another name, of which nothing is shown (B.4, 3)', async () => {
    const scene = stand({ documents: [], underOtherName: 2, mayBeMore: true });
    await scene.tap(alice);
    expect(noticeOf(scene)).toMatchObject({ code: 'under-other-name', params: { n: 2 } });
    expect(scene.sentence()).toMatch(
      /^2 documents are not shown, because the user name is different\. .*nothing to print/,
    );
  });

  it('says that a list is not the whole', async () => {
    const scene = stand({ mayBeMore: true });
    await scene.tap(alice);
    expect(noticeOf(scene)).toMatchObject({ code: 'more-in-portal', params: { n: 2 } });
  });
});
