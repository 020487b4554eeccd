/**
 * T26: root reads, follows and changes nothing that the service's user owns or could have written. Every command that
 * root starts is that user before it reads anything, but for `init`, which writes by name.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { createProgram } from '../../../src/commands/command-line.ts';
import { silentIo } from '../../support/command-here.ts';
import { needsNamespaces, needsPeer, needsRoot } from '../../support/needs.ts';
import type { ServiceMachine } from './service-on-machine.ts';
import { cloudNowhere, openServiceMachine, program, readersGroup, service } from './service-on-machine.ts';
import { eventually } from '../../support/patience.ts';

let machine: ServiceMachine;
beforeEach(() => {
  machine = openServiceMachine();
});
afterEach(() => machine[Symbol.dispose]());

/** Every command without commands of its own, by its words. */
function leaves(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  if (command.commands.length === 0) return [words];
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
}
const all = leaves(createProgram(silentIo, () => {})).map((words) => words.join(' '));

/** What a command cannot be called without, and every file that it may be made to read. */
const argumentsOf: Readonly<Record<string, (one: ServiceMachine) => readonly string[]>> = {
  provision: ({ configFile, stateDir }) => [
    '-c',
    configFile,
    '--user',
    'admin',
    '--password-file',
    join(stateDir, 'password'),
  ],
  trust: ({ configFile, stateDir }) => [
    '-c',
    configFile,
    '--user',
    'admin',
    '--password-file',
    join(stateDir, 'password'),
  ],
  demo: () => ['--once'],
  'simulate cloud': ({ stateDir }) => ['--port', '0', '--state', join(stateDir, 'cloud.json')],
  'simulate printer': ({ stateDir }) => ['--port', '0', '--output', join(stateDir, 'printed')],
  'simulate reader': ({ stateDir }) => ['--link', join(stateDir, 'reader')],
  'card convert': ({ configFile }) => ['04A1', '-c', configFile],
  'card learn': ({ stateDir }) => [join(stateDir, 'pairs.csv')],
  'releases show': ({ configFile }) => ['7f3a9c21', '-c', configFile],
  'releases settle': ({ configFile }) => ['7f3a9c21', '--came-out', '-c', configFile],
  'outbox export': ({ configFile, rootsFolder }) => [join(rootsFolder, 'all.csv'), '-c', configFile],
  'support-bundle': ({ configFile, rootsFolder }) => [
    '-o',
    join(rootsFolder, 'bundle.tar.gz'),
    '-c',
    configFile,
  ],
  'guest end': ({ configFile }) => ['all', '-c', configFile],
  'log-level': ({ configFile }) => ['debug', '-c', configFile],
  'fleet keygen': ({ rootsFolder }) => [join(rootsFolder, 'signer')],
  'fleet push': (one) => [officeOf(one).folder, '--key', officeOf(one).key, '-c', one.configFile],
  'fleet roll': (one) => ['1', '--key', officeOf(one).key, '-c', one.configFile],
  'fleet undo': (one) => ['--key', officeOf(one).key, '-c', one.configFile],
  'fleet retire': ({ configFile }) => ['gateway-c', '-c', configFile],
  'fleet diagnose': ({ configFile, rootsFolder }) => [
    'gateway-a',
    '-o',
    join(rootsFolder, 'diagnosis.tar.gz'),
    '-c',
    configFile,
  ],
  'terminals move': ({ configFile }) => ['lobby', '--to', 'auto', '-c', configFile],
};

/** Of root alone, who names it: configuration from Git, and the key that signs it. */
function officeOf({ rootsFolder }: ServiceMachine): { readonly folder: string; readonly key: string } {
  const folder = join(rootsFolder, 'office');
  const key = join(rootsFolder, 'office.key');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'base.yaml'), 'log: { level: warn }\n');
  const { privateKey } = generateKeyPairSync('ed25519');
  if (!existsSync(key)) {
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  return { folder, key };
}
const usual = ({ configFile }: ServiceMachine) => ['-c', configFile];

