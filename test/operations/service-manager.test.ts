/** What systemd is told of the agent, and gives it. */
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../src/domain/condition.ts';
import type { StatusLineFacts } from '../../src/operations/service-manager.ts';
import { inheritedSockets, statusLine } from '../../src/operations/service-manager.ts';

const terminal = (id: string, ready: boolean) => ({ id, isReady: () => ready });
const condition = (scope: string, detail: string): Condition => ({
  code: 'printer-not-ready',
  severity: 'warning',
  subject: 'printer',
  scope,
  detail,
});

describe('the line of the status', () => {
  it.each<[string, Partial<StatusLineFacts>, string]>([
    ['nothing is wrong', {}, 'Ready: 1 of 2 terminals.'],
    ['no terminal is ready', { terminals: [terminal('lobby', false)] }, 'Not ready: 0 of 1 terminals.'],
    [
      'a tray is empty and records wait',
      { conditions: [condition('lobby', 'the paper tray is empty')], waiting: 2 },
      'Ready: 1 of 2 terminals. lobby: the paper tray is empty. 2 history records wait.',
    ],
    [
      'one record waits and one was refused',
      { waiting: 1, deadLetters: 1 },
      'Ready: 1 of 2 terminals. 1 history record waits. 1 history record refused for good.',
    ],
    [
      'the changed configuration is wrong, whatever else is',
      {
        conditions: [
          ...['a', 'b', 'c'].map((id) => condition(id, `${id} is off`)),
          {
            ...condition('agent', 'platen.yaml: Line 30: use spaces, not tabs.'),
            code: 'config-not-reloaded',
          },
        ],
      },
      'Ready: 1 of 2 terminals. Not reloaded, the earlier configuration is still used: platen.yaml: Line 30: use spaces, not tabs. ' +
        'a: a is off. b: b is off. 1 more condition: platen status.',
    ],
    [
      'more is wrong than a line holds',
      { conditions: ['a', 'a', 'b', 'c', 'd'].map((id) => condition(id, `${id} is off`)) },
      'Ready: 1 of 2 terminals. a: a is off. b: b is off. 2 more conditions: platen status.',
    ],
    [
      'what is wrong takes lines, and more than its share',
      { conditions: [condition('lobby', `two\nlines ${'x'.repeat(200)}`)] },
      `Ready: 1 of 2 terminals. lobby: two lines ${'x'.repeat(109)}…`,
    ],
  ])('the line of systemctl status when %s', (_, facts, line) => {
    const usual = { terminals: [terminal('lobby', true), terminal('hall', false)] };
    expect(statusLine({ ...usual, conditions: [], waiting: 0, deadLetters: 0, ...facts })).toBe(line);
  });
});

/** sd_listen_fds(3): what is for this process, and what is not. */
describe('the inherited sockets', () => {
  it.each<[string, Record<string, string>, [string, number][]]>([
    [
      'two, by their names',
      { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'kiosk:operations' },
      [
        ['kiosk', 3],
        ['operations', 4],
      ],
    ],
    [
      'one of two without a name',
      { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'kiosk' },
      [['kiosk', 3]],
    ],
    ['more names than sockets', { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'a:b' }, [['a', 3]]],
    ['those of a parent', { LISTEN_PID: '6', LISTEN_FDS: '1', LISTEN_FDNAMES: 'kiosk' }, []],
    ['none', { LISTEN_PID: '7', LISTEN_FDS: '0', LISTEN_FDNAMES: '' }, []],
    ['a count that is none', { LISTEN_PID: '7', LISTEN_FDS: '-1', LISTEN_FDNAMES: 'kiosk' }, []],
    ['a count beyond belief', { LISTEN_PID: '7', LISTEN_FDS: '99', LISTEN_FDNAMES: 'kiosk' }, []],
    ['nothing said', {}, []],
  ])('%s', (_, env, sockets) => {
    expect([...inheritedSockets(env, 7)]).toEqual(sockets);
  });
});
