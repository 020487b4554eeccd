/** T26: whatever the agent or a command makes, it makes there: a link in its place leads nothing of theirs elsewhere. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import type { Stage } from '../../support/agent/stage.ts';
import { setStage } from '../../support/agent/stage.ts';
import { needsNamespaces, needsRoot } from '../../support/needs.ts';
import { openServiceMachine, program, service } from './service-on-machine.ts';
import { eventually } from '../../support/patience.ts';

/**
 * Starts the agent and ends it in order once its device is authorized, or so long after that nothing more is to come of
 * it; tells what lay in its state directory meanwhile.
 */
async function runOnce(stage: Stage, stateDir: string): Promise<readonly string[]> {
  const agent = await stage.start().catch(() => undefined);
  if (!agent) return [];
  const settled = () => {
    if (!agent.records.some(({ msg }) => msg === 'device authorized')) throw new Error('not yet');
  };
  await eventually(settled).catch(() => {});
  const meanwhile = namesBelow(stateDir);
  await agent[Symbol.asyncDispose]();
  return [...new Set([...meanwhile, ...namesBelow(stateDir)])];
}

const namesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** What stands somewhere else, and could be written. */
function victimIn(folder: string, kind: 'file' | 'folder'): string {
  const victim = join(folder, 'victim');
  rmSync(victim, { recursive: true, force: true });
  if (kind === 'folder') mkdirSync(victim, { mode: 0o755 });
  writeFileSync(kind === 'file' ? victim : join(victim, 'precious'), '', { mode: 0o644 });
  return victim;
}

const seen = (path: string) => {
  const { mode, uid, gid } = statSync(path);
  const content = lstatSync(path).isDirectory() ? readdirSync(path) : readFileSync(path, 'utf8');
  return { mode, uid, gid, content };
};

it('T26: a link in the place of any path of the state directory leads the agent nowhere', async () => {
  await using stage = await setStage();
  const stateDir = join(stage.folder, 'state');
  const made = (await runOnce(stage, stateDir)).map((path) => ({
    path,
    kind: isFolder(join(stateDir, path)) ? ('folder' as const) : ('file' as const),
  }));
  const successors = made.filter(({ kind }) => kind === 'file').map(({ path }) => `${path}.new`);
  const places = [...made, ...successors.map((path) => ({ path, kind: 'file' as const }))];
  expect(places.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'platen.db',
      'platen.db-wal',
      'platen.db-shm',
      'lock.db',
      'spool',
      'control.sock',
      'kiosk-launch',
      'identity',
      'identity.new',
      'sealing-key',
      'sealing-key.new',
    ]),
  );
  const followed: string[] = [];
  for (const { path, kind } of places) {
    rmSync(stateDir, { recursive: true, force: true });
    const victim = victimIn(stage.folder, kind);
    const before = seen(victim);
    mkdirSync(dirname(join(stateDir, path)), { recursive: true, mode: 0o700 });
    symlinkSync(victim, join(stateDir, path));
    await runOnce(stage, stateDir);
    if (JSON.stringify(seen(victim)) !== JSON.stringify(before)) followed.push(path);
  }
  expect(followed).toEqual([]);
});

needsRoot()('T26: a link', () => {
  needsNamespaces()('that the service has planted', () => {
    it("in the place of a printer's memory gives root's files to nobody: trust --printer", async () => {
      await using printer = await startVirtualPrinter();
      using machine = openServiceMachine([
        { id: 'lobby', serialNumber: 'SN-0001', printer: { uri: printer.uri }, readers: [] },
      ]);
      const roots = join(machine.rootsFolder, 'precious');
      machine.write(roots, 'precious', { uid: 0, gid: 0, mode: 0o600 });
      const trust = ['trust', '--printer', 'lobby', '-c', machine.configFile];
      const shown = await machine.run(program, ...trust, '--json');
      const [{ offered }] = JSON.parse(shown.stdout) as [{ offered: { fingerprint: string } }];
      const approve = () => machine.run(program, ...trust, '--fingerprint', offered.fingerprint);

      const printers = join(machine.stateDir, 'printers');
      symlinkSync(machine.rootsFolder, printers);
      const refused = await approve();
      expect([refused.code, refused.stderr]).toEqual([
        expect.toSatisfy((code) => code !== 0),
        expect.stringContaining(printers),
      ]);
      expect([statSync(machine.rootsFolder), statSync(roots)]).toMatchObject([{ uid: 0 }, { uid: 0 }]);
      expect(readdirSync(machine.rootsFolder)).toEqual(['precious']);

      await machine.run('rm', printers);
      expect((await approve()).code).toBe(0);
      for (const path of [printers, join(printers, 'lobby.pin')]) {
        expect(statSync(path)).toMatchObject({ uid: service.uid, gid: service.gid });
      }
      // In the place of the file it replaces the link is replaced, in the place of its successor it is refused.
      await machine.run('sh', '-c', `ln -sf ${roots} ${printers}/lobby.pin.new`);
      expect((await approve()).code).not.toBe(0);
      expect([statSync(roots).uid, readFileSync(roots, 'utf8')]).toEqual([0, 'precious']);
    });
  });

  it('on the way to what a command is asked to write leads root nowhere', async () => {
    using machine = openServiceMachine();
    const precious = join(machine.rootsFolder, 'precious');
    machine.write(precious, 'precious', { uid: 0, gid: 0, mode: 0o600 });
    symlinkSync(machine.rootsFolder, join(machine.stateDir, 'out'));
    symlinkSync(join(machine.stateDir, 'out'), join(machine.folder, 'usual'));
    const config = ['-c', machine.configFile];
    for (const folder of [join(machine.stateDir, 'out'), join(machine.folder, 'usual')]) {
      const bundle = ['support-bundle', '--force', '-o', join(folder, 'precious'), ...config];
      const records = ['outbox', 'export', join(folder, 'new'), ...config];
      for (const words of [bundle, records]) {
        const said = await machine.run(program, ...words);
        expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('in a folder of Platen')]);
      }
    }
    expect(readdirSync(machine.rootsFolder)).toEqual(['precious']);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
  });

  it('that stands where a command is asked to write is not followed', async () => {
    using machine = openServiceMachine();
    const target = join(machine.rootsFolder, 'absent');
    for (const link of ['bundle', 'records']) symlinkSync(target, join(machine.rootsFolder, link));
    const config = ['-c', machine.configFile];
    const codes = [
      (await machine.run(program, 'support-bundle', '-o', 'bundle', ...config)).code,
      (await machine.run(program, 'outbox', 'export', 'records', ...config)).code,
    ];
    expect([codes, existsSync(target)]).toEqual([[1, 1], false]);
    const forced = await machine.run(program, 'support-bundle', '--force', '-o', 'bundle', ...config);
    expect([
      forced.code,
      existsSync(target),
      lstatSync(join(machine.rootsFolder, 'bundle')).isFile(),
    ]).toEqual([0, false, true]);
  });
});

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
