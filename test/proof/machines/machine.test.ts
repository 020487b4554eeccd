/**
 * What only a kernel of our own can be asked, in one virtual machine: a USB keyboard and a USB stick, which a test machine
 * does not have, and AppArmor. The programs within run one after the other, and each tells what it sees.
 */
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bobCard } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import type { DebianMachine } from '../../machines/debian-machine.ts';
import { startDebianMachine } from '../../machines/debian-machine.ts';
import { kernelFolder, kernelPackages } from '../../machines/virtual-machine.ts';

const guests = ['usb-guest.ts', 'apparmor-guest.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);
/** The last one that tools/setup came to unpack. */
const [module = `${kernelFolder}/usb-storage.ko`] = globSync(
  `${kernelFolder}/lib/modules/*/**/usb-storage.ko`,
);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 'x')]);

needsPeer(existsSync(module) ? kernelFolder : module, kernelPackages)('before Debian’s kernel', () => {
  needsPeer('apparmor_parser', 'apparmor')('with AppArmor', () => {
    let machine: DebianMachine;
    beforeAll(async () => {
      const started = await startDebianMachine(guests, { 'a.pdf': pdf });
      machine = started;
      return () => started[Symbol.asyncDispose]();
    });

    it('a USB stick is found while it is in, read whole, and nothing of it once it was pulled out, in again or not', async () => {
      expect(await machine.told('waiting')).toMatchObject({ disks: 0 });
      await machine.putStickIn();
      expect(await machine.told('listed')).toMatchObject({ names: ['a.pdf'] });
      expect(await machine.told('read')).toMatchObject({ octets: pdf.length });
      await machine.pullStickOut();
      expect(await machine.told('pulled')).toMatchObject({ why: 'pulled-out' });
      await machine.putStickIn();
      expect(await machine.told('back')).toMatchObject({ why: 'pulled-out' });
    });

    it('a reader that plays a keyboard is read alone, and by whatever name it comes back (I5, I7)', async () => {
      await machine.told('listening');
      // Without a grab, everybody hears what is typed.
      await machine.type('x');
      expect(await machine.told('overheard')).toMatchObject({ bytes: expect.any(Number) });

      expect(await machine.told('up')).toMatchObject({ second: 'EBUSY' });
      await machine.type('4711');
      expect(await machine.told('card')).toMatchObject({ number: '4711', overheard: 0 });

      await machine.pullKeyboard();
      expect(await machine.told('down')).toMatchObject({ message: expect.stringMatching(/ENODEV/) });
      await machine.plugInKeyboard();
      await machine.told('up');
      await machine.type('0815');
      expect(await machine.told('card')).toMatchObject({ number: '0815' });
    });

    it('a read of the keyboard does not keep the process (I7)', async () => {
      expect(await machine.told('ended: usb-guest')).toMatchObject({ code: 0 });
    });

    it('a whole release is walked below the profile of AppArmor, and nothing that it needs is refused; what is none of its business is, even to root (T26)', async () => {
      expect(await machine.told('ready')).toMatchObject({ profile: 'platen (enforce)' });
      machine.badge(bobCard);
      await machine.told('session opened');
      const { tried, notified, ...said } = await machine.told('ended');
      expect(said).toEqual({
        what: 'ended',
        code: 0,
        outputs: 1,
        deviations: [],
        refused: [],
        page: 200,
        health: 200,
        launch: 'http://127.0.0.1:7380',
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
