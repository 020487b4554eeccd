/** T07: whatever a person does at the kiosk's keyboard and pointer, they stay on the one page; T03: its launch secret. */
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { expect, it } from 'vitest';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../../support/agent/stage.ts';
import { needsScreen, screenUser, startScreen } from './kiosk-screen.ts';
import type { Screen } from './kiosk-screen.ts';

/** Numbers of keys, as `xev` shows them. */
const keys: Readonly<Record<string, number>> = {
  ...row(10, '1234567890'),
  ...row(24, 'qwertyuiop'),
  ...row(38, 'asdfghjkl'),
  ...row(52, 'zxcvbnm'),
  minus: 20,
  plus: 21,
  space: 65,
  tab: 23,
  enter: 36,
  escape: 9,
  backspace: 22,
  insert: 118,
  delete: 119,
  home: 110,
  end: 115,
  left: 113,
  right: 114,
  up: 111,
  pageUp: 112,
  ...Object.fromEntries([67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 95, 96].map((key, i) => [`F${i + 1}`, key])),
  print: 107,
  pause: 127,
  scrollLock: 78,
  menu: 135,
  help: 146,
  undo: 139,
  find: 144,
  properties: 138,
  www: 158,
  back: 166,
  forward: 167,
  refresh: 181,
  homePage: 180,
  search: 225,
  mail: 163,
  stop: 136,
  favorites: 164,
  explorer: 152,
  calculator: 148,
  newPage: 189,
  open: 142,
  close: 214,
  config: 179,
  power: 124,
  sleep: 150,
  wake: 151,
  coffee: 160,
  phone: 177,
  tools: 179,
  cut: 145,
  copy: 141,
  paste: 143,
};
const held = { ctrl: 37, rightCtrl: 105, shift: 50, alt: 64, altGr: 108, super: 133 };

function row(first: number, letters: string): Record<string, number> {
  return Object.fromEntries([...letters].map((letter, i) => [letter, first + i]));
}

const functionKeys = Object.keys(keys).filter((name) => /^F\d/.test(name));
const letters = Object.keys(keys).filter((name) => /^[a-z]$/.test(name));
const digits = Object.keys(keys).filter((name) => /^\d$/.test(name));
const moves = [
  'tab',
  'enter',
  'escape',
  'home',
  'left',
  'right',
  'space',
  'delete',
  'insert',
  'plus',
  'minus',
];
const alone = Object.keys(keys).slice(Object.keys(keys).indexOf('print'));

const withAll = (modifiers: readonly (keyof typeof held)[], names: readonly string[]): readonly Shortcut[] =>
  names.map((name) => ({
    name: [...modifiers, name].join('+'),
    keys: [...modifiers.map((modifier) => held[modifier]), keys[name] ?? 0],
  }));

interface Shortcut {
  readonly name: string;
  readonly keys: readonly number[];
}

const shortcuts: readonly Shortcut[] = [
  ...withAll(['ctrl'], [...letters, ...digits, ...moves, ...functionKeys]),
  ...withAll(['rightCtrl'], ['t', 'n', 'w', 'q']),
  ...withAll(['ctrl', 'shift'], [...letters, ...moves]),
  ...withAll(['alt'], [...letters, ...digits, ...moves, ...functionKeys]),
  ...withAll(['ctrl', 'alt'], [...functionKeys, 'delete', 'backspace', 't', 'l']),
  ...withAll(['shift'], [...functionKeys, 'escape', 'insert']),
  ...withAll(['super'], ['d', 'e', 'l', 'r', 'tab', 'space']),
  ...withAll(['altGr'], ['e', 'F4', 'tab']),
  ...withAll([], [...functionKeys, ...alone, 'escape']),
  ...Object.entries(held).map(([name, key]) => ({ name, keys: [key] })),
];

/** What a mouse and two fingers on a touch pad can do: middle and right click, back, forward, zoom, drag. */
const gestures: Readonly<Record<string, readonly string[]>> = {
  'middle click': ['click', '2'],
  'right click': ['click', '3'],
  'the button that goes back': ['click', '8'],
  'the button that goes forward': ['click', '9'],
  'three clicks': ['click', '--repeat', '3', '1'],
  'the wheel with Ctrl': ['keydown', `${held.ctrl}`, 'click', '4', 'click', '5', 'keyup', `${held.ctrl}`],
  'a click with Shift': ['keydown', `${held.shift}`, 'click', '1', 'keyup', `${held.shift}`],
  'a click with Ctrl': ['keydown', `${held.ctrl}`, 'click', '1', 'keyup', `${held.ctrl}`],
  'a drag to the edge': ['mousedown', '1', 'mousemove', '0', '0', 'mouseup', '1', 'mousemove', '500', '300'],
};

