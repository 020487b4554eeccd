/**
 * The arm64 package on a whole Debian 12 with a processor of its own: the kernel, dpkg and systemd there, and what a badge at a
 * serial line lets out (I1, I2).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '../../src/commands/terminal-text/table.ts';
import { connected, port, startWholeMachine } from '../machines/whole-machine.ts';
import { bobCard } from '../support/agent/stage.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import { patience } from '../support/patience.ts';

const architecture = 'arm64';

/** With the key and the configuration there already, it starts by its installation. */
const install = 'uname -m; dpkg -i /root/platen.deb >&2';

async function walk(): Promise<Result> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-arm64-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const machine = opened.use(
    await startWholeMachine({
      architecture,
      memory: 1536,
      terminals: [{ readers: [{ type: 'serial', path: '/dev/ttyS2' }], session: { autoRelease: true } }],
      prepare: async () => {},
      devices: port('reader', folder, architecture),
    }),
  );
  const { cloud, printer } = machine;
  const reader = await connected(join(folder, 'reader'));
  opened.defer(() => void reader.destroy());
  const said = await machine.sh(install);
  const seen: [string, string][] = [];
  for (const msg of ['terminal ready', 'reader up', 'release ended', 'history accepted']) {
    if (msg === 'release ended') reader.write(`${bobCard}\r\n`);
    const record = await machine.logged(0, (one) => one.msg === msg, 10 * patience());
    seen.push([msg, String(record['time'])]);
  }
  const up = (await machine.sh("awk '{ print $1 }' /proc/uptime")).trim();
  const failed = await machine.sh('systemctl --failed --plain --no-legend');
  await machine.sh('systemctl stop platen');
  const violations = [
    ...(said.startsWith('aarch64') ? [] : [`another processor: ${said}`]),
    ...(printer.outputs.length === 1 ? [] : [`${printer.outputs.length} documents came out (I1)`]),
    ...(cloud.state.history.length === 1 ? [] : [`${cloud.state.history.length} records (I2)`]),
    ...cloud.deviations,
    ...(failed === '' ? [] : [`units that failed: ${failed}`]),
  ];
  return {
    table: table([['seen', 'at'], ...seen, ['up for', `${up} s of its own clock`]]),
    violations,
    played: 1,
  };
}

export const arm64Machine: Program = {
  name: 'arm64-machine',
  what: 'the arm64 package is installed on a whole Debian of that processor, and a badge lets a document out',
  runs: 1,
  run: walk,
};
