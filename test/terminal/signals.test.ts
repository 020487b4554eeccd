/** What the reader is told of the person whose badge was held to it. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const refusing = () => Promise.reject(new Problem('login-refused', 'status 401'));

describe('the signals of a terminal', () => {
  it('tell that the login was accepted, and once that all documents are out', async () => {
    const { tap, signals, ends, turn } = terminalStage();
    await tap(alice);
    expect(signals).toEqual([['accepted', alice]]);
    await tap(alice);
    ends.get('one')?.();
    await turn();
    expect(signals).toHaveLength(1);
    ends.get('two')?.();
    await turn();
    expect(signals).toEqual([
      ['accepted', alice],
      ['done', alice],
    ]);
  });

  it('tell that the login was refused', async () => {
    const { tap, signals } = terminalStage({ login: refusing });
    await tap(alice);
    expect(signals).toEqual([['refused', alice]]);
  });

  it('tell that a badge was refused while the terminal is out of service', async () => {
    const { tap, signals, terminal } = terminalStage();
    terminal.tell({ type: 'unauthorized' });
    await tap(alice);
    expect(signals).toEqual([['refused', alice]]);
  });

  it('tell of no end while a document did not come out for certain', async () => {
    const { tap, signals, ends, turn } = terminalStage({ autoRelease: true });
    await tap(alice);
    ends.get('one')?.(new Problem('printer-stalled', 'nothing moves'));
    ends.get('two')?.();
    await turn();
    expect(signals).toEqual([['accepted', alice]]);
  });

  it('tell the next person nothing of what comes out for the last one (I3)', async () => {
    const { tap, signals, ends, turn } = terminalStage({ autoRelease: true });
    await tap(alice);
    const endsOfAlice = [...ends.values()];
    await tap(bob);
    for (const end of endsOfAlice) end();
    await turn();
    expect(signals).toEqual([
      ['accepted', alice],
      ['accepted', bob],
    ]);
  });

  it('tell of no end either where what the last person left behind fails too', async () => {
    const { tap, signals, ends, turn } = terminalStage({ autoRelease: true });
    const stalled = new Problem('printer-stalled', 'nothing moves');
    await tap(alice);
    const endsOfAlice = [...ends.values()];
    await tap(bob);
    ends.get('one')?.(stalled);
    for (const end of endsOfAlice) end(stalled);
    ends.get('two')?.();
    await turn();
    expect(signals.map(([signal]) => signal)).toEqual(['accepted', 'accepted']);
  });

  it('tell nothing of who leaves', async () => {
    const { tap, signals, closed } = terminalStage({
      documents: [documentNamed('one')],
      standings: { one: 'in-progress' },
    });
    await tap(alice);
    await tap(alice);
    expect(closed()).toEqual(['badge']);
    expect(signals).toEqual([['accepted', alice]]);
  });
});
