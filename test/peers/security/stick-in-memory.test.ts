/**
 * What is left of a stick that somebody brought: of its names, of the file that went to the service, and of one that did
 * not, nothing in the memory of the whole process a few seconds after the person, nor in any block of the disk at any time
 * (INVARIANTS.md I3, I4, I5; SECURITY.md, "What is kept on the machine"). Root looks.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdfFile, write } from '../../../src/simulator/sample/pdf-file.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { startProgram } from '../../support/program.ts';
import { watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, setStage } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { fatStick } from '../../support/stick/stick-images.ts';
import { foundInMemory } from '../../support/process-memory.ts';
import { mountRawDisk, needsRawDisk } from '../../support/raw-disk.ts';

const canaries = {
  folder: 'Fluegelhorn-Ordner',
  name: 'Querfloeten-Gutachten',
  'another name': 'Posaunen-Klageschrift',
  content: 'Bassklarinetten-Befund',
};

/** In all parts of a file of two megabytes: at its head, in its middle, at its end. */
const line = (y: number) => write({ text: canaries.content, x: 50, y, size: 20, color: '0 0 0' });
const drawing = Array.from({ length: 30_000 }, (_, n) => line(n % 800)).join('\n');
const bytes = pdfFile({ title: canaries.content, drawings: [drawing, line(10)] });

needsPeer('fls', 'sleuthkit')('with The Sleuth Kit', () => {
  describe('a stick that was looked at, and a file of it', () => {
    needsRawDisk();

    it('are nowhere when their person has gone', async () => {
      const device = fatStick({
        [`${canaries.folder}/${canaries.name}.pdf`]: bytes,
        [`${canaries['another name']}.pdf`]: 'no PDF at all',
      });
      await using stage = await setStage({ terminal: { stick: { device } } });
      const { cloud, configFile, folder, reader } = stage;
      cloud.state.documents = [];
      using disk = mountRawDisk(join(folder, 'state'), join(folder, 'image'));
      await using program = startProgram(['run', '-c', configFile], { cwd: folder });
      const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
      await program.logged('terminal ready');
      await program.logged('reader up');
      const page = await launchPage(stage, { kiosk });
      await using screen = await watchScreen({ kiosk }, page);
      const now = () => screen.views.at(-1);
      const shows = async (stick: object) => {
        await expect.poll(() => now()?.stick).toMatchObject(stick);
      };
      reader.tap(aliceCard);
      await shows({ stage: 'in' });
      const { generation = 0 } = now() ?? {};
      const found = () => foundInMemory(program.child.pid, canaries);
      // It was in all the time, and nobody had looked.
      expect(await found()).toEqual([]);
      await page.say({ command: 'open-stick', generation });
      await shows({ stage: 'files' });
      // Where to look is known: what is shown is there.
      expect(await found()).toEqual(expect.arrayContaining(['folder', 'name', 'another name']));
      const { edition = 0, files = [] } = now()?.stick ?? {};
      const at = (name: string) => files.findIndex((file) => file.name.startsWith(name));
      await page.say({ command: 'bring-file', file: at(canaries['another name']), edition, generation });
      await shows({ stage: 'files', why: 'unfit' });
      await page.say({ command: 'bring-file', file: at(canaries.name), edition, generation });
      await shows({ stage: 'files', name: `${canaries.name}.pdf` });
      expect(cloud.state.documents[0]?.bytes.equals(bytes)).toBe(true);
      const onDisk = () => {
        const image = disk.image();
        return Object.values(canaries).filter((one) => image.includes(one));
      };
      expect(onDisk()).toEqual([]);

      expect(await page.say({ command: 'log-out', generation })).toBe(204);
      await program.logged('session closed');
      await expect.poll(found, { interval: 1000 }).toEqual([]);
      expect(onDisk()).toEqual([]);
    });
  });
});
