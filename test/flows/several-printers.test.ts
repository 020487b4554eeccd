/**
 * Several printers at one screen: a person sees how each is, picks one, and gets their pages there; the next person begins at
 * the default. What was under way when the agent stopped is asked of the printer that has it.
 */
import { expect, it } from 'vitest';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { commandHere } from '../support/command-here.ts';
import { standInFront } from './front.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

async function roomWithTwo() {
  await using opened = new AsyncDisposableStack();
  const lobby = opened.use(await startVirtualPrinter());
  const colour = opened.use(await startVirtualPrinter());
  const stage = opened.use(
    await setStage({
      terminal: {
        printers: [
          { name: 'Lobby', uri: lobby.uri },
          { name: 'Colour, A3', uri: colour.uri },
        ],
      },
    }),
  );
  const held = opened.move();
  return {
    stage,
    lobby,
    colour,
    async enter() {
      const agent = held.use(await stage.start());
      return { agent, ...(await standInFront(stage, agent, held)) };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function terminalsOf({ operations }: { readonly operations: string }) {
  const answer = await fetch(`${operations}/status`);
  return ((await answer.json()) as { readonly terminals: readonly object[] }).terminals;
}

const cameOut = (printer: VirtualPrinter) => printer.outputs.length;

it('all of it comes out where they picked; the next person begins at the default', async () => {
  await using room = await roomWithTwo();
  const { stage, lobby, colour } = room;
  const { agent, page, passerBy, at, is } = await room.enter();
  const { reader, cloud } = stage;
  await expect.poll(() => at()?.printers?.map(({ is: now }) => now?.lamp)).toEqual(['ready', 'ready']);
  reader.tap(aliceCard);
  await is('choosing');
  const { generation = 0, documents = [], chosenPrinter } = at() ?? {};
  expect(chosenPrinter).toBe('Lobby');
  expect(await page.say({ command: 'printer', printer: 'Attic', generation })).toBe(409);
  expect(await page.say({ command: 'printer', printer: 'Colour, A3', generation })).toBe(204);
  await expect.poll(() => at()?.chosenPrinter).toBe('Colour, A3');
  stage.awaitSameBadge();
  reader.tap(aliceCard);
  for (const _ of documents)
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect([cameOut(lobby), cameOut(colour)]).toEqual([0, documents.length]);
  expect(await agent.told('release started')).toMatchObject({ printer: 'Colour, A3' });
  await is('prompting');

  stage.awaitAnotherBadge();
  reader.tap(bobCard);
  await is('choosing');
  expect(at()?.chosenPrinter).toBe('Lobby');
  stage.awaitSameBadge();
  reader.tap(bobCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(cameOut(lobby)).toBeGreaterThan(0);
  expect(JSON.stringify(passerBy.views)).not.toMatch(/chosenPrinter|instead/);
  for (const printer of [lobby, colour]) expect(printer.deviations).toEqual([]);
  expect(cloud.deviations).toEqual([]);
});

it('one that is away is told, and the other is offered and prints; each is told apart', async () => {
  await using room = await roomWithTwo();
  const { stage, lobby, colour } = room;
  await lobby.behave({ kind: 'refuse-connections' });
  const { agent, page, at, is } = await room.enter();
  const status = async () => {
    const answer = await fetch(`${agent.operations}/metrics`);
    return (await answer.text())
      .split('\n')
      .filter((line) => /^platen_(printer|named|terminal).*_ready/.test(line));
  };
  await expect
    .poll(status)
    .toEqual([
      'platen_printer_ready{terminal="lobby"} 1',
      'platen_terminal_ready{terminal="lobby"} 1',
      'platen_named_printer_ready{terminal="lobby",printer="Lobby"} 0',
      'platen_named_printer_ready{terminal="lobby",printer="Colour, A3"} 1',
    ]);
  expect(await agent.told('condition raised')).toMatchObject({
    code: 'printer-unreachable',
    subject: 'printer',
  });
  stage.reader.tap(aliceCard);
  await is('choosing');
  const { generation = 0, documents = [], instead } = at() ?? {};
  const documentUuids = documents.map(({ uuid }) => uuid);
  expect(instead).toEqual({ printer: 'Colour, A3', why: 'trouble', documentUuids });

  expect(await page.say({ command: 'release', documentUuids: documentUuids.slice(0, 1), generation })).toBe(
    204,
  );
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'printer-unreachable' });
  await is('choosing');
  expect(at()).toMatchObject({
    trouble: { code: 'printer-unreachable' },
    instead: { printer: 'Colour, A3' },
  });
  await page.say({ command: 'printer', printer: 'Colour, A3', generation });
  await page.say({ command: 'release', documentUuids, generation });
  for (const _ of documents)
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(cameOut(colour)).toBe(documents.length);
});

it('each is looked at by the doctor, and told by the status', async () => {
  await using room = await roomWithTwo();
  const { stage, lobby, colour } = room;
  await lobby.behave({ kind: 'refuse-connections' });
  const doctor = await commandHere(['check', '-c', stage.configFile, '--json']);
  const findings = JSON.parse(doctor.out) as { what: string; state: string }[];
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'printer of lobby', state: 'failed' }),
      expect.objectContaining({ what: 'printer of lobby: Colour, A3', state: 'ok' }),
    ]),
  );
  const { agent } = await room.enter();
  expect(agent.records.find(({ msg }) => msg === 'terminal ready')).toMatchObject({ printer: 'ready' });
  const status = await commandHere(['status', '-c', stage.configFile, '--terminal', 'lobby']);
  expect(status.out).toContain(`printer: ${lobby.uri} away`);
  expect(status.out).toContain(`Colour, A3: ${colour.uri} ready`);
  const [terminal] = await terminalsOf(agent);
  expect(terminal).toMatchObject({
    ready: true,
    printer: { name: 'Lobby', uri: lobby.uri, ready: false },
    printers: [{ name: 'Lobby' }, { name: 'Colour, A3', uri: colour.uri, ready: true }],
  });
});

