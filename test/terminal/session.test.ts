import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

describe('a session', () => {
  it('times out when nobody does anything', async () => {
    const { tap, clock, closed } = terminalStage();
    await tap(alice);
    await clock.advance(seconds(59));
    expect(closed()).toEqual([]);
    await clock.advance(seconds(2));
    expect(closed()).toEqual(['timeout']);
  });

  it('closes with an error when the list cannot be had', async () => {
    const list = () => Promise.reject(new Problem('cloud-unreachable', 'no route'));
    const { tap, closed, log } = terminalStage({ list });
    await tap(alice);
    expect(closed()).toEqual(['error']);
    expect(log.records('list failed')).toMatchObject([{ code: 'cloud-unreachable' }]);
  });

  it('ends in order when the agent stops', async () => {
    const { tap, stop, closed, turn } = terminalStage();
    await tap(alice);
    stop.abort();
    await turn();
    expect(closed()).toEqual(['stopped']);
  });

  it('leaves no name, title or number of the person in log or view, but for the person in front (I3, I5)', async () => {
    const { tap, log, terminal } = terminalStage({
      documents: [documentNamed('one', { name: 'Dismissal letter' })],
    });
    await tap(alice);
    await tap(alice);
    const { documents, progress, fullName, ...forPassersBy } = terminal.view.current();
    for (const shown of [documents, progress]) expect(shown).toMatchObject([{ name: 'Dismissal letter' }]);
    expect(fullName).toBe('alice');
    const seen = JSON.stringify(forPassersBy) + log.text();
    for (const canary of ['alice', 'Dismissal', '04A1B2C3D4', 'token of']) expect(seen).not.toContain(canary);
  });
});
