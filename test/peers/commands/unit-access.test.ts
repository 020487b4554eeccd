/** Whether the agent may open a reader, and what a person is told where it may not: owner, group, the drop-in that mends it. */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Looker } from '../../../src/commands/check/unit-access.ts';
import { mayOpen, unitAccess } from '../../../src/commands/check/unit-access.ts';
import { needsRoot } from '../../support/needs.ts';

const execute = promisify(execFile);
const module = join(process.cwd(), 'src/commands/check/unit-access.ts');

/** As systemctl(1) of Debian 12 shows the shipped unit. */
const shown = `SupplementaryGroups=dialout
DevicePolicy=closed
DeviceAllow=char-ttyUSB rw
DeviceAllow=char-ttyACM rw
DeviceAllow=char-ttyS rw
LoadState=loaded
`;
const shipped = { groups: ['dialout'], devices: ['char-ttyUSB', 'char-ttyACM', 'char-ttyS'] };
const agent: Looker = { user: 'platen', hasService: true, unit: shipped };

describe('what the unit gives the agent', () => {
  it('is read as systemctl shows it', async () => {
    expect(await unitAccess(async () => shown)).toEqual(shipped);
  });

  it.each([
    ['no unit is installed', 'LoadState=not-found\nDevicePolicy=auto\n'],
    ['there is no systemctl', undefined],
  ])('is unknown where %s', async (_, said) => {
    expect(await unitAccess(async () => said)).toBeUndefined();
  });

  it('is every device where the unit closes none', async () => {
    const said = 'LoadState=loaded\nDevicePolicy=auto\nSupplementaryGroups=\n';
    expect(await unitAccess(async () => said)).toEqual({ groups: [], devices: undefined });
  });
});

/** A link to a node of the name, whose rights are those of the file. */
async function node(name: string, { gid = 0, mode = 0o666 } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-node-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, '');
  await chown(path, process.getuid?.() ?? 0, gid);
  await chmod(path, mode);
  await symlink(path, join(folder, 'by-id'));
  return join(folder, 'by-id');
}

describe('a device that its user may open', () => {
  it.each(['ttyUSB0', 'ttyACM1', 'pts-3'])('may be opened by the agent: %s', async (name) => {
    expect(await mayOpen(await node(name), 'serial', agent)).toBeUndefined();
  });

  it('and that the unit keeps closed is told with its drop-in', async () => {
    await expect(mayOpen(await node('ttyAMA0'), 'serial', agent)).rejects.toThrow(
      /by-id: platen\.service does not let the agent open it\. Drop-in: systemctl edit platen, and write \[Service\] and DeviceAllow=char-ttyAMA rw; then run systemctl restart platen$/,
    );
    await expect(mayOpen(await node('hidraw0'), 'hid', agent)).rejects.toThrow(
      /Drop-in: install -D .*platen\.service\.d \/opt\/platen\/systemd\/platen\.service\.d\/usb-readers\.conf; systemctl daemon-reload; systemctl restart platen$/,
    );
  });

  it('is no matter of the unit for a developer', async () => {
    const developer = { ...agent, user: 'dana' };
    expect(await mayOpen(await node('hidraw0'), 'hid', developer)).toBeUndefined();
  });
});

needsRoot()('a device that its user may not open', () => {
  const dialout = 20;
  const audio = 29;

  /** As an ordinary user of no group, in a process of its own: access(2) goes by the real uid. */
  async function refusal(path: string, looker: Looker): Promise<string> {
    const script = `
      import { mayOpen } from ${JSON.stringify(module)};
      const [path, looker] = process.argv.slice(1);
      await mayOpen(path, 'serial', JSON.parse(looker)).then(
        () => console.log('may be opened'),
        ({ message }) => console.log(message),
      );`;
    const args = ['--input-type=module', '-e', script, path, JSON.stringify(looker)];
    const { stdout } = await execute(process.execPath, args, { uid: 65_534, gid: 65_534 });
    return stdout.trim();
  }

  it.each<[string, number, number, Looker, string]>([
    [
      'of a group that the unit has not',
      audio,
      0o660,
      agent,
      'Drop-in: systemctl edit platen, and write [Service] and SupplementaryGroups=audio; then run systemctl restart platen',
    ],
    [
      'of a group that the unit has',
      dialout,
      0o660,
      agent,
      'The agent has the group dialout through its unit. Run this as root to check as the agent.',
    ],
    [
      'of root alone',
      0,
      0o600,
      agent,
      'Give it to the group platen by a line in /etc/udev/rules.d/70-platen-local.rules (systemd/readers.md, "USB readers").',
    ],
    [
      'by an administrator',
      dialout,
      0o660,
      { ...agent, user: 'dana' },
      'Run it with sudo. Then it checks as the agent.',
    ],
    [
      'by a developer',
      dialout,
      0o660,
      { user: 'dana', hasService: false, unit: undefined },
      'Add the user to the group, and log in again: usermod -aG dialout dana',
    ],
  ])('%s is told with whose it is and what mends it', async (_, gid, mode, looker, remedy) => {
    const path = await node('ttyUSB0', { gid, mode });
    await chmod(join(path, '..'), 0o755);
    const group = { [dialout]: 'dialout', [audio]: 'audio' }[gid] ?? 'root';
    const bits = `0${mode.toString(8)}`;
    expect(await refusal(path, looker)).toBe(
      `${path}: Permission denied for the user ${looker.user}: ${path} belongs to root:${group}, mode ${bits}. ${remedy}`,
    );
  });
});
