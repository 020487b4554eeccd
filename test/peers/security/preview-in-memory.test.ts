/**
 * What is left of a page that somebody looked at: nothing of the picture, and nothing of the document it was made of,
 * neither in the memory of the whole process a few seconds after the person, nor in any block of the disk at any time
 * (INVARIANTS.md I3, I4, I5; SECURITY.md, "What is kept on the machine"). Root looks.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageHeader } from '../../../src/kiosk/frame.ts';
import { pdfFile, write } from '../../../src/simulator/sample/pdf-file.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { startProgram } from '../../support/program.ts';
import { watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, setStage } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { foundInMemory } from '../../support/process-memory.ts';
import { mountRawDisk, needsRawDisk } from '../../support/raw-disk.ts';

/** In all parts of a document of two megabytes: at its head, in its middle, at its end. */
const canary = 'Querfloeten-Gutachten';
const line = (y: number) => write({ text: canary, x: 50, y, size: 20, color: '0 0 0' });
/** As comments, which cost no time to draw (ISO 32000-2, 7.2.4). */
const comments = Array.from({ length: 80_000 }, () => `%${canary}`).join('\n');
const bytes = pdfFile({ title: canary, drawings: [`${line(400)}\n${comments}\n${line(20)}`, line(10)] });

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  describe('a page that was looked at', () => {
    needsRawDisk();

    it('is nowhere when its person has gone, nor is the document it was made of', async () => {
      await using stage = await setStage({ terminal: { preview: 'on' } });
      const { cloud, configFile, folder, reader } = stage;
      cloud.state.documents = [];
      cloud.addDocument({ owner: 'alice', name: 'Plain.pdf', pages: 2, bytes });
      using disk = mountRawDisk(join(folder, 'state'), join(folder, 'image'));
      await using program = startProgram(['run', '-c', configFile], { cwd: folder });
      const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
      await program.logged('terminal ready');
      await program.logged('reader up');
      const page = await launchPage(stage, { kiosk });
      await using screen = await watchScreen({ kiosk }, page);
      const now = () => screen.views.at(-1);
      reader.tap(aliceCard);
      await expect.poll(() => now()?.documents?.length).toBe(1);
      const { generation = 0, documents: [{ uuid: documentUuid = '' } = {}] = [] } = now() ?? {};

      const look = async (number: number): Promise<Buffer> => {
        await page.say({ command: 'preview', documentUuid, page: number, generation });
        await expect.poll(() => now()?.preview).toMatchObject({ page: number, stage: 'shown' });
        const headers = {
          cookie: page.cookie,
          'sec-fetch-site': 'same-origin',
          [pageHeader]: page.name ?? '',
        };
        const address = `${kiosk}/t/lobby/pictures/${now()?.preview?.picture}?generation=${generation}`;
        return Buffer.from(await (await fetch(address, { headers })).arrayBuffer());
      };
      const partsOf = (png: Buffer) => [0.3, 0.6, 0.9].map((share) => piece(png, share));
      const parts = [...partsOf(await look(2)), ...partsOf(await look(1))];
      const named = Object.fromEntries(parts.map((part, n) => [`picture ${n}`, part]));
      const found = () => foundInMemory(program.child.pid, { document: canary }, named);
      // Where to look is known: what is shown is there.
      expect(await found()).toEqual(expect.arrayContaining(['picture 3', 'picture 4', 'picture 5']));
      const onDisk = () => {
        const image = disk.image();
        return [Buffer.from(canary), ...parts].filter((one) => image.includes(one));
      };
      expect(onDisk()).toEqual([]);

      expect(await page.say({ command: 'log-out', generation })).toBe(204);
      await program.logged('session closed');
      await expect.poll(found, { interval: 1000 }).toEqual([]);
      expect(onDisk()).toEqual([]);
    });
  });
});

/** Octets that stand nowhere else. */
const piece = (png: Buffer, share: number): Buffer => {
  const at = Math.floor(png.length * share);
  return png.subarray(at, at + 24);
};
