/**
 * The agent's AppArmor profile before a kernel that has it (T26): in a virtual machine, where a whole release is walked below
 * it, from the badge at a serial reader to the record that the service took.
 */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bobCard } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { kernelFolder, kernelPackages } from './virtual-machine.ts';
import { startApparmorMachine } from './apparmor-machine.ts';

const guest = fileURLToPath(new URL('apparmor-guest.ts', import.meta.url));

needsPeer(kernelFolder, kernelPackages)('before Debian’s kernel', () => {
  needsPeer('apparmor_parser', 'apparmor')('with AppArmor', () => {
    it('a whole release is walked below the profile, and nothing that it needs is refused; what is none of its business is, even to root', async () => {
      await using machine = await startApparmorMachine(guest);
      expect(await machine.told('ready', { within: 180_000 })).toMatchObject({
        profile: 'platen (enforce)',
      });
      // A busy machine may be given the bytes too slowly for a badge.
      for (let turn = 1; turn < 4; turn += 1) {
        machine.badge(bobCard);
        if (await machine.told('session opened', { within: 9000 }).catch(() => undefined)) break;
      }
      const { tried, notified, ...said } = await machine.told('ended', { within: 120_000 });
      expect(said).toEqual({
        ...{ what: 'ended', code: 0, outputs: 1, deviations: [], refused: [] },
        ...{ page: 200, health: 200, launch: 'http://127.0.0.1:7380' },
      });
      expect(notified).toContain('READY=1');
      expect(tried).toEqual([
        'echo mine >/tmp/own: done',
        'cat /etc/shadow: Permission denied',
        'cat /proc/1/environ: Permission denied',
        "echo '#' >>/etc/platen/platen.yaml: Permission denied",
        'echo root >/etc/motd: Permission denied',
        'id: Permission denied',
        '/tmp/planted: Permission denied',
      ]);
    });
  });
});
