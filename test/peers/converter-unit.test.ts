/**
 * The converter's unit: as closed as it may be, its room as good as the others, and under a real systemd no way out of it
 * (INVARIANTS.md D10, T17, G15).
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inSeconds } from '../../src/core/duration.ts';
import type { Problem } from '../../src/domain/problem/problem.ts';
import { usualLimits } from '../../src/printing/conversion/sandbox.ts';
import type { Sandbox } from '../../src/printing/conversion/sandbox.ts';
import { unitSocket } from '../../src/printing/conversion/unit-room.ts';
import { formats } from '../../src/printing/document-format.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { marked, processesNamed, sandboxContract, taskOf } from '../contracts/sandbox.ts';
import { bytesOf, conversion, converterForTest, sandboxWith } from '../support/printer/conversion-samples.ts';
import { spooled } from '../support/printer/samples.ts';
import { needsPeer } from '../support/needs.ts';
import type { DebianTree } from './debian-tree.ts';
import { bootTree, needsTree, openTree } from './debian-tree.ts';
import { pagesOfRaster } from './raster-header.ts';
import { withoutLimit } from '../support/patience.ts';

const run = promisify(execFile);
const units = ['platen-converter.socket', 'platen-converter@.service'];
const service = await readFile('systemd/platen-converter@.service', 'utf8');

needsPeer('systemd-socket-activate', 'systemd')('without a systemd,', () => void sandboxContract('unit'));

describe('the unit of the converter', () => {
  it('listens where the agent calls, for the agent alone', async () => {
    const socket = await readFile('systemd/platen-converter.socket', 'utf8');
    for (const line of [`ListenStream=${unitSocket}`, 'SocketUser=platen', 'SocketMode=0600', 'Accept=yes']) {
      expect(socket.split('\n')).toContain(line);
    }
  });

  it('has the limits of the other rooms (T17)', () => {
    const { wall, cpu, addressSpace, processes } = usualLimits;
    const gibibytes = addressSpace / 1024 ** 3;
    for (const line of [
      `RuntimeMaxSec=${inSeconds(wall)}`,
      `LimitCPU=${inSeconds(cpu)}:${inSeconds(cpu) + 2}`,
      `LimitAS=${gibibytes}G`,
      `MemoryMax=${gibibytes}G`,
      `TasksMax=${processes}`,
      `LimitNPROC=${processes}`,
    ]) {
      expect(service.split('\n')).toContain(line);
    }
  });

  it('is given no state, no credential and no configuration', () => {
    expect(service).not.toMatch(/State|Credential|\/etc\/platen|\/var\/lib\/platen|EnvironmentFile/);
  });
});

needsPeer('systemd-analyze', 'systemd')('systemd', () => {
  it('accepts what systemd/install lays out of the converter, and rates it at most 0.5', async () => {
    const root = await mkdtemp(join(tmpdir(), 'platen-units-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await run('sh', ['systemd/install'], { env: { PATH: process.env['PATH'], DESTDIR: root } });
    const [socket = '', template = ''] = units.map((unit) => join(root, 'etc/systemd/system', unit));
    const instance = template.replace('@', '@1');
    await cp(template, instance);
    // systemd-analyze tells unknown keys on standard error and exits with 0.
    expect((await run('systemd-analyze', ['verify', socket, instance])).stderr).toBe('');
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=5', instance]);
    const rules = 'etc/udev/rules.d/70-platen-readers.rules';
    expect(await readFile(join(root, rules), 'utf8')).toContain('LIBINPUT_IGNORE_DEVICE');
  });
});

/** Ghostscript, but for a document that is a script: that is a hole in Ghostscript. */
const hole = `#!/bin/sh
for document; do :; done
[ "$(head -c 2 "$document")" = '#!' ] && exec /bin/sh "$document"
exec /usr/bin/gs "$@"
`;

