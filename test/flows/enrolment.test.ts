/** The first day of a badge: nobody knows it, its holder signs in at the terminal, and from then on it is theirs. */
import { expect, it } from 'vitest';
import { openPseudoTerminal } from '../support/pseudo-terminal.ts';
import { setStage } from '../support/agent/stage.ts';

const newCard = '04D0D1D2D3';
const question = 'the card is yours';

async function standing() {
  await using opened = new AsyncDisposableStack();
  const tty = opened.use(await openPseudoTerminal());
  const stage = opened.use(
    await setStage({ terminal: { prompt: tty.path, login: { enrollment: true, password: false } } }),
  );
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  const all = opened.move();
  return {
    tty,
    agent,
    cloud: stage.cloud,
    /** Holds the new card to the reader, and answers what is asked. */
    async tapAndSignIn(password: string) {
      stage.reader.tap(newCard);
      await tty.shows(question);
      await tty.shows('User name:');
      tty.type('carol\r');
      await tty.shows('Password:');
      tty.type(`${password}\r`);
    },
    tap: () => stage.reader.tap(newCard),
    awaitSameBadge: stage.awaitSameBadge,
    signIns: () => stage.cloud.calls.filter(({ path }) => path.endsWith('/login')).length,
    cards: () => stage.cloud.state.users.find(({ userName }) => userName === 'carol')?.cards,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

it('an unknown badge is registered with a one-time password, and works at the next tap', async () => {
  await using at = await standing();
  const { agent, tty, cloud } = at;
  const carol = cloud.state.users.find(({ userName }) => userName === 'carol');
  if (carol) carol.oneTimePassword = '48213';
  await at.tapAndSignIn('48213');
  await agent.told('card registered');
  await tty.shows('Your card is registered.');
  expect(at.cards()).toContain(newCard);
  tty.type('l');
  expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
  await agent.told('session opened');

  at.awaitSameBadge();
  at.tap();
  await agent.told('session opened');
  await tty.shows('Carol Cooper');
  expect(tty.output()).not.toContain('48213');
  expect(JSON.stringify(agent.records)).not.toMatch(/48213|carol|Carol|04D0D1D2D3/);
  expect(cloud.deviations).toEqual([]);
});

it('who may not have a card is signed in all the same, and told', async () => {
  await using at = await standing();
  at.cloud.answerNext({ method: 'POST', path: '/cards' }, { kind: 'status', status: 403 });
  await at.tapAndSignIn('carol-secret');
  expect(await at.agent.told('card not registered')).toMatchObject({ code: 'cloud-denied' });
  await at.tty.shows('The card could not be registered.');
  await at.tty.shows('Carol Cooper');
  expect(at.cards()).not.toContain(newCard);
});

it('a sign-in whose answer is lost is not sent again, and the registration is', async () => {
  await using at = await standing();
  at.cloud.answerNext({ method: 'POST', path: '/login' }, { kind: 'status', status: 401 });
  at.cloud.answerNext({ method: 'POST', path: '/login' }, { kind: 'answer-lost' });
  at.cloud.answerNext({ method: 'POST', path: '/cards' }, { kind: 'answer-lost' });
  await at.tapAndSignIn('carol-secret');
  await at.tty.shows('We do not know whether you were signed in.');
  expect(at.signIns()).toBe(2);
  at.tty.type('carol\r');
  await at.tty.shows('Password:');
  at.tty.type('carol-secret\r');
  await at.agent.told('card registered');
  expect([at.signIns(), at.cards()?.filter((card) => card === newCard)]).toEqual([3, [newCard]]);
});

it('while the service is away nothing is half registered', async () => {
  await using at = await standing();
  at.tap();
  await at.tty.shows(question);
  await at.cloud.goAway();
  at.tty.type('carol\r');
  await at.tty.shows('Password:');
  at.tty.type('carol-secret\r');
  await at.agent.told('login failed', ({ way }) => way === 'password');
  // The rest is on the next line.
  await at.tty.shows('Your card was not');
  expect(at.cards()).not.toContain(newCard);
});