/** A call that another thread was heard in the midst of is told in two lines; the first one has what it was asked. */
const callsIn = (trace: string): string =>
  readFileSync(trace, 'utf8').replaceAll(' <unfinished ...>', ') = ?');

/** A strace that is killed lets go of what it followed: a demo went on, and took readers away from whoever came next. */
function endFollowed(trace: string): void {
  for (const pid of new Set(readFileSync(trace, 'utf8').match(/^\d+/gm))) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself, or is a thread of one that has.
    }
  }
}

needsRoot()('T26: root', () => {
  needsNamespaces()('with the service on its machine', () => {
    needsPeer('strace', 'strace')('is the service before it reads', () => {
      it.each(all.filter((words) => words !== 'init'))('platen %s', async (words) => {
        const trace = join(machine.rootsFolder, 'trace');
        const args = [...words.split(' '), ...(argumentsOf[words] ?? usual)(machine)];
        const calls = '%file,connect,setuid,setgid,setgroups';
        const traced = machine.start(
          ...(['strace', '-f', '--seccomp-bpf', '-e', `trace=${calls}`, '-s', '200', '-o', trace] as const),
          ...[program, ...args],
        );
        const ended = once(traced, 'exit');
        const became = `setuid(${service.uid}) `;
        await eventually(() => {
          if (!existsSync(trace) || !callsIn(trace).includes(became)) {
            throw new Error(`platen ${words} is still root`);
          }
        });
        traced.kill('SIGKILL');
        await ended;
        endFollowed(trace);

        const [before = ''] = callsIn(trace).split(became);
        expect(before).toContain(`setgid(${service.gid}) `);
        expect(before).toMatch(
          new RegExp(
            `setgroups\\(2, \\[(?:${service.gid}, ${readersGroup}|${readersGroup}, ${service.gid})\\]`,
          ),
        );
        const touched = before
          .split('\n')
          // The shell looks where it is; what root named to be written is made.
          .filter((line) => line.includes(`${machine.folder}/`) && !line.includes(`"${machine.rootsFolder}"`))
          // What root named to be read is root's, in no folder of the service's.
          .filter((line) => !line.includes(`"${machine.rootsFolder}/office`))
          .filter((line) => !/execve\(|O_CREAT\|O_EXCL\|O_NOFOLLOW/.test(line));
        expect(touched).toEqual([]);
      });

      it('platen check has the groups of the unit besides, as the agent has, and none of root', async () => {
        const trace = join(machine.rootsFolder, 'trace');
        const shown = 'LoadState=loaded\nDevicePolicy=auto\nSupplementaryGroups=nogroup\n';
        const ofRoot = { uid: 0, gid: 0, mode: 0o755 };
        machine.write(join(machine.rootsFolder, 'systemctl'), `#!/bin/sh\nprintf '${shown}'\n`, ofRoot);
        await machine.run(
          ...(['env', `PATH=${machine.rootsFolder}:${process.env['PATH']}`] as const),
          ...['strace', '-f', '--seccomp-bpf', '-e', 'trace=setgroups', '-o', trace],
          ...[program, 'check', '-c', machine.configFile],
        );
        const groups = [...readFileSync(trace, 'utf8').matchAll(/setgroups\(\d+, \[(.*?)\]/g)].at(-1)?.[1];
        expect(
          groups
            ?.split(', ')
            .map(Number)
            .toSorted((a, b) => a - b),
        ).toEqual([service.gid, readersGroup, 65_534].toSorted((a, b) => a - b));
      });
    });

    it('is told whose the file is that the service may not read; what it is told to run mends it', async () => {
      const { configFile } = machine;
      machine.write(configFile, readFileSync(configFile, 'utf8'), { uid: 0, gid: 0, mode: 0o600 });
      const refused = await machine.run(program, 'status', '-c', configFile);
      const [, cure = ''] = /Run as root: (.*)$/m.exec(refused.stderr) ?? [];
      expect([refused.code, refused.stderr]).toEqual([
        78,
        `platen: ${configFile}: Permission denied for the user platen: ${configFile} belongs to root:root, mode 0600. Run as root: ${cure}\n`,
      ]);
      expect(await machine.run('sh', '-euc', cure)).toMatchObject({ code: 0 });
      expect(await machine.run(program, 'status', '-c', configFile)).toMatchObject({ code: 3 });
    });

    it('signs nothing that lies in a folder of the service, and with no key from there', async () => {
      const { configFile, stateDir } = machine;
      const { folder, key } = officeOf(machine);
      const refused = { code: 1, stderr: expect.stringContaining('where root reads no files') as string };
      const push = (from: string, by: string) =>
        machine.run(program, 'fleet', 'push', from, '--key', by, '-c', configFile);
      expect(await push(stateDir, key)).toMatchObject(refused);
      expect(await push(folder, join(stateDir, 'key'))).toMatchObject(refused);
      // What root may read it does, and then says what is missing in the service's own.
      expect(await push(folder, key)).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('fleet: is missing') as string,
      });
    });

    it('another user is told to run it with sudo', async () => {
      const asUnprivilegedUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
      const said = await machine.run(...asUnprivilegedUser, program, 'status', '-c', machine.configFile);
      expect([said.code, said.stderr]).toEqual([
        78,
        `platen: ${machine.configFile}: Permission denied. Run it with sudo.\n`,
      ]);
    });

    it.each([
      'status',
      'releases list',
      'releases show 7f3a9c21',
      'outbox list',
      'outbox retry',
      'log-level debug',
    ])(
      'another user is told the same of the books and the socket of the service: platen %s',
      async (words) => {
        const { configFile, stateDir } = machine;
        const asUnprivilegedUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
        const opened = join(machine.folder, 'platen.yaml');
        machine.write(opened, readFileSync(configFile, 'utf8'), { uid: 0, gid: 0, mode: 0o644 });
        const said = await machine.run(...asUnprivilegedUser, program, ...words.split(' '), '-c', opened);
        expect([said.code, said.stderr]).toEqual([
          1,
          `platen: ${stateDir}: Permission denied. Run it with sudo.\n`,
        ]);
      },
    );

    it('is the service for good, in all that a process is of a user', async () => {
      const run = machine.start(program, 'run', '-c', machine.configFile);
      await once(run.stdout ?? run, 'data');
      const status = readFileSync(`/proc/${run.pid}/status`, 'utf8');
      run.kill('SIGTERM');
      await once(run, 'exit');
      const line = (name: string) =>
        new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(status)?.[1]?.split(/\s+/);
      expect(line('Uid')).toEqual(Array(4).fill(String(service.uid)));
      expect(line('Gid')).toEqual(Array(4).fill(String(service.gid)));
      expect(line('Groups')).toEqual([service.gid, readersGroup].map(String));
      expect([line('CapPrm'), line('CapEff')]).toEqual([['0000000000000000'], ['0000000000000000']]);
    });

    it.each([
      ['check', /cannot read \S+roots\/secret \(EACCES\)/],
      ['check --print-test-page', /cannot read \S+roots\/secret \(EACCES\)/],
      // It reads no secret at all.
      ['trust --printer lobby', /no answer|ended|closed|reset/],
    ])('sends no file of its own to a printer that the service chose: %s', async (words, refusal) => {
      const heard: Buffer[] = [];
      const printer = createServer((socket) =>
        socket.on('data', (part) => {
          heard.push(part);
          socket.destroy();
        }),
      ).listen(0, '127.0.0.1');
      await once(printer, 'listening');
      const { port } = printer.address() as AddressInfo;
      const secret = join(machine.rootsFolder, 'secret');
      machine.write(secret, 'canary-of-root\n', { uid: 0, gid: 0, mode: 0o600 });
      const planted = join(machine.stateDir, 'planted.yaml');
      machine.write(
        planted,
        stringify({
          cloud: cloudNowhere,
          stateDir: machine.stateDir,
          terminals: [
            {
              id: 'lobby',
              serialNumber: 'SN-1',
              printer: {
                uri: `ipp://127.0.0.1:${port}/ipp/print`,
                credentials: { username: 'x', password: { file: secret } },
              },
            },
          ],
        }),
      );
      const said = await machine.run(program, ...words.split(' '), '-c', planted);
      printer.close();
      expect(said.code).not.toBe(0);
      expect(said.stderr).toMatch(refusal);
      const sent = Buffer.concat(heard).toString('latin1');
      for (const form of ['canary-of-root', btoa('x:canary-of-root')]) expect(sent).not.toContain(form);
    });

    it('gets what it asked for in files of its own, where the service may write nothing', async () => {
      machine.write(join(machine.rootsFolder, 'there'), 'mine', { uid: 0, gid: 0, mode: 0o644 });
      const file = join(machine.rootsFolder, 'bundle.tar.gz');
      const made = await machine.run(program, 'support-bundle', '-o', file, '-c', machine.configFile);
      expect([made.code, made.stderr]).toEqual([0, '']);
      const { uid, mode, size } = statSync(file);
      expect([uid, mode & 0o777, size > 1000]).toEqual([0, 0o600, true]);
      const over = await machine.run(program, 'outbox', 'export', 'there', '-c', machine.configFile);
      expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('exists already')]);
    });

    it('writes a configuration that the service reads and cannot write', async () => {
      const file = join(machine.folder, 'new', 'platen.yaml');
      machine.write(join(machine.rootsFolder, 'key'), 'canary\n', { uid: 0, gid: 0, mode: 0o600 });
      const said = await init(file);
      // That no service answers there is told, and hinders nothing.
      const reported = said.stderr.matchAll(
        /^platen: (?!No print service answers|Devices cannot sign in).*$/gm,
      );
      expect([said.code, [...reported].map(([line]) => line)]).toEqual([0, []]);
      for (const [path, mode] of [
        [join(machine.folder, 'new'), 0o750],
        [file, 0o640],
        [join(machine.folder, 'new', 'api-key'), 0o640],
      ] as const) {
        const found = statSync(path);
        expect([path, found.uid, found.gid, found.mode & 0o777]).toEqual([path, 0, service.gid, mode]);
      }
      expect((await init(file)).stdout).toContain('Nothing was changed');
    });

    it.each([
      ['a file of the service', ({ configFile }: ServiceMachine) => configFile],
      ['a folder of the service', ({ stateDir }: ServiceMachine) => join(stateDir, 'platen.yaml')],
      [
        'a folder below one of the service',
        ({ stateDir }: ServiceMachine) => {
          mkdirSync(join(stateDir, 'below'));
          return join(stateDir, 'below', 'platen.yaml');
        },
      ],
      [
        'a folder that a link of its own leads to',
        ({ folder, stateDir }: ServiceMachine) => {
          symlinkSync(stateDir, join(folder, 'link'));
          return join(folder, 'link', 'platen.yaml');
        },
      ],
    ])('sets nothing up in %s', async (_, place) => {
      machine.write(machine.configFile, '', { ...service, mode: 0o600 });
      machine.write(join(machine.rootsFolder, 'key'), 'canary\n', { uid: 0, gid: 0, mode: 0o600 });
      const said = await init(place(machine));
      expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('so root does not read it')]);
    });
  });
});

const init = (file: string) =>
  machine.run(
    ...([program, 'init', '-c', file, '--yes', '--no-wait', '--base-url', cloudNowhere.baseUrl] as const),
    ...['--api-key-file', 'key', '--printer', 'lobby=ipp://127.0.0.1:9/ipp/print,serial=SN-1'],
  );
