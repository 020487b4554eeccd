/** How `platen check` goes about its steps: side by side, each with its time, and one cause told once. */
import { describe, expect, it } from 'vitest';
import type { Pending, Say, Step } from '../../../src/commands/check/examination.ts';
import { examineAll } from '../../../src/commands/check/examination.ts';
import { table } from '../../../src/commands/terminal-text/table.ts';
import { milliseconds } from '../../../src/core/duration.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';

const call = { signal: new AbortController().signal };
const step = (what: string, examine: Step['examine'], more: Partial<Step> = {}): Step => ({
  what,
  kind: 'cloud',
  examine,
  ...more,
});
const well = async () => 'well';
const broken = async () => {
  throw new Error('broken; mend it');
};

describe('steps that need one another', () => {
  it('are skipped after the one that failed, however far, and name it', async () => {
    const findings = await examineAll(
      [
        step('a', broken),
        step('b', well, { needs: ['a'] }),
        step('c', well, { needs: ['b'] }),
        step('d', well),
      ],
      call,
    );
    expect(findings).toMatchObject([
      { what: 'a', state: 'failed', detail: 'broken; mend it' },
      { what: 'b', state: 'skipped', because: 'a', detail: 'not checked, because a failed' },
      { what: 'c', state: 'skipped', because: 'a', detail: 'not checked, because a failed' },
      { what: 'd', state: 'ok' },
    ]);
  });

  it('are skipped while what they need is still to come, also what was found before', async () => {
    const known = await examineAll([step('agent', async () => ({ waiting: 'not running' }))], call);
    const findings = await examineAll([step('terminal', well, { needs: ['agent'] })], call, { known });
    expect(findings).toMatchObject([{ detail: 'not checked, because agent is not ready yet' }]);
  });
});

it('what failed by a known problem has its code, for programs', async () => {
  const unreachable = async () => {
    throw new Problem('printer-unreachable', 'no answer from 10.0.0.8');
  };
  expect(await examineAll([step('printer', unreachable), step('other', broken)], call)).toMatchObject([
    { state: 'failed', code: 'printer-unreachable' },
    expect.not.objectContaining({ code: expect.anything() }),
  ]);
});

it('a line is shown whole, for what to do stands at its end; control characters are not', () => {
  const detail = `${'the printer says a lot; '.repeat(40)}mend it\u001b[2J`;
  expect(table([['FAIL', 'printer', detail]])).toMatch(/mend it\\u001b\[2J$/);
});

describe('a step that does not end', () => {
  const never = () => new Promise<string>(() => {});

  it('has failed when its time is over, and holds up no other', async () => {
    const pending: Pending = new Map();
    const work = examineAll([step('slow', never, { limit: milliseconds(20) }), step('quick', well)], call, {
      pending,
    });
    expect([...pending.keys()]).toEqual([]);
    await Promise.resolve();
    await Promise.resolve();
    expect([...pending.keys()]).toContain('slow');
    expect(await work).toMatchObject([
      { state: 'failed', detail: 'no answer within 0.02 s' },
      { state: 'ok' },
    ]);
    expect([...pending.keys()]).toEqual([]);
  });

  it('has failed when the whole check ends', async () => {
    const findings = examineAll([step('slow', never)], { signal: AbortSignal.timeout(10) });
    expect(await findings).toMatchObject([{ state: 'failed' }]);
  });

  it('may say itself what it waited for', async () => {
    const examine: Step['examine'] = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the DNS server does not answer')));
      });
    expect(await examineAll([step('slow', examine, { limit: milliseconds(10) })], call)).toMatchObject([
      { detail: 'the DNS server does not answer' },
    ]);
  });
});

it('a step may say what it takes so long for, as long as it lasts', async () => {
  const pending: Pending = new Map();
  const begun = Promise.withResolvers<Say | undefined>();
  const over = Promise.withResolvers<string>();
  const slow: Step['examine'] = ({ say }) => {
    begun.resolve(say);
    return over.promise;
  };
  const work = examineAll([step('printer', slow)], call, { pending });
  const say = await begun.promise;
  expect([...pending.values()]).toEqual(['printer']);
  say?.('which is waking up');
  expect([...pending.values()]).toEqual(['printer, which is waking up']);
  say?.(undefined);
  expect([...pending.values()]).toEqual(['printer']);
  over.resolve('well');
  await work;
  say?.('which is waking up');
  expect([...pending.values()]).toEqual([]);
});