it('one that keeps somebody waiting keeps nobody waiting at the other; after a restart each is asked for its own', async () => {
  await using room = await roomWithTwo();
  const { stage, lobby, colour } = room;
  const before = await room.enter();
  await colour.behave({ kind: 'hold' });
  stage.reader.tap(aliceCard);
  await before.is('choosing');
  const { generation = 0, documents = [] } = before.at() ?? {};
  const [first = '', second = ''] = documents.map(({ uuid }) => uuid);
  await before.page.say({ command: 'printer', printer: 'Colour, A3', generation });
  await before.page.say({ command: 'release', documentUuids: [first], generation });
  await colour.waitFor(() => colour.jobs[0]?.state === 'processing');
  await before.page.say({ command: 'printer', printer: 'Lobby', generation });
  await before.page.say({ command: 'release', documentUuids: [second], generation });
  expect(await before.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect([cameOut(lobby), cameOut(colour)]).toEqual([1, 0]);
  await before.agent.stop();

  const after = await room.enter();
  expect(await after.agent.told('release resumed')).toMatchObject({
    documentUuid: first,
    printer: 'Colour, A3',
  });
  await colour.clear();
  expect(await after.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect([cameOut(lobby), cameOut(colour)]).toEqual([1, 1]);
});

it('what goes on at one when its owner has left goes on there; where both are away nobody is offered either', async () => {
  await using room = await roomWithTwo();
  const { stage, lobby, colour } = room;
  const { agent, page, at, is } = await room.enter();
  await colour.behave({ kind: 'hold' });
  stage.reader.tap(aliceCard);
  await is('choosing');
  const { generation = 0, documents = [] } = at() ?? {};
  const documentUuids = documents.slice(0, 1).map(({ uuid }) => uuid);
  await page.say({ command: 'printer', printer: 'Colour, A3', generation });
  await page.say({ command: 'release', documentUuids, generation });
  await colour.waitFor(() => colour.jobs[0]?.state === 'processing');
  await page.say({ command: 'log-out', generation });
  await is('prompting');
  await lobby.behave({ kind: 'refuse-connections' });
  stage.awaitAnotherBadge();
  stage.reader.tap(bobCard);
  await is('choosing');
  const theirs = at()?.documents?.map(({ uuid }) => uuid) ?? [];
  await page.say({ command: 'release', documentUuids: theirs, generation: at()?.generation ?? 0 });
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'printer-unreachable' });
  await expect.poll(() => at()?.instead?.printer).toBe('Colour, A3');
  await colour.clear();
  expect(await agent.told('release ended', ({ outcome }) => outcome === 'completed')).toMatchObject({
    printer: 'Colour, A3',
  });
  expect([cameOut(lobby), cameOut(colour)]).toEqual([0, 1]);
  await colour.behave({ kind: 'refuse-connections' });
  await page.say({ command: 'printer', printer: 'Colour, A3', generation: at()?.generation ?? 0 });
  await page.say({ command: 'release', documentUuids: theirs, generation: at()?.generation ?? 0 });
  await agent.told('release ended', ({ code }) => code === 'printer-unreachable');
  await expect.poll(() => at()?.trouble?.code).toBe('printer-unreachable');
  expect(at()).not.toHaveProperty('instead');
});