async function furnish({ root, run: runInside }: DebianTree): Promise<void> {
  const put = async (path: string, text: string, mode = 0o644) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text, { mode });
  };
  await put('opt/platen/systemd/converter-room', await readFile('systemd/converter-room', 'utf8'), 0o755);
  for (const unit of units) {
    await put(`etc/systemd/system/${unit}`, await readFile(`systemd/${unit}`, 'utf8'));
  }
  await put('srv/hole/gs', hole, 0o755);
  await put(
    'etc/systemd/system/platen-converter@.service.d/hole.conf',
    '[Service]\nEnvironment=PATH=/srv/hole:/usr/bin:/bin\nBindReadOnlyPaths=/srv/hole\n',
  );
  await put('etc/platen/api-key', 'canary-of-the-configuration');
  await put('var/lib/platen/state', 'canary-of-the-state');
  await runInside('useradd', '--system', 'platen');
  await runInside('systemctl', 'enable', 'platen-converter.socket');
}

async function through(sandbox: Sandbox, script: string): Promise<string> {
  let output = '';
  try {
    for await (const chunk of sandbox.run(taskOf(Buffer.from(`#!\n${script}\n`)), withoutLimit()))
      output += chunk;
    return output;
  } catch (error) {
    return `${output}\n${(error as Problem).message}`;
  }
}

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsTree('under a systemd of its own', () => {
    it('converts, and a hole in it leads nowhere', async () => {
      await using tree = await openTree();
      await furnish(tree);
      // The programs of this machine, which the minimal tree does not have.
      await using booted = await bootTree(tree, { readOnly: { '/usr': '/usr' } });
      const socket = `/proc/${booted.pid}/root${unitSocket}`;
      const { mode, uid } = await stat(socket);
      expect(mode & 0o777).toBe(0o600);
      expect(`${uid}\n`).toBe((await booted.run('id', '-u', 'platen')).stdout);
      const sandbox = sandboxWith({ socket });
      expect(await sandbox.confinement(withoutLimit())).toBe('unit');

      const converter = await converterForTest({ sandbox });
      const wanted = conversion({ format: formats.pwgRaster, resolution: 72, copies: 2 });
      const document = await spooled(samplePdf({ title: 'Sample', pages: 3 }));
      using made = await converter.convert(document, wanted, withoutLimit());
      expect(pagesOfRaster(await bytesOf(made))).toHaveLength(6);

      const seen = await through(
        sandbox,
        `for place in /etc/platen/api-key /var/lib/platen/state /etc/passwd /proc/*/environ; do cat $place; done
         for place in /x /usr/x /tmp/x /var/tmp/x /dev/shm/x /opt/platen/systemd/converter-room; do
           echo >>$place && echo wrote $place
         done
         echo >x && echo wrote beside the document
         echo networks: $(sed '1,2d; s/:.*//' /proc/self/net/dev); ls -A / /run /home /opt/platen; id -u`,
      );
      expect(seen).not.toMatch(/canary|root:|wrote \/|systemd-private/);
      expect(seen).toContain('wrote beside the document');
      expect(seen).toMatch(/^networks: lo$/m);
      // Two conversions, two users.
      expect(await through(sandbox, 'id -u')).not.toBe(seen.split('\n').slice(-2).join('\n'));

      const mark = marked(88);
      const many = `for n in 1 2 3 4 5 6 7 8 9; do sleep ${mark} & done; echo all`;
      expect(await through(sandbox, many)).toMatch(/the converter failed/);
      expect(await through(sandbox, `setsid sleep ${mark} >&2 & echo done`)).toBe('done\n');
      await expect.poll(() => processesNamed(mark)).toBe(0);

      const stop = new AbortController();
      const stubborn = `trap "" TERM; setsid sleep ${mark} & printf '%99s' x; sleep ${mark}`;
      const running = (async () => {
        const task = taskOf(Buffer.from(`#!\n${stubborn}\n`));
        for await (const _ of sandbox.run(task, stop)) stop.abort(new Error('the agent has gone'));
      })();
      await expect(running).rejects.toThrow('gone');
      await expect.poll(() => processesNamed(mark)).toBe(0);

      // Nothing is told of single documents.
      expect((await booted.run('journalctl', '--no-pager')).stdout).not.toContain('platen-converter@');
      expect((await booted.run('systemctl', '--failed', '--plain', '--no-legend')).stdout).not.toContain(
        'converter',
      );
    });
  });
});