const groupsOf = <Item>(size: number, items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** A tab that a key opens is there some tenths of a second later. */
const settle = () => systemClock.sleep(seconds(0.3));

async function argumentsOfAllProcesses(): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

/** Somebody comes; Tab moves to a button and Enter presses it, again and again, until the agent has heard of it. */
async function expectAnswerToKeys(screen: Screen, agent: Running, comes: () => void): Promise<void> {
  comes();
  await agent.told('session opened');
  const before = agent.records.length;
  const isHeard = () =>
    agent.records.slice(before).some(({ msg }) => /session closed|release started|deleted/.test(msg));
  const tabAndEnter = async () => {
    await screen.press([keys['tab'] ?? 0]);
    await screen.press([keys['enter'] ?? 0]);
    return isHeard();
  };
  await expect.poll(tabAndEnter, { interval: 100 }).toBe(true);
}

/** Presses everything; what showed another address, or a second one. */
async function escapesFrom(screen: Screen, page: string): Promise<readonly string[]> {
  const escapes: string[] = [];
  const shown = async () => (screen.isRunning() ? (await screen.tabs()).join(' ') : 'nothing');
  const look = async (done: string): Promise<void> => {
    if ((await shown()) === page) return;
    // While a page that swallows no F5 is loaded again, there is none; what is elsewhere stays there.
    await settle();
    const tabs = await shown();
    if (tabs !== page) escapes.push(`${done}: ${tabs}`);
  };
  for (const group of groupsOf(10, shortcuts)) {
    await screen.press(...group.map((shortcut) => shortcut.keys));
    await look(group.map(({ name }) => name).join(', '));
  }
  for (const [name, words] of Object.entries(gestures)) {
    await screen.act(...words);
    await look(name);
  }
  await settle();
  await look('at the end');
  return escapes;
}

/** A page that swallows no key, as the browser's own when the agent is away. */
async function startBarePage(): Promise<AsyncDisposable & { readonly page: string }> {
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('?')) return response.writeHead(303, { location: '/t/lobby' }).end();
    return response.setHeader('content-type', 'text/html').end('<title>bare</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    page: `http://127.0.0.1:${(server.address() as AddressInfo).port}/t/lobby`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

needsScreen('the screen of a kiosk', () => {
  it(`stays on its page through ${shortcuts.length} shortcuts and every gesture, and answers after them (T07, T03)`, async () => {
    expect(shortcuts.length).toBeGreaterThan(200);
    await using stage = await setStage({ config: { kiosk: { user: screenUser } } });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const page = `${agent.kiosk}/t/lobby`;
    const launch = (await readFile(`${stage.folder}/state/kiosk-launch`, 'utf8')).trim();
    await using screen = await startScreen({ page, launch });
    await agent.told('kiosk launched');
    expect(await argumentsOfAllProcesses()).not.toContain(launch);
    await screen.act('mousemove', '500', '300', 'click', '1');
    await expectAnswerToKeys(screen, agent, () => stage.reader.tap(aliceCard));

    expect(await escapesFrom(screen, page)).toEqual([]);
    expect(await screen.canBeDebugged()).toBe(false);

    await expectAnswerToKeys(screen, agent, () => stage.reader.tap(bobCard));
    expect(await screen.tabs()).toEqual([page]);
  });

  it('needs no help of the page for that (T07)', async () => {
    await using bare = await startBarePage();
    await using screen = await startScreen({ page: bare.page, launch: 'none' });
    expect(await escapesFrom(screen, bare.page)).toEqual([]);
  });

  it('would be left by Ctrl+T if neither keyboard, browser nor page were locked (T07)', async () => {
    await using bare = await startBarePage();
    await using screen = await startScreen({ page: bare.page, launch: 'none', locks: 'none' });
    await screen.act('mousemove', '500', '300', 'click', '1');
    const tabsAfterShortcut = async () => {
      await screen.press([held.ctrl, keys['t'] ?? 0]);
      return (await screen.tabs()).length;
    };
    await expect.poll(tabsAfterShortcut, { interval: 200 }).toBeGreaterThan(1);
  });
});
