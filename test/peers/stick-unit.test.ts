/**
 * The room in which sticks are read, as a unit: as closed as it may be, the very recipes of the other room, and under a real
 * systemd no way out of it (INVARIANTS.md T17). The disk is a loop device by the name of a USB disk.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { inSeconds } from '../../src/core/duration.ts';
import {
  createStickRoom,
  lookAtRoom,
  stickLimits,
  stickRecipes,
  stickSocket,
} from '../../src/printing/stick/stick-room.ts';
import { needsPeer } from '../support/needs.ts';
import type { DebianTree } from './debian-tree.ts';
import { bootTree, needsTree, openTree } from './debian-tree.ts';
import { fatStick } from '../support/stick/stick-images.ts';
import { withoutLimit } from '../support/patience.ts';

const run = promisify(execFile);
const units = ['platen-stick.socket', 'platen-stick@.service'];
const service = await readFile('systemd/platen-stick@.service', 'utf8');
const room = await readFile('systemd/stick-room', 'utf8');

describe('the unit that reads sticks', () => {
  it('has the recipes of the other room, word for word', () => {
    expect(room).toContain(stickRecipes);
  });

  it('has the limits of the other room', () => {
    const { wall, cpu, addressSpace, processes, files } = stickLimits;
    for (const line of [
      `RuntimeMaxSec=${inSeconds(wall)}`,
      `LimitCPU=${inSeconds(cpu)}:${inSeconds(cpu) + 2}`,
      `LimitAS=${addressSpace / 1024 ** 3}G`,
      `LimitFSIZE=${files / 1024 ** 3}G`,
      `TasksMax=${processes}`,
      `LimitNPROC=${processes}`,
    ]) {
      expect(service.split('\n')).toContain(line);
    }
  });

  it('may read disks, and is given no state, no credential and no configuration', () => {
    expect(service.match(/^DeviceAllow=.*$/gm)).toEqual(['DeviceAllow=block-sd r']);
    expect(service).toContain('\nDevicePolicy=closed\n');
    expect(service).not.toMatch(/State|Credential|\/etc\/platen|\/var\/lib\/platen|EnvironmentFile/);
  });

  it('listens where the agent calls, for the agent alone', async () => {
    const socket = (await readFile('systemd/platen-stick.socket', 'utf8')).split('\n');
    expect(socket).toEqual(
      expect.arrayContaining([`ListenStream=${stickSocket}`, 'SocketUser=platen', 'SocketMode=0600']),
    );
  });
});

needsPeer('systemd-analyze', 'systemd')('systemd', () => {
  it('accepts what systemd/install --stick lays out, and rates it at most 0.5; without it nothing of it is there', async () => {
    const root = await mkdtemp(join(tmpdir(), 'platen-units-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const install = (...words: string[]) =>
      run('sh', ['systemd/install', ...words], { env: { PATH: process.env['PATH'], DESTDIR: root } });
    await install();
    const found = async () =>
      (await run('find', [root, '-name', '*stick*'])).stdout.split('\n').filter(Boolean);
    expect((await found()).map((path) => path.slice(root.length))).toEqual(['/etc/apparmor.d/platen-stick']);
    await install('--stick');
    expect(await found()).toHaveLength(5);
    const [socket = '', template = ''] = units.map((unit) => join(root, 'etc/systemd/system', unit));
    const instance = template.replace('@', '@1');
    await cp(template, instance);
    expect((await run('systemd-analyze', ['verify', socket, instance])).stderr).toBe('');
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=5', instance]);
    await rm(instance);
    await install('--no-stick');
    expect(await found()).toHaveLength(1);
  });
});

async function furnish({ root, run: runInside }: DebianTree): Promise<void> {
  const put = async (path: string, text: string, mode = 0o644) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text, { mode });
  };
  await put('opt/platen/systemd/stick-room', room, 0o755);
  for (const unit of units)
    await put(`etc/systemd/system/${unit}`, await readFile(`systemd/${unit}`, 'utf8'));
  await put('etc/sysusers.d/platen-stick.conf', await readFile('systemd/platen-stick.sysusers', 'utf8'));
  // The disk of the test is a loop device.
  await put('etc/systemd/system/platen-stick@.service.d/loop.conf', '[Service]\nDeviceAllow=block-loop r\n');
  await put('etc/platen/api-key', 'canary-of-the-configuration');
  await runInside('useradd', '--system', 'platen');
  await runInside('systemd-sysusers');
  await runInside('systemctl', 'enable', 'platen-stick.socket');
}

/** The image as a disk of the booted system, as 71-platen-stick.rules gives it to its group; others' belong to root. */
async function plugIn(image: string, name: string, group: string, root: string): Promise<void> {
  const device = (await run('losetup', ['--find', '--show', '--read-only', image])).stdout.trim();
  onTestFinished(() => void run('losetup', ['--detach', device]));
  const { rdev } = await stat(device);
  const node = join(root, 'dev', name);
  await run('mknod', [node, 'b', String(rdev >> 8), String(rdev & 0xff)]);
  await run('chmod', ['0640', node]);
  await run('chown', [`root:${group}`, node]);
}

