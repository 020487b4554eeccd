/** One look at pcscd, as `platen check` takes it. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { lookForReader } from '../../src/readers/pcsc/pcsc.ts';
import { acr, pcscd } from '../contracts/pcsc-stage.ts';

describe('a look at pcscd', () => {
  it.each<[string, string | undefined, object, RegExp]>([
    ['finds the reader there is', undefined, {}, /^ACS ACR122U PICC Interface 00 00$/],
    ['finds the reader that is named', 'ACS*', {}, /^ACS/],
    ['names those there are instead', 'HID*', {}, /no reader named HID\*, but ACS ACR122U PICC/],
    ['finds a reader that is broken', undefined, { bits: 1 }, /cannot talk to ACS/],
    ['finds none', undefined, { name: '' }, /shows no reader; check its cable/],
    ['shows nothing that does not print', undefined, { name: 'A\u001b[2J' }, /^A\?\[2J$/],
  ])('%s', async (_, reader, settings, answer) => {
    const daemon = pcscd();
    Object.assign(daemon.readers[0] ?? {}, settings);
    await daemon.start();
    const look = lookForReader({ socket: daemon.path, reader, clock: systemClock });
    expect(await look.catch((error: Error) => error.message)).toMatch(answer);
    expect(daemon.readers[0]?.name).toBe('name' in settings ? settings.name : acr);
  });

  it('says that pcscd does not run', async () => {
    const look = lookForReader({ socket: pcscd().path, reader: undefined, clock: systemClock });
    await expect(look).rejects.toThrow('systemctl start pcscd.socket');
  });
});
