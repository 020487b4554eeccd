/**
 * What a hole in the converter would find (INVARIANTS.md D10, T17): in its room the programs are there, and not what
 * lies beside them; and where no such room can be made, nothing is converted unless the administrator has said so.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { postscriptToPdf } from '../../src/printing/conversion/conversion-commands.ts';
import type { Confinement } from '../../src/printing/conversion/sandbox-room.ts';
import { taskOf } from '../contracts/sandbox.ts';
import { sandboxWith, writtenPrograms } from '../support/printer/conversion-samples.ts';
import { temporaryDirectory } from '../support/printer/samples.ts';
import { withoutLimit } from '../support/patience.ts';

/** What programs write that were put in the place of the converter's; they look around. */
async function heardIn(confinement: Confinement, atLeast: Confinement, script: (folder: string) => string) {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'api-key'), 'canary-beside-the-program', { mode: 0o644 });
  const programs = writtenPrograms(folder, script(folder));
  const sandbox = sandboxWith({ confinement, atLeast, programs });
  let heard = '';
  for await (const chunk of sandbox.run(
    { ...taskOf(Buffer.from('%!PS')), recipe: postscriptToPdf },
    withoutLimit(),
  )) {
    heard += chunk.toString();
  }
  return heard;
}

const here = await sandboxWith({ programs: { ghostscript: '/bin/sh', qpdf: '/bin/sh' } }).confinement(
  withoutLimit(),
);

describe.runIf(here === 'namespaces')('in namespaces, which this machine gives', () => {
  it('a converter that is turned sees its program, and no file that lies beside it (T17)', async () => {
    const look = (folder: string) => `cat ${folder}/api-key; ls ${folder}; echo looked`;
    const heard = await heardIn('namespaces', 'namespaces', look);
    expect(heard.split('\n')).toEqual(['gs', 'looked', '']);
  });
});

describe('a room that is weaker than the one that is asked for', () => {
  it.each<[Confinement, Confinement]>([
    ['limits', 'namespaces'],
    ['limits', 'unit'],
    ['namespaces', 'unit'],
  ])('%s where %s is the least: nothing is begun, and a sentence says why', async (room, atLeast) => {
    await expect(heardIn(room, atLeast, () => 'echo begun')).rejects.toMatchObject({
      code: 'converter-unconfined',
      message: `programs run in ${room} here, but conversion.require asks for ${atLeast}`,
    });
  });

  const configured = (conversion: string, env: Readonly<Record<string, string>> = {}) => {
    const file = join(temporaryDirectory(), 'platen.yaml');
    const cloud = 'cloud: { baseUrl: "https://a.example", authUrl: "https://b.example", apiKey: key }\n';
    writeFileSync(file, cloud + conversion);
    return loadConfig(file, env).conversion.require;
  };

  it('is asked for by the configuration, by the image of a container for its own, else namespaces are the least', () => {
    expect(configured('')).toBe('namespaces');
    expect(configured('conversion: { require: unit }')).toBe('unit');
    expect(configured('', { PLATEN_CONVERSION_ROOM: 'limits' })).toBe('limits');
    expect(configured('conversion: { require: unit }', { PLATEN_CONVERSION_ROOM: 'limits' })).toBe('unit');
    expect(() => configured('', { PLATEN_CONVERSION_ROOM: 'none' })).toThrow(/conversion\.require/);
  });
});
