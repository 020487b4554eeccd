/** Statements in turn: who waits, for how long, and what is known of what was not answered (F2). */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Asking } from '../../src/fleet/engine/asking.ts';
import type { Line, Row, Statement } from '../../src/fleet/engine/line.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const statement = (name: string): Statement => ({ name, text: `SELECT '${name}'` });

/** A line that answers when the test says so. */
function createHeldLine() {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<readonly Row[]>[] = [];
  let isOver = false;
  const line: Line = {
    place: 'db:5432',
    async ask({ name }, _values, deadline) {
      asked.push(name);
      const answer = Promise.withResolvers<readonly Row[]>();
      deadline.addEventListener('abort', () => {
        isOver = true;
        answer.reject(deadline.reason);
      });
      answers.push(answer);
      return answer.promise;
    },
    run: async () => {},
    onNotice: () => {},
    get isOver() {
      return isOver;
    },
    lost: new Promise(() => {}),
    [Symbol.dispose]: () => void (isOver = true),
  };
  return { line, asked, answer: (rows: readonly Row[] = []) => answers.shift()?.resolve(rows) };
}

function stage() {
  const clock = createSteeredClock();
  const asking = new Asking({ clock, heard: () => {}, why: () => 'db:5432: no answer in time' });
  const ask = (name: string, within: number, signal?: AbortSignal) => {
    const outcome = asking
      .ask(statement(name), [], { within: seconds(within), ...(signal ? { signal } : {}) })
      .catch((error: unknown) => error);
    return outcome;
  };
  return { clock, asking, ask };
}

it('one is asked after the other, in the order they came', async () => {
  const { clock, asking, ask } = stage();
  const { line, asked, answer } = createHeldLine();
  asking.use(line);
  const [first, second] = [ask('first', 5), ask('second', 5)];
  await clock.advance(seconds(1));
  expect(asked).toEqual(['first']);
  answer([{ is: 1 }]);
  expect(await first).toEqual([{ is: 1 }]);
  await clock.advance(seconds(0));
  expect(asked).toEqual(['first', 'second']);
  answer([{ is: 2 }]);
  expect(await second).toEqual([{ is: 2 }]);
});

it('while there is no line each waits for its own time, and was not sent', async () => {
  const { clock, ask } = stage();
  const [first, second] = [ask('first', 10), ask('second', 2)];
  await clock.advance(seconds(2));
  expect(await second).toMatchObject({
    code: 'fleet-engine-away',
    delivery: 'not-sent',
    message: 'second was not asked: db:5432: no answer in time',
  });
  await clock.advance(seconds(8));
  expect(await first).toMatchObject({ code: 'fleet-engine-away', delivery: 'not-sent' });
});

it('who waits for a line is asked on the next one', async () => {
  const { clock, asking, ask } = stage();
  const waiting = ask('waiting', 10);
  await clock.advance(seconds(9));
  const { line, answer } = createHeldLine();
  asking.use(line);
  await clock.advance(seconds(0));
  answer([{ is: 1 }]);
  expect(await waiting).toEqual([{ is: 1 }]);
});

it('after a statement that cost the line the next one waits for another line, and is not lost with it', async () => {
  const { clock, asking, ask } = stage();
  const [lost, next] = [createHeldLine(), createHeldLine()];
  asking.use(lost.line);
  const [first, second] = [ask('first', 2), ask('second', 5)];
  await clock.advance(seconds(2));
  expect(await first).toMatchObject({ code: 'fleet-engine-away', delivery: 'perhaps' });
  expect(lost.asked).toEqual(['first']);
  asking.use(next.line);
  await clock.advance(seconds(0));
  next.answer([{ is: 2 }]);
  expect(await second).toEqual([{ is: 2 }]);
});

it('what was sent and not answered within 3 s costs the line, however patient it is: whoever waits asks again', async () => {
  const { clock, asking, ask } = stage();
  const [dead, next] = [createHeldLine(), createHeldLine()];
  asking.use(dead.line);
  const [patient, behind] = [ask('patient', 10), ask('behind', 10)];
  await clock.advance(seconds(3));
  expect(await patient).toMatchObject({ code: 'fleet-engine-away', delivery: 'perhaps' });
  expect(dead.line.isOver).toBe(true);
  asking.use(next.line);
  await clock.advance(seconds(0));
  next.answer([{ is: 2 }]);
  expect(await behind).toEqual([{ is: 2 }]);
});

it('who loses interest while waiting leaves the row', async () => {
  const { clock, asking, ask } = stage();
  const { line, asked, answer } = createHeldLine();
  asking.use(line);
  const leaving = new AbortController();
  const [first, second, third] = [ask('first', 5), ask('second', 5, leaving.signal), ask('third', 5)];
  await clock.advance(seconds(1));
  const reason = new Error('the session is over');
  leaving.abort(reason);
  expect(await second).toBe(reason);
  answer();
  await first;
  await clock.advance(seconds(0));
  answer();
  await third;
  expect(asked).toEqual(['first', 'third']);
});

it('whoever waits when it is closed is told so at once', async () => {
  const { asking, ask } = stage();
  const waiting = ask('waiting', 600);
  asking.close();
  expect(await waiting).toMatchObject({ code: 'fleet-engine-away', delivery: 'not-sent' });
});
