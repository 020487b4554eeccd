/**
 * Platen on Windows, as far as wine has it: one life of a machine, told in steps. How far that is: test/README.md, "What is not
 * tested".
 */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Windows } from '../../machines/windows.ts';
import { openWindows } from '../../machines/windows.ts';
import type { Stage } from '../../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../../support/agent/stage.ts';
import { needsNamespaces, needsPeer } from '../../support/needs.ts';
import type { Program } from '../../support/program.ts';

/** What install.md has the wrapper of a service run. */
const [, serviceLine = ''] =
  /^ +-- C:\\Platen\\(node\.exe .*)$/m.exec(readFileSync('systemd/install.md', 'utf8')) ?? [];
const configFile = 'C:\\ProgramData\\Platen\\platen.yaml';

needsNamespaces()('with namespaces of its own', () => {
  needsPeer('mmdebstrap', 'mmdebstrap')('Platen on Windows', () => {
    const opened = new AsyncDisposableStack();
    let stage: Stage;
    let windows: Windows;
    let agent: Program;

    function configure(changes: object): void {
      const usual = parse(readFileSync(stage.configFile, 'utf8')) as { terminals: object[] };
      const terminals = usual.terminals.map((terminal) => ({ ...terminal, ...changes }));
      const config = { ...usual, stateDir: 'C:\\ProgramData\\Platen\\state', terminals };
      writeFileSync(join(windows.drive, 'ProgramData/Platen/platen.yaml'), stringify(config));
    }
    const command = (...args: readonly string[]) => windows.run('node.exe', 'dist\\main.js', ...args);
    const begin = async (...words: readonly string[]) => {
      agent = opened.use(windows.start('node.exe', ...words));
      await agent.logged('terminal ready');
    };
    const beginService = () => begin(...serviceLine.split(' ').slice(1));
    const endInOrder = async () => {
      agent.child.stdin?.write('INT\n');
      expect(await agent.exited).toEqual({ code: 0, signal: null });
    };

    beforeAll(async () => {
      stage = opened.use(
        await setStage({
          terminal: {
            session: { autoRelease: true },
            readers: [{ type: 'serial', path: 'COM3' }],
          },
        }),
      );
      windows = opened.use(await openWindows({ com3: realpathSync(stage.reader.path) }));
      configure({});
    });
    afterAll(() => opened.disposeAsync());

    it('is started by the line of a service, and lets a document out by a badge at COM3, unchanged and once (I1, I2)', async () => {
      await beginService();
      await agent.logged('reader up');
      stage.reader.tap(bobCard);
      expect(await agent.logged('release ended')).toMatchObject({ outcome: 'completed' });
      await agent.logged('history accepted');
      expect(stage.printer.outputs).toHaveLength(1);
      expect(stage.cloud.deviations).toEqual([]);
    });

    it('says nothing of modes, which are no access rights there', () => {
      expect(agent.stdout()).not.toContain('open to other users');
    });

    it('keeps a second agent off its state directory', async () => {
      const { code, said } = await command('run', '-c', configFile);
      expect([code, said]).toEqual([75, expect.stringContaining('another Platen is running')]);
    });

    it.each([
      ['status', /lobby +ready +ready +up/],
      ['check', /^ok +agent +.*answers/m],
      ['reload', /Nothing has changed/],
      ['releases list', /completed +lobby/],
      ['outbox list', /no record waits/],
      ['timeline', /Session opened/],
      ['log-level debug --minutes 1', /logs at debug for 1 min/],
      ['support-bundle -o C:\\ProgramData\\Platen\\bundle.tar.gz', /log-agent\.jsonl/],
    ])('`platen %s` is answered over the named pipe of the agent', async (words, fits) => {
      const { code, said } = await command(...words.split(' '), '-c', configFile);
      expect([code, said]).toEqual([0, expect.stringMatching(fits)]);
    });

    it('reads its configuration again, and refuses a wrong one', async () => {
      configure({ session: { autoRelease: false } });
      expect((await command('reload', '-c', configFile)).said).toContain('reloaded: ');
      configure({ session: { colour: 'red' } });
      expect(await command('reload', '-c', configFile)).toMatchObject({
        code: 78,
        said: expect.stringContaining('The earlier configuration is still used'),
      });
      configure({});
    });

    it('is there again after it was killed, ends in order by Ctrl-C, and starts again', async () => {
      agent.child.stdin?.write('KILL\n');
      await agent.exited;
      await beginService();
      expect(await agent.logged('agent started')).toMatchObject({ afterCrash: true });
      await endInOrder();
      await beginService();
      expect(await agent.logged('agent started')).toMatchObject({ afterCrash: false });
      await endInOrder();
    });

    it('hands a document to the package that prints on Windows, whole and once, and leaves nothing in clear (I1, I2, I4)', async () => {
      configure({ printer: { uri: 'windows:Office' } });
      writeFileSync(join(windows.drive, 'Platen/stand-in.cjs'), standIn);
      await begin('--require', 'C:\\Platen\\stand-in.cjs', 'dist\\main.js', 'run', '-c', configFile);
      const documents = stage.cloud.state.documents.filter(({ owner }) => owner === 'alice');
      const sums = documents.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
      await agent.logged('reader up');
      stage.reader.tap(aliceCard);
      expect(await agent.logged('session closed')).toMatchObject({ documents: 2, unknown: 0, notPrinted: 0 });
      expect(await readdir(join(windows.drive, 'ProgramData/Platen/state/plain'))).toEqual([]);
      await endInOrder();
      const spooled = (await readFile(join(windows.drive, 'spooled.jsonl'), 'utf8')).trim().split('\n');
      expect(spooled.map((line) => (JSON.parse(line) as { sha256: string }).sha256)).toEqual(sums);
      expect(spooled).toEqual(spooled.map(() => expect.stringContaining('["-print-to","Office","-silent"')));
    });
  });
});

/**
 * For Powershell.exe and SumatraPDF, which wine has not: what the package asks for is written down, with the file's sum.
 */
const standIn = `
const child = require('node:child_process');
const { promisify } = require('node:util');
const { createHash } = require('node:crypto');
const { appendFileSync, readFileSync } = require('node:fs');
const printers = 'DeviceID           : Office\\r\\nName               : Office\\r\\nPrinterPaperNames  : {A4, Letter}\\r\\n';
const { execFile } = child;
child.execFile = Object.assign((...args) => execFile(...args), {
  [promisify.custom]: async (program, args) => {
    if (program === 'Powershell.exe') return { stdout: printers };
    const sha256 = createHash('sha256').update(readFileSync(args.at(-1))).digest('hex');
    appendFileSync('C:\\\\spooled.jsonl', JSON.stringify({ args: args.slice(0, -1), sha256 }) + '\\n');
    return { stdout: '' };
  },
});
`;
