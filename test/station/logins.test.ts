/** What a terminal offers for logging in, of what its configuration and the service say together. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { TerminalConfig } from '../../src/domain/terminal/terminal-config.ts';
import { StationSettings } from '../../src/station/settings.ts';
import { recordConditions } from '../support/terminal/login-world.ts';
import { recordLog } from '../support/recorded-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-logins-'));
afterAll(() => rmSync(folder, { recursive: true }));

function settingsOf(written: string, config: TerminalConfig | undefined) {
  const file = join(folder, 'platen.yaml');
  writeFileSync(
    file,
    `cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apiKey: key }
terminals: [{ id: lobby, serialNumber: SN-1, printer: { uri: "ipp://10.0.0.7/" }, ${written} }]
`,
  );
  const [terminal] = loadConfig(file, {}).terminals;
  if (!terminal) throw new Error('no terminal');
  const heard = () => (config ? { config } : {});
  return new StationSettings(terminal, {
    heard,
    conditions: recordConditions(),
    log: recordLog().log,
  });
}

const everything: TerminalConfig = { shortIdAuthentication: true, oneTimePasswordEnrollment: true };

it.each([
  ['prompt: tty', everything, { ways: ['short-id', 'password'], cardPin: false, enrollment: true }],
  ['prompt: tty', undefined, { ways: ['password'], cardPin: false, enrollment: false }],
  ['prompt: tty', { cardOnlyAuthentication: true }, { ways: [], cardPin: false, enrollment: false }],
  ['prompt: off', everything, { ways: [], cardPin: false, enrollment: false }],
  [
    'prompt: tty, login: { cardPin: on, nameOnly: true, emailOnly: true, password: false }',
    everything,
    { ways: ['short-id', 'name', 'email'], cardPin: true, enrollment: true },
  ],
  ['login: { enrollment: true }', undefined, { ways: [], cardPin: false, enrollment: true }],
] as const)('with %s and %j in the service: %j', (written, config, offer) => {
  expect(settingsOf(written, config).ofTerminal().login).toEqual(offer);
});

it.each([
  ['prompt: off', { ways: [], enrollment: false }],
  ['login: { shortId: true, password: false }', { ways: ['short-id'], enrollment: false }],
  ['prompt: tty', { ways: ['short-id', 'password'], enrollment: true }],
] as const)(
  'with %s and a kiosk page to type on, as the service says; without it as before',
  (written, before) => {
    const settings = settingsOf(written, everything);
    const forAll = written.startsWith('login') ? ['short-id'] : ['short-id', 'password'];
    for (let visits = 0; visits < 2; visits += 1) {
      expect(settings.ofTerminal().login).toMatchObject(before);
      settings.pagesAre('up');
      expect(settings.ofTerminal().login).toMatchObject({ ways: forAll, enrollment: true });
      settings.pagesAre('down');
    }
    expect(settings.ofTerminal().login).toMatchObject(before);
  },
);

it('tells where each setting comes from, whether or not there is something to type on', () => {
  const settings = settingsOf('login: { shortId: false }', { oneTimePasswordEnrollment: true });
  const { shortIdLogin, passwordLogin, cardEnrollment } = settings.current();
  expect([shortIdLogin, passwordLogin, cardEnrollment].map(({ from }) => from)).toEqual([
    'config',
    'default',
    'terminal config',
  ]);
});

it('somebody can be asked where there is a prompt, or a kiosk page to answer on', () => {
  expect(settingsOf('prompt: tty', undefined).ofTerminal().canBeAsked).toBe(true);
  const settings = settingsOf('prompt: off', undefined);
  const asked = (['up', 'down'] as const).map((pages) => {
    settings.pagesAre(pages);
    return settings.ofTerminal().canBeAsked;
  });
  expect(asked).toEqual([true, false]);
});
