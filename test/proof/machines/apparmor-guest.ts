/**
 * Runs within the virtual machine of `debian-machine.ts`: loads the agent's profile as the package has it, starts the agent
 * below it as the unit does, between a cloud and a printer that are below none, and tells in lines of JSON what came of it
 * and what the kernel refused.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { stringify } from 'yaml';
import { startCloud } from '../../../src/simulator/cloud/cloud.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startProgram } from '../../support/program.ts';
import { service } from '../../peers/security/service-on-machine.ts';
import { eventually } from '../../support/patience.ts';

const configFile = '/etc/platen/platen.yaml';
const stateDir = '/var/lib/platen';
const notifySocket = '/run/systemd/notify';
const reader = '/dev/ttyS1';

const tell = (what: string, more: object = {}): boolean =>
  process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);

tell('T node');
execFileSync('apparmor_parser', ['--replace', '--skip-cache', 'systemd/apparmor/platen']);

tell('T parsed');
/** As root, whom nothing but the profile holds: what each of them said. */
const triedBelowTheProfile = (deeds: readonly string[]): readonly string[] =>
  deeds.map((deed) => {
    const { status, stderr } = spawnSync('aa-exec', ['-p', 'platen', '--', 'sh', '-c', deed], {
      encoding: 'utf8',
    });
    return `${deed}: ${status === 0 ? 'done' : stderr.trim().split(': ').at(-1)}`;
  });

const cloud = await startCloud({ approval: 'at-once' });
const printer = await startVirtualPrinter();

function setUp(): void {
  writeFileSync('/etc/platen/api-key', cloud.apiKey);
  writeFileSync(
    configFile,
    stringify({
      cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: { file: 'api-key' } },
      device: { poll: { firstSeconds: 1 } },
      stateDir,
      terminals: [
        {
          id: 'lobby',
          serialNumber: 'SN-0001',
          session: { autoRelease: true },
          printer: { uri: printer.uri, stallSeconds: 30 },
          readers: [{ type: 'serial', path: reader }],
        },
      ],
    }),
  );
  for (const path of ['/etc/platen', '/etc/platen/api-key', configFile]) chownSync(path, 0, service.gid);
  writeFileSync('/tmp/planted', '#!/bin/sh\n', { mode: 0o755 });
  chmodSync(stateDir, 0o700);
  for (const path of [stateDir, reader]) chownSync(path, service.uid, service.gid);
}

/** Who systemd-notify(1) talks with, and what it was told. */
async function listenForSystemd(): Promise<void> {
  const listener = ['sh', '-c', 'exec cat <&3 >/tmp/notified'];
  spawn('systemd-socket-activate', ['--datagram', '--listen', notifySocket, ...listener], {
    stdio: 'ignore',
  });
  await eventually(() => chmodSync(notifySocket, 0o777));
}

/** Listening as systemd has it before the agent starts. */
async function kept(place: { host: string; port: number } | { path: string }) {
  const server = createServer().listen(place);
  await once(server, 'listening');
  const { _handle } = server as unknown as { _handle: { fd: number } };
  return { server, fd: _handle.fd };
}

tell('T cloud and printer');
setUp();
await listenForSystemd();
tell('T socket');
const tried = triedBelowTheProfile([
  'echo mine >/tmp/own',
  'cat /etc/shadow',
  'cat /proc/1/environ',
  `echo '#' >>${configFile}`,
  'echo root >/etc/motd',
  'id',
  '/tmp/planted',
]);
execFileSync('dmesg', ['--clear']);

tell('T tried');
const launchSocket = '/run/platen-launch.sock';
const kiosk = await kept({ host: '127.0.0.1', port: 7380 });
const operations = await kept({ host: '127.0.0.1', port: 7381 });
const launcher = await kept({ path: `${launchSocket}.new` });
// Whoever closes it here unlinks the name that it was given.
renameSync(`${launchSocket}.new`, launchSocket);
await using agent = startProgram(['run', '-c', configFile], {
  env: { NOTIFY_SOCKET: notifySocket, WATCHDOG_USEC: '30000000', HOME: stateDir },
  sockets: { kiosk: kiosk.fd, operations: operations.fd, launch: launcher.fd },
  by: [
    'setpriv',
    `--reuid=${service.uid}`,
    `--regid=${service.gid}`,
    '--clear-groups',
    '--no-new-privs',
    'aa-exec',
    '-p',
    'platen',
    '--',
  ],
});
// What is called there is the agent's alone to answer.
for (const { server } of [kiosk, operations, launcher]) server.close();
// Whoever waits for this machine hears that it goes on.
agent.child.stdout?.on('data', (lines: string) => process.stdout.write(lines));
const logged = async (msg: string): Promise<void> => {
  while (!agent.stdout().includes(`"${msg}"`)) await once(agent.child.stdout ?? agent.child, 'data');
};
await logged('reader up');
await logged('terminal back in service');
tell('ready', { profile: readFileSync(`/proc/${agent.child.pid}/attr/current`, 'utf8').trim() });
await logged('session opened');
tell('session opened');
await logged('history accepted');
const page = await fetch('http://127.0.0.1:7380/t/lobby');
const health = await fetch('http://127.0.0.1:7381/healthz');
const launch = await text(connect(launchSocket));
agent.child.kill('SIGTERM');
const { code } = await agent.exited;
tell('ended', {
  code,
  tried,
  page: page.status,
  health: health.status,
  launch: launch.split('\n')[0],
  outputs: printer.outputs.length,
  deviations: cloud.deviations,
  notified: readFileSync('/tmp/notified', 'utf8'),
  refused: execFileSync('dmesg', [], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /apparmor="(DENIED|ALLOWED)" .*profile="platen"/.test(line)),
});
