/** T26: whoever opens a FIFO waits for somebody at its other end: what the service plants must not hold up root's commands. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needsNamespaces, needsRoot } from '../../support/needs.ts';
import { openServiceMachine, program } from './service-on-machine.ts';

/** timeout(1): ended by SIGTERM, or by SIGKILL where that did not end it. */
const hangs = [124, 137];

needsRoot()('T26: a FIFO that the service has planted', () => {
  needsNamespaces()('in the place of a file of the state directory', () => {
    it.each(['platen.db', 'platen.db-wal', 'platen.db-journal'])(
      'as %s holds up no command of root',
      async (name) => {
        using machine = openServiceMachine();
        if (name !== 'platen.db') machine.write(join(machine.stateDir, 'platen.db'), '');
        await machine.run('mkfifo', '-m', '666', join(machine.stateDir, name));
        const config = ['-c', machine.configFile];
        const said = (...words: readonly string[]) =>
          machine.run('timeout', '-k', '2', '40', program, ...words, ...config);
        for (const words of [
          ['releases', 'list'],
          ['outbox', 'list'],
          ['check', '--monitor'],
        ]) {
          const { code, stdout, stderr } = await said(...words);
          expect([words, hangs.includes(code)]).toEqual([words, false]);
          expect(stdout + stderr).toContain(`${name} is not a file`);
        }
        const bundle = join(machine.rootsFolder, 'bundle.tar.gz');
        expect((await said('support-bundle', '-o', bundle)).code).toBe(0);
      },
    );

    it.each([
      'starts.json',
      'ledger-closed.json',
      'ledger-head',
      'row-keys',
      'identity',
      'tokens-a',
      'timeline/2026-11-25-0001.jsonl',
    ])('as %s does not either', async (name) => {
      using machine = openServiceMachine();
      const folder = name.includes('/') ? ['mkdir', join(machine.stateDir, 'timeline')] : ['true'];
      await machine.run(folder[0] ?? 'true', ...folder.slice(1));
      await machine.run('mkfifo', '-m', '666', join(machine.stateDir, name));
      await machine.run('chown', '-R', 'platen', machine.stateDir);
      for (const words of [
        ['timeline', '--admin'],
        ['support-bundle', '-o', join(machine.rootsFolder, 'b')],
      ]) {
        const { code } = await machine.run(
          'timeout',
          '-k',
          '2',
          '40',
          program,
          ...words,
          '-c',
          machine.configFile,
        );
        expect([words, hangs.includes(code)]).toEqual([words, false]);
      }
    });
  });
});
