/**
 * The Debian package of arm64, where no such processor is: QEMU stands in for it, and for nothing but the programs that the
 * package brings. Dpkg, the shell and the system below them are this machine's.
 */
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bobCard, setStage } from '../../support/agent/stage.ts';
import { arm64Format } from '../../support/emulated-arm64.ts';
import { needsPeer } from '../../support/needs.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import type { DebianTree } from '../debian-tree.ts';
import { needsTree, openTree } from '../debian-tree.ts';
import { makePackage } from './made-package.ts';

// With the libraries of the machine outside: in the tree there is nothing but what a package asks for.
const emulator = `#!/bin/sh
exec /machine/lib64/ld-linux-x86-64.so.2 --library-path /machine/lib/x86_64-linux-gnu \\
  /machine/bin/qemu-aarch64 -L /machine/aarch64-linux-gnu "$@"
`;

// What the kernel starts by an emulator is said in a user namespace of its own, and so holds there alone (Linux 6.7). It
// has the users of the machine. Each program becomes the next one: what is asked for gets the signals.
const enter = `
cd "$1"
rm -f there mapped
mkfifo there mapped
(
  read user <there
  for map in uid_map gid_map; do echo 0 0 65536 >/proc/$user/$map; done
  echo >mapped
) &
exec unshare --user --mount sh -c 'echo $$ >there; read go <mapped; exec sh -euc "$@"' sh '
  mkdir -p "./$1"
  for folder in proc dev "$1"; do mount --rbind "/$folder" "./$folder"; done
  mount --bind /usr machine
  mount -t binfmt_misc binfmt_misc proc/sys/fs/binfmt_misc
  printf "%s" "$FORMAT" >proc/sys/fs/binfmt_misc/register
  shift
  exec chroot . "$@"' "$@"
`;

needsTree('in a Debian tree', () => {
  needsPeer('qemu-aarch64', 'qemu-user')('on an emulated processor', () => {
    needsPeer('/usr/aarch64-linux-gnu/lib/libstdc++.so.6', 'libstdc++6-arm64-cross')(
      'the arm64 package',
      () => {
        let folder = '';
        let tree: DebianTree;

        beforeAll(async () => {
          folder = await mkdtemp(join(tmpdir(), 'platen-arm64-'));
          const file = await makePackage(folder, 'arm64');
          tree = await openTree();
          await cp(file, `${tree.root}/root/platen.deb`);
          await mkdir(`${tree.root}/machine`);
          await writeFile(`${tree.root}/usr/local/bin/emulator`, emulator, { mode: 0o755 });
        });
        afterAll(async () => {
          await tree?.[Symbol.asyncDispose]();
          await rm(folder, { recursive: true });
        });

        /** `shared` is a folder of the machine outside that is seen inside. */
        const inside = (shared: string) => ({
          env: { FORMAT: arm64Format('/usr/local/bin/emulator') },
          by: [
            ...['nsenter', '-t', String(tree.holder), '-m', 'sh', '-euc', enter, 'enter'],
            ...[tree.root.slice(`/proc/${tree.holder}/root`.length), shared],
          ],
          program: [],
        });

        it('is installed, and what its own Node compiles then is of arm64', async () => {
          const install = 'dpkg --add-architecture arm64; dpkg -i --force-depends /root/platen.deb >&2';
          const said = await runProgram(['sh', '-euc', `${install}; ls /opt/platen/.code`], inside(folder));
          expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^v24[.\d]+-arm64-/) });
        });

        it('lets a document out by a badge at a serial reader, unchanged and once, and ends in order (I1, I2)', async () => {
          await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
          const { stdout: uid } = await tree.run('id', '-u', 'platen');
          for (const path of [stage.folder, stage.configFile, stage.reader.path])
            await chown(path, Number(uid), 0);
          await using agent = startProgram(['platen', 'run', '-c', stage.configFile], inside(stage.folder));
          await agent.logged('terminal ready');
          await agent.logged('reader up');
          stage.reader.tap(bobCard);
          expect(await agent.logged('release ended')).toMatchObject({ outcome: 'completed' });
          await agent.logged('history accepted');
          expect(stage.printer.outputs).toHaveLength(1);
          expect(stage.cloud.deviations).toEqual([]);
          agent.child.kill('SIGTERM');
          expect(await agent.exited).toEqual({ code: 0, signal: null });
        });
      },
    );
  });
});
