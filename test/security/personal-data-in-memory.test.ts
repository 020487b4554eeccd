/**
 * What of a person stands in the memory of the whole process when they have gone: strings, buffers, what was freed, what
 * V8, OpenSSL and SQLite keep (INVARIANTS.md I3, I5; B.4, 10; SECURITY.md, "What is kept on the machine"). The program is
 * started as it is installed; root looks.
 */
import { expect, it } from 'vitest';
import type { KioskPage } from '../support/agent/kiosk-page.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { startProgram } from '../support/program.ts';
import type { Screen } from '../support/agent/screen.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { setStage } from '../support/agent/stage.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../support/agent/unmistakable-person.ts';
import { foundInMemory } from '../support/process-memory.ts';

const wrongPassword = 'Fagott-Vertippt12';

async function logIn(page: KioskPage, screen: Screen, password: string): Promise<void> {
  await expect.poll(() => screen.views.at(-1)?.offers).toContain('password');
  const { generation = 0 } = screen.views.at(-1) ?? {};
  const userName = person['user name'];
  expect(await page.say({ command: 'log-in', way: 'password', userName, password, generation })).toBe(204);
}

it('nothing that was typed, nor token, name or title, is left in the process a few seconds after the person (I5)', async () => {
  await using stage = await setStage({ cloud: { seed }, terminal: { session: { autoRelease: true } } });
  const { cloud, configFile, folder, printer, reader } = stage;
  await using program = startProgram(['run', '-c', configFile], { cwd: folder });
  const reported = async (msg: string, times: number): Promise<void> => {
    await expect.poll(() => program.stdout().split(`"${msg}"`).length - 1).toBe(times);
  };
  const found = () => {
    const tokens = [...cloud.state.accessTokens, ...cloud.state.refreshTokens].filter(
      ({ kind }) => kind === 'user',
    );
    const ofTokens = Object.fromEntries(tokens.map(({ value }, n) => [`token ${n}`, value]));
    return foundInMemory(program.child.pid, { ...person, 'wrong password': wrongPassword, ...ofTokens });
  };
  const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
  await program.logged('terminal ready');
  await program.logged('reader up');
  const page = await launchPage(stage, { kiosk });
  await using screen = await watchScreen({ kiosk }, page);

  await printer.behave({ kind: 'hold' });
  reader.tap(person['card number']);
  await printer.waitFor(() => printer.jobs.length === 1);
  // Where to look is known: what is needed is there.
  expect(await found()).toEqual(expect.arrayContaining(['full name', 'title', 'token 0', 'user name']));
  await printer.clear();
  await reported('history accepted', 2);
  await reported('session closed', 1);

  await logIn(page, screen, wrongPassword);
  await reported('login failed', 1);
  await logIn(page, screen, person.password);
  await reported('session opened', 2);
  await reported('session closed', 2);

  await expect.poll(found, { interval: 1000 }).toEqual([]);
});
