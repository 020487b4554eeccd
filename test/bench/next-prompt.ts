/**
 * How soon the next person is served while the print of the one before hangs (I7): from their badge to their session,
 * without what the service took of that. The printer takes documents and prints none; the whole agent.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import { people } from '../support/agent/people.ts';

const badges = 100;
/** Milliseconds. A second badge within 300 ms would be the neighbour of the first. */
const betweenBadges = 320;

export async function measureNextPrompt(): Promise<Measurement> {
  const [first, ...others] = people(badges + 1);
  if (!first) throw new Error('nobody is there');
  await using stage = await setStage({
    cloud: {
      seed: {
        ...sampleData,
        users: [first, ...others],
        documents: [first, ...others].map(({ userName: owner }) => ({
          owner,
          name: `Of ${owner}.pdf`,
          pages: 1,
        })),
      },
    },
    terminal: { session: { autoRelease: true } },
  });
  await stage.printer.behave({ kind: 'hold' });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(first.card);
  await agent.told('session opened');
  await stage.printer.waitFor(() => stage.printer.jobs.some(({ transfer }) => transfer === 'over'));

  const whole: number[] = [];
  const own: number[] = [];
  for (const { card } of others) {
    await sleep(betweenBadges);
    const answered = loginAnswered();
    const since = performance.now();
    stage.reader.tap(card);
    await agent.told('session opened');
    const span = performance.now() - since;
    whole.push(span);
    own.push(span - (await answered));
  }
  await stage.printer.clear();
  const row = (what: string, spans: readonly number[]) => [
    what,
    ...[0.5, 0.99, 1].map((share) => inMilliseconds(percentile(spans, share))),
  ];
  return {
    title: 'Badge to the next session while the print before hangs',
    how: `${badges} people, one after the other, each with a document behind the one that hangs.`,
    rows: [['', 'p50', 'p99', 'max'], row('with the call', whole), row('without it', own)],
    goals: [{ what: 'without the call, p99', figure: percentile(own, 0.99), limit: 200, unit: 'ms' }],
  };
}

/** How long the next login takes from its headers sent to its whole answer. */
function loginAnswered(): Promise<number> {
  let sentAt = 0;
  let login: unknown;
  return new Promise((resolve) => {
    const onSent = (message: unknown): void => {
      const { request } = message as { request: { path: string } };
      if (request.path !== '/api/v1/login') return;
      login = request;
      sentAt = performance.now();
    };
    const onAnswered = (message: unknown): void => {
      if ((message as { request: unknown }).request !== login) return;
      unsubscribe('undici:client:sendHeaders', onSent);
      unsubscribe('undici:request:trailers', onAnswered);
      resolve(performance.now() - sentAt);
    };
    subscribe('undici:client:sendHeaders', onSent);
    subscribe('undici:request:trailers', onAnswered);
  });
}