/** What a room says to this line. */
async function said(socket: string, line: string): Promise<string> {
  const connection = connect(socket);
  connection.write(line);
  let text = '';
  for await (const chunk of connection as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (/\nend \w+ \d{3}\n$/.test(text)) break;
  }
  connection.destroy();
  return text;
}

needsPeer('fls', 'sleuthkit')('The Sleuth Kit', () => {
  needsTree('under a systemd of its own', () => {
    it('reads the stick that its group may read, and no other disk, file or word', async () => {
      await using tree = await openTree();
      await furnish(tree);
      // The programs of this machine, which the minimal tree does not have.
      await using booted = await bootTree(tree, { readOnly: { '/usr': '/usr' } });
      const root = `/proc/${booted.pid}/root`;
      const socket = `${root}${stickSocket}`;
      const [, , group = ''] = (await booted.run('getent', 'group', 'platen-stick')).stdout.split(':');
      const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500_000, 'x')]);
      await plugIn(fatStick({ 'Work/a.pdf': pdf }), 'sdy', group, root);
      await plugIn(fatStick({ 'secret.pdf': pdf }), 'sdz', '0', root);

      const inUnit = { clock: systemClock, chance: systemChance, socket };
      expect(await lookAtRoom(inUnit, withoutLimit())).toBe('unit');
      const inRoom = createStickRoom(inUnit);
      const reported = async (device: string, ...words: string[]) => {
        const chunks: Buffer[] = [];
        for await (const chunk of inRoom({ device, words }, withoutLimit())) chunks.push(chunk);
        return Buffer.concat(chunks);
      };
      const list = (await reported('/dev/sdy', 'list')).toString();
      expect(list).toMatch(/^@0\nr\/r \d+:\tWork\/a\.pdf\t/);
      const [, inode = ''] = /r\/r (\d+):/.exec(list) ?? [];
      expect((await reported('/dev/sdy', 'file', '0', inode, String(pdf.length), 'pdf')).equals(pdf)).toBe(
        true,
      );
      await expect(reported('/dev/sdz', 'list')).rejects.toMatchObject({ why: 'unreadable' });

      for (const words of [
        'list ../sdz',
        'list sda1',
        'list loop0',
        'list mem',
        'sh sdy',
        'file sdy 0 /etc 1 pdf',
      ]) {
        const answer = await said(socket, `abc 0 0 ${words}\n`);
        expect([words, answer]).toEqual([words, '\nend abc 065\n']);
      }
      expect((await booted.run('systemctl', '--failed', '--plain', '--no-legend')).stdout).not.toContain(
        'stick',
      );
    });
  });
});
