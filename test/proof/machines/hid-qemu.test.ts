/**
 * The USB reader that plays a keyboard, on the kernel's own event node: grabbed, heard by nobody else, pulled and put
 * back. In a virtual machine, for a test machine has no keyboard.
 */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import type { Machine } from './hid-machine.ts';
import { startMachine } from './hid-machine.ts';
import type { Told } from './virtual-machine.ts';
import { kernelFolder, kernelPackages } from './virtual-machine.ts';

const guest = fileURLToPath(new URL('hid-guest.ts', import.meta.url));

/** A busy machine may lose keys, or deliver them too slowly for a badge, as for a person's: then they are typed again. */
async function typed(machine: Machine, text: string, heard: 'card' | 'overheard'): Promise<Told> {
  for (let turn = 1; turn < 5; turn += 1) {
    await machine.type(text);
    const told = await machine.told(heard, { within: 4000 }).catch(() => undefined);
    if (told) return told;
  }
  await machine.type(text);
  return machine.told(heard);
}

needsPeer(kernelFolder, kernelPackages)('a keyboard of the kernel', () => {
  it('is read alone, by whatever name it comes back, within 3 s, and lets the process end (I5, I7)', async () => {
    await using machine = await startMachine(guest);
    await machine.told('listening');
    // Without a grab, everybody hears what is typed.
    expect(await typed(machine, 'x', 'overheard')).toMatchObject({ bytes: expect.any(Number) });

    expect(await machine.told('up')).toMatchObject({ second: 'EBUSY' });
    expect(await typed(machine, '4711', 'card')).toMatchObject({ number: '4711', overheard: 0 });

    await machine.pullKeyboard();
    expect(await machine.told('down')).toMatchObject({ message: expect.stringMatching(/ENODEV/) });
    const pluggedAt = performance.now();
    await machine.plugInKeyboard();
    await machine.told('up');
    expect(performance.now() - pluggedAt).toBeLessThan(3000);
    expect(await typed(machine, '0815', 'card')).toMatchObject({ number: '0815' });
    await machine.told('ended');
  });
});
