/**
 * `platen-converter.socket` and its unit without a systemd: `systemd-socket-activate` takes the calls, prlimit(1) gives
 * the limits, each call has a folder of its own and, where this is root, a user. What only a control group and mounts can
 * do is not here.
 */
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { inSeconds } from '../../../src/core/duration.ts';
import type { SandboxLimits } from '../../../src/printing/conversion/sandbox-room.ts';
import { usualLimits } from '../../../src/printing/conversion/sandbox.ts';
import { startProcess } from '../process-group.ts';
import { eventually } from '../patience.ts';

export interface UnitStage extends AsyncDisposable {
  readonly socket: string;
}

const room = fileURLToPath(new URL('../../../systemd/converter-room', import.meta.url));
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** One for each, as DynamicUser= gives them; no other test of this machine has them. */
let users = 1_000_000 + process.pid * 1000;

/** `programs`: a folder that is looked into first. */
export async function startUnit({
  limits,
  programs,
}: {
  readonly limits?: Partial<SandboxLimits>;
  readonly programs?: string;
} = {}): Promise<UnitStage> {
  const { cpu, addressSpace, files, processes } = { ...usualLimits, ...limits };
  const folder = mkdtempSync(join(tmpdir(), 'platen-unit-'));
  chmodSync(folder, 0o777);
  copyFileSync(room, join(folder, 'converter-room'));
  const socket = join(folder, 'socket');
  users += 1;
  const isRoot = process.getuid?.() === 0;
  const call = [
    `cd "$(mktemp -d ${folder}/XXXXXX)" && exec`,
    `prlimit --cpu=${inSeconds(cpu)}:${inSeconds(cpu) + 2} --as=${addressSpace} --fsize=${files} --core=0`,
    // The listener is a process of that user, too.
    ...(isRoot ? [`--nproc=${processes + 1}`] : []),
    `setsid ${folder}/converter-room`,
  ];
  const listener = await startProcess(
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      ...(isRoot ? [`--reuid=${users}`, `--regid=${users}`, '--clear-groups'] : []),
      'systemd-socket-activate',
      '--accept',
      '--inetd',
      '--listen',
      socket,
      '-E',
      `PATH=${programs === undefined ? '' : `${programs}:`}${systemPath}`,
      'sh',
      '-c',
      call.join(' '),
    ],
    {},
  );
  await eventually(() => expect(listener.log()).toContain('Listening'));
  return {
    socket,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
