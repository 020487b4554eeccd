/** The user's story at a reader whose badges the service itself is told of: it prints, and nobody is logged in here. */
import { expect, it } from 'vitest';
import { problemKinds } from '../../src/domain/problem/problem-kinds.ts';
import { startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import { launchScreen } from '../support/agent/screen.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

const relay = { mac: '0080.a300.0008' };

it('a relayed badge prints once at the service, and the screen says what became of each', async () => {
  await using reader = await startWaitingReader();
  await using stage = await setStage({
    terminal: {
      readers: [
        { type: 'tcp-connect', address: `127.0.0.1:${reader.port}`, relay, signals: { accepted: 'ok' } },
      ],
    },
  });
  const { cloud } = stage;
  const relayed = () => cloud.calls.filter(({ path }) => path.endsWith('/card'));
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await using screen = await launchScreen(agent);

  await reader.tap(aliceCard);
  await reader.tap(aliceCard);
  expect(await agent.told('card relayed')).toMatchObject({ terminal: 'lobby', outcome: 'taken' });
  await screen.showed('Your documents are being printed.');
  await expect.poll(() => reader.received()).toBe('ok');
  expect(relayed()).toHaveLength(1);

  stage.awaitAnotherBadge();
  await reader.tap('FFFF');
  expect(await agent.told('card relayed')).toMatchObject({ outcome: 'refused' });
  await screen.reads(problemKinds['login-refused'].person);

  cloud.answerNext({ path: '/card' }, { kind: 'answer-lost' });
  stage.awaitAnotherBadge();
  await reader.tap(bobCard);
  expect(await agent.told('card relayed')).toMatchObject({ outcome: 'unknown' });
  await screen.reads(
    'Your documents may be printing already. Look at the printer before you hold your card to the reader again.',
  );
  expect(relayed()).toHaveLength(3);

  expect(agent.records.filter(({ msg }) => msg === 'session opened')).toEqual([]);
  const figures = await (await fetch(`${agent.operations}/metrics`)).text();
  for (const outcome of ['taken', 'refused', 'unknown'])
    expect(figures).toMatch(new RegExp(`^platen_cards_relayed_total\\{.*outcome="${outcome}"\\} 1$`, 'm'));
  expect(cloud.deviations).toEqual([]);
});
