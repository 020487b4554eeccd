/** What a page with words of its own is told of a terminal: a code beside the English sentence. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const noticeOf = ({ terminal }: Pick<ReturnType<typeof terminalStage>, 'terminal'>) =>
  terminal.view.current().notice;

describe('the notice of a terminal', () => {
  it('is there only where something is to be said', async () => {
    const stage = terminalStage();
    await stage.turn();
    expect(noticeOf(stage)).toBeUndefined();
    await stage.tap(alice);
    expect(noticeOf(stage)).toBeUndefined();
  });

  it('names why a login failed, with the sentence that the screen shows', async () => {
    const refused = new Problem('login-refused', 'the service answered 401', { status: 401 });
    const stage = terminalStage({ login: () => Promise.reject(refused) });
    await stage.tap(alice);
    expect(noticeOf(stage)).toEqual({ code: 'login-refused', sentence: stage.sentence() });
    await stage.clock.advance(seconds(9));
    expect(noticeOf(stage)).toBeUndefined();
  });

  it('tells that the service is away or slow', async () => {
    const stage = terminalStage({ login: () => new Promise<never>(() => {}) });
    stage.terminal.tell({ type: 'service', state: 'down' });
    await stage.turn();
    expect(noticeOf(stage)).toMatchObject({ code: 'cloud-unreachable', sentence: stage.sentence() });
    stage.terminal.tell({ type: 'service', state: 'up' });
    await stage.tap(alice);
    await stage.clock.advance(seconds(3));
    expect(noticeOf(stage)).toMatchObject({ code: 'service-slow', sentence: stage.sentence() });
  });

  it('counts documents of others before one’s own, and those that were left alone', async () => {
    const stage = terminalStage({
      documents: [documentNamed('one'), documentNamed('two')],
      standings: { two: 'may-have-printed' },
      last: { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false },
    });
    await stage.tap(alice);
    expect(noticeOf(stage)).toMatchObject({ code: 'left-alone', params: { n: 1 } });
    await stage.clock.advance(seconds(2));
    await stage.tap(alice);
    stage.places[0]?.(3);
    await stage.turn();
    expect(noticeOf(stage)).toMatchObject({ code: 'queued', params: { n: 3 } });
  });

  it('says that the list has documents under another name, of which nothing is shown (B.4, 3)', async () => {
    const stage = terminalStage({ documents: [], underOtherName: 2, mayBeMore: true });
    await stage.tap(alice);
    expect(noticeOf(stage)).toMatchObject({ code: 'under-other-name', params: { n: 2 } });
    expect(stage.sentence()).toMatch(
      /^2 documents are not shown, because the user name is different\. .*nothing to print/,
    );
  });

  it('says that a list is not the whole', async () => {
    const stage = terminalStage({ mayBeMore: true });
    await stage.tap(alice);
    expect(noticeOf(stage)).toMatchObject({ code: 'more-in-portal', params: { n: 2 } });
  });
});
