/** Who runs the agent after `platen init`: never a second one (D13). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usualConfig } from '../../../src/commands/usual-options.ts';
import type { ServiceDeps } from '../../../src/commands/init/service/service.ts';
import { keepAgent, prepareService } from '../../../src/commands/init/service/service.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { silentIo } from '../../support/command-here.ts';
import { setStage } from '../../support/agent/stage.ts';
import { needsRoot } from '../../support/needs.ts';
import { freePort } from '../../support/ports.ts';

/** systemctl(1) as far as it is called; gives the calls. */
function systemctl({ isFailed = false } = {}): { calls: string[]; run: ServiceDeps['run'] } {
  const calls: string[] = [];
  return {
    calls,
    async run(program, args) {
      calls.push(args.join(' '));
      return {
        code: program !== 'systemctl' || (args.includes('is-failed') && !isFailed) ? 1 : 0,
        stdout: '',
        stderr: '',
      };
    },
  };
}

needsRoot()('the agent after the file is written', () => {
  it('is the unit, stopped before it starts with the new file; elsewhere one that runs, unless it read another file (D13)', async () => {
    const systemd = await mkdtemp(join(tmpdir(), 'platen-systemd-'));
    try {
      await using stage = await setStage({
        config: { operations: { listen: `127.0.0.1:${await freePort()}` } },
      });
      const config = loadConfig(stage.configFile, {});
      const world = {
        config,
        reader: undefined,
        io: silentIo,
        systemd,
        addressList: join(systemd, 'addresses.conf'),
        isChanged: true,
      };
      const first = systemctl();
      const keep = async (options: ServiceDeps) => keepAgent(options, await prepareService(options));
      await using keeper = await keep({ ...world, ...first, file: usualConfig });
      expect(await keeper.ended()).toBeUndefined();
      const starting = ['enable platen.service', 'start --no-block platen.service'];
      const begun = ['cat platen.service', 'stop platen.service'];
      expect(first.calls).toEqual([
        ...begun,
        'daemon-reload',
        ...starting,
        'is-failed --quiet platen.service',
      ]);

      await using agent = await stage.start();
      await agent.told('agent started');
      const again = systemctl({ isFailed: true });
      await using restarted = await keep({ ...world, ...again, file: usualConfig });
      expect(again.calls).toEqual([...begun, ...starting]);
      expect(await restarted.ended()).toBe(1);

      // The unit reads another file: it is nobody's business here.
      const other = systemctl();
      const elsewhere = { ...world, ...other, file: stage.configFile };
      await expect(keep(elsewhere)).rejects.toMatchObject({ code: 'already-running' });
      await using running = await keep({ ...elsewhere, isChanged: false });
      expect([running.kind, await running.ended(), other.calls]).toEqual(['running', undefined, []]);
    } finally {
      await rm(systemd, { recursive: true });
    }
  });
});
