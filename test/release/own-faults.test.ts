/** Bugs of ours on the way to the service: told as ours to the person and in the log, wherever they happen. */
import { expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { enroll } from '../support/enrollment/enrollment-stage.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const bug = () => Promise.reject(new TypeError('undefined is not a function'));
const toldOnce = [{ level: 'error', code: 'internal', stack: expect.any(Array) }];
const ownWords = expect.stringMatching(/^Something went wrong in this terminal/);

it('a login that we stumble over is our fault', async () => {
  const stage = terminalStage({ login: bug });
  await stage.tap(alice);
  expect(stage.log.records('login failed')).toMatchObject(toldOnce);
  expect(stage.terminal.view.current().notice).toEqual({ code: 'internal', sentence: ownWords });
});

it('a list that we stumble over is our fault', async () => {
  const stage = terminalStage({ list: bug });
  await stage.tap(alice);
  expect(stage.log.records('list failed')).toMatchObject(toldOnce);
  expect(stage.terminal.view.current().notice).toMatchObject({ code: 'internal' });
});

it('a deletion that we stumble over is our fault', async () => {
  const stage = terminalStage({ documents: [documentNamed('one')], remove: bug });
  await stage.tap(alice);
  stage.terminal.tell({ type: 'delete', generation: stage.generation(), documentUuids: ['one'] });
  await stage.turn();
  expect(stage.log.records('deletion refused')).toMatchObject(toldOnce);
  expect(stage.terminal.view.current().notice).toMatchObject({ code: 'internal' });
});

it('a card that we stumble over while it is registered is our fault', async () => {
  const refused = new Problem('login-refused', 'status 401', { status: 401 });
  const known = { user: { id: 1, providerId: 3, userName: 'alice', fullName: 'Alice' } };
  const token = { value: new Secret('token'), expiresAt: minutes(60) };
  const stage = terminalStage({
    offer: { enrollment: true },
    login: ({ kind }) => (kind === 'card' ? Promise.reject(refused) : Promise.resolve({ ...known, token })),
    enrolCard: bug,
  });
  await stage.tap(alice);
  stage.terminal.tell({
    type: 'enrol',
    generation: stage.generation(),
    userName: 'alice',
    password: new Secret('open sesame'),
  });
  await stage.clock.advance(seconds(20));
  expect(stage.log.records('card not registered')).toMatchObject(toldOnce);
});

it('an enrolment of the device that we stumble over is our fault', async () => {
  const { clock, authority, enrollment, log } = enroll();
  authority.answer('register', 'bug');
  await clock.advance(seconds(0));
  expect(enrollment.obstacle()).toMatchObject({ code: 'internal', detail: 'the call failed' });
  expect(log.records('enrollment call failed')).toMatchObject(toldOnce);
  await clock.advance(minutes(1));
  expect(enrollment.obstacle()).toBeUndefined();
});

it('an OAuth code that is no verdict stays the fault of the service', async () => {
  const { clock, authority, enrollment } = enroll();
  authority.answer('register', 'token_create_error');
  await clock.advance(seconds(0));
  expect(enrollment.obstacle()).toMatchObject({ code: 'cloud-protocol', detail: 'token_create_error' });
});
