/** A bug of ours is not called the service's: a code of its own, its stack, an error. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../src/domain/problem/service-failure.ts';
import { recordLog } from '../support/recorded-log.ts';

const bug = new TypeError("Cannot read properties of undefined (reading 'canary')");

describe('what a call to the service failed with', () => {
  it('is the problem itself, where it has a name', () => {
    const refused = new Problem('cloud-denied', 'status 403');
    expect(serviceFailure(refused)).toBe(refused);
  });

  it.each([
    ['internal', bug],
    ['internal', 'a string was thrown'],
    ['cloud-unreachable', new DOMException('too slow', 'TimeoutError')],
    ['cloud-unreachable', new DOMException('left', 'AbortError')],
  ])('is %s, of which nobody knows what it did: %s', (code, thrown) => {
    expect(serviceFailure(thrown)).toMatchObject({ code, delivery: 'perhaps', cause: thrown });
  });
});

describe('in the log', () => {
  it('a bug is an error with the frames of its stack, counted by its code, and its text only as an error has it', () => {
    const log = recordLog();
    logFailure(log.log, 'login failed', serviceFailure(bug), { way: 'card' });
    const [record] = log.records('login failed');
    expect(record).toMatchObject({
      level: 'error',
      code: 'internal',
      way: 'card',
      detail: 'the call failed',
      advice: expect.stringContaining('not a fault of the service'),
      error: { name: 'TypeError' },
      stack: expect.arrayContaining([expect.stringMatching(/^at .*service-failure\.test\.ts:\d+:\d+/)]),
    });
    expect(log.text().match(/"code":"internal"/g)).toHaveLength(1);
    expect(JSON.stringify(record?.['stack'])).not.toContain('canary');
    expect([log.log.errors('internal'), log.log.errors('cloud-denied')]).toEqual([1, 0]);
  });

  it('what the service did is a warning, without a stack', () => {
    const log = recordLog();
    logFailure(log.log, 'login failed', new Problem('cloud-denied', 'status 403'));
    expect(log.records('login failed')).toMatchObject([{ level: 'warn', code: 'cloud-denied' }]);
    expect(log.text()).not.toContain('"stack":["at');
    expect(log.log.errors('internal')).toBe(0);
  });
});
