/**
 * A stick on the kernel's own USB disk: found by sysfs, read, pulled out and put back. In a virtual machine, for a test
 * machine has no stick.
 */
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import { fatStick } from '../../support/stick/stick-images.ts';
import { startStickMachine } from './stick-machine.ts';
import { kernelFolder, kernelPackages } from './virtual-machine.ts';

const guest = fileURLToPath(new URL('stick-guest.ts', import.meta.url));
const [driver = `${kernelFolder}/usb-storage.ko`] = globSync(
  `${kernelFolder}/lib/modules/*/**/usb-storage.ko`,
);

needsPeer(existsSync(driver) ? kernelFolder : driver, kernelPackages)('a USB disk of the kernel', () => {
  it('is found while it is in, read whole, and nothing of it once it was pulled out, in again or not', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 'x')]);
    await using machine = await startStickMachine(guest, fatStick({ 'a.pdf': pdf }));
    const within = 120_000;
    expect(await machine.told('waiting', { within })).toMatchObject({ disks: 0 });
    await machine.putIn();
    expect(await machine.told('listed', { within })).toMatchObject({ names: ['a.pdf'] });
    expect(await machine.told('read', { within })).toMatchObject({ octets: pdf.length });
    await machine.pullOut();
    expect(await machine.told('pulled')).toMatchObject({ why: 'pulled-out' });
    await machine.putIn();
    expect(await machine.told('back')).toMatchObject({ why: 'pulled-out' });
    await machine.told('ended');
  });
});
