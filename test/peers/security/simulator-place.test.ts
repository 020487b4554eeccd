/** A simulator is no part of a gateway at work: it answers as a service, a printer or a reader would, and keeps no secret. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseSimulator } from '../../../src/commands/simulate/simulator-place.ts';
import { needsNamespaces, needsRoot } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/printer/samples.ts';
import { openServiceMachine, program, service } from './service-on-machine.ts';

const cgroupsWith = (...path: readonly string[]) => {
  const mount = temporaryDirectory();
  mkdirSync(join(mount, ...path), { recursive: true });
  return mount;
};

describe('beside the unit at work', () => {
  it.each(['', 'unified', 'systemd'])('no simulator starts (hierarchy %j)', (hierarchy) => {
    const mount = cgroupsWith(hierarchy, 'system.slice/platen.service');
    expect(() => refuseSimulator(mount)).toThrow(/platen\.service is running/);
  });

  it('is not beside any other unit', () => {
    expect(() => refuseSimulator(cgroupsWith('system.slice/cron.service'))).not.toThrow();
  });
});

const asOthers = (uid: number) =>
  ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', program] as const;

needsRoot()('on a machine that has the service', () => {
  needsNamespaces()('and a namespace to be it in', () => {
    it.each(['cloud', 'printer', 'reader'])(
      "platen simulate %s does not start as the service's user, nor as root",
      async (piece) => {
        using machine = openServiceMachine();
        const refused = {
          code: 1,
          stdout: '',
          stderr: expect.stringContaining("the service's user") as string,
        };
        expect(await machine.run(program, 'simulate', piece)).toMatchObject(refused);
        expect(await machine.run(...asOthers(service.uid), 'simulate', piece)).toMatchObject(refused);
      },
    );

    it('starts as anybody else', async () => {
      using machine = openServiceMachine();
      const folder = temporaryDirectory();
      chmodSync(folder, 0o777);
      const printer = machine.start(
        ...asOthers(65_534),
        'simulate',
        'printer',
        '--port',
        '0',
        '--output',
        folder,
      );
      let said = '';
      for await (const text of printer.stdout ?? []) {
        said += String(text);
        if (said.includes('uri: ipp://')) printer.kill();
      }
      expect(said).toContain('printer:\n  uri: ipp://');
    });
  });
});
