/** sd_listen_fds(3): what is for this process, and what is not. */
import { expect, it } from 'vitest';
import { inheritedSockets } from '../../src/operations/service-manager.ts';

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
