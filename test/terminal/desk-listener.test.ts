/** What a terminal hears of documents whose session is over, or another one's (I3). */
import { expect, it } from 'vitest';
import type { ReleaseEvent } from '../../src/release/events.ts';
import { createDeskListener } from '../../src/terminal/desk-listener.ts';
import type { TerminalEvent } from '../../src/terminal/events.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const stageOf = (documentUuid: string): ReleaseEvent => ({
  type: 'stage',
  stage: 'printing',
  documentUuid,
  releaseId: 'r1',
});

it('a stage of a document of the person before is told to nobody, and one of the person in front is', () => {
  const reported: TerminalEvent[] = [];
  const listener = createDeskListener({
    clock: createSteeredClock(),
    tell: (event) => void reported.push(event),
    released() {},
  });
  const ofAlice = listener.of('alice');
  listener.forget();
  ofAlice(stageOf('of-alice'));
  const ofBob = listener.of('bob');
  ofAlice(stageOf('of-alice'));
  expect(reported).toEqual([]);
  ofBob(stageOf('of-bob'));
  expect(reported).toMatchObject([
    { type: 'STAGES', sessionId: 'bob', stages: [{ documentUuid: 'of-bob' }] },
  ]);
});
