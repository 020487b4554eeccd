/** What the service manager hears over its socket: sd_notify(3), received in its place. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { createServiceManager } from '../../../src/operations/service-manager.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';
import { needsPeer } from '../../support/needs.ts';
import { startProcess } from '../../support/process-group.ts';
import { eventually } from '../../support/patience.ts';

// Not socat: it would hold the descriptor by whose closing systemd-notify knows that a message was read.
const service = `
socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die;
bind($socket, sockaddr_un($ARGV[0])) or die;
print "listening\\n";
while (defined recv($socket, my $message, 4096, 0)) { print "$message\\n" unless $message =~ /^BARRIER/ }
`;

async function listen() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-notify-'));
  const socket = join(folder, 'notify');
  const perl = await startProcess('perl', ['-MSocket', '-e', `$| = 1; ${service}`, socket], {});
  onTestFinished(async () => {
    await perl[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const said = () => perl.log().split('\n').slice(1, -1);
  await eventually(() => expect(perl.log()).toBe('listening\n'));
  return { socket, said };
}

const managed = (env: Readonly<Record<string, string>>) => {
  const recorded = recordLog();
  return { recorded, manager: createServiceManager({ env, clock: systemClock, log: recorded.log }) };
};
const PATH = process.env['PATH'] ?? '';

needsPeer('systemd-notify', 'systemd')('the service manager', () =>
  needsPeer('perl', 'perl-base')('at the end of its socket', () => {
    it('hears all the agent says, in order; a line of status only when it is another', async () => {
      const { socket, said } = await listen();
      const { manager } = managed({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '3000000', PATH });
      void manager.ready();
      manager.reloading();
      await manager.ping();
      manager.status('Ready: 0 of 1 terminals.');
      manager.status('Ready: 1 of 1 terminals.');
      await eventually(() => expect(said()).toHaveLength(4));
      manager.status('Ready: 1 of 1 terminals.');
      await manager.ready('Not reloaded.');
      manager.status('Not reloaded.');
      manager.stopping();
      await eventually(() => expect(said().at(-1)).toBe('STOPPING=1'));
      expect(said()).toEqual([
        'READY=1',
        'RELOADING=1',
        'WATCHDOG=1',
        'STATUS=Ready: 1 of 1 terminals.',
        'READY=1',
        'STATUS=Not reloaded.',
        'STOPPING=1',
      ]);
    });

    it('that is not there any more is a line in the log, and no fault', async () => {
      const { manager, recorded } = managed({ NOTIFY_SOCKET: '/nowhere/notify', PATH });
      await manager.ping();
      await manager.ping();
      expect(recorded.records('service manager not told')).toHaveLength(1);
    });
  }),
);

it('behind one that is slow to hear, no more than one line of status stands before a ping', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-notify-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const slow = `printf '%s\\n' "$1" >>${folder}/heard; until [ -e ${folder}/go ]; do sleep 0.02; done`;
  await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\n${slow}\n`, { mode: 0o755 });
  const clock = createSteeredClock();
  const env = { NOTIFY_SOCKET: '/nowhere/notify', PATH: `${folder}:/usr/bin:/bin` };
  const manager = createServiceManager({ env, clock, log: recordLog().log });
  for (const ready of [1, 2, 3]) {
    manager.status(`Ready: ${ready} of 3 terminals.`);
    await clock.advance(seconds(3));
  }
  const pinged = manager.ping();
  await writeFile(join(folder, 'go'), '');
  await pinged;
  expect(await readFile(join(folder, 'heard'), 'utf8')).toBe('STATUS=Ready: 1 of 3 terminals.\nWATCHDOG=1\n');
});

it('outside a service manager nothing is started: not even a program that is not there is missed', async () => {
  const { manager, recorded } = managed({ PATH: '/nowhere' });
  await manager.ready();
  manager.status('Ready: 1 of 1 terminals.');
  await manager.ping();
  expect(recorded.text()).toBe('');
});

it.each([
  [{ WATCHDOG_USEC: '30000000' }, 10_000],
  [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) }, 10_000],
  [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }, undefined],
  [{ WATCHDOG_USEC: 'soon' }, undefined],
  [{}, undefined],
])('with %j a ping is wanted every %s ms', (env, every) => {
  expect(managed({ NOTIFY_SOCKET: '/run/systemd/notify', ...env }).manager.pingEvery).toBe(every);
});
