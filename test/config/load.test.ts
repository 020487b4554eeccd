import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/known-keys.ts';
import { loadConfig, loadConfigWithoutSecrets } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { makeCertificate } from '../support/certificates.ts';
import { reportInterval } from '../../src/station/reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const least = `
cloud: { baseUrl: "https://cloud.example:7300", authUrl: "https://cloud.example:7400", apiKey: canary-key }
terminals:
  - { id: lobby, serialNumber: SN-0001, printer: { uri: "ipp://10.0.0.7/ipp/print" } }
`;

const written = (text: string, name = 'platen.yaml') => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The mistakes without the file's name: `12: terminals[1].id: …`. */
function mistakesIn(text: string, env: Record<string, string> = {}): readonly string[] {
  const file = written(text);
  try {
    loadConfig(file, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.lines.map((line) => line.replace(`${file}:`, '').trim());
  }
}

it('tells mistakes in the order of the file, and asks whether a near key was meant', () => {
  expect(
    mistakesIn(`terminal: []
cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apikey: key }
log: { levle: debug }
terminals:
  - id: lobby
    serialNumber: SN-1
    printer: { uri: "ipp://10.0.0.7/", monocrome: true }
    readers: [{ type: seril, path: /dev/ttyUSB0 }, { type: serial, path: /dev/ttyUSB1, baudrate: 9600 }]
    colour: true
`),
  ).toEqual([
    '1: terminal: is not a key of this file; did you mean terminals?',
    '2: cloud.apiKey: is missing',
    '2: cloud.apikey: is not a key of this file; did you mean apiKey?',
    '3: log.levle: is not a key of this file; did you mean level?',
    '7: terminals[0].printer.monocrome: is not a key of this file; did you mean monochrome?',
    '8: terminals[0].readers[0].type: must be serial or hid or pcsc or tcp-listen or tcp-connect',
    '8: terminals[0].readers[1].baudrate: is not a key of this file; did you mean baudRate?',
    '9: terminals[0].colour: is not a key of this file',
  ]);
});

describe('a configuration with nothing but what has no default', () => {
  const config = loadConfig(written(least), { STATE_DIRECTORY: '/var/lib/platen' });

  it('gets every default of the contract, section 2', () => {
    expect(config).toMatchObject({
      cloud: { limits: 'auto' },
      device: { clientType: 'printer', poll: { firstSeconds: 5, longestSeconds: 60 } },
      stateDir: '/var/lib/platen',
      kiosk: { listen: { host: '127.0.0.1', port: 7380 } },
      operations: { listen: { host: '127.0.0.1', port: 7381 } },
      history: { unknownAfterHours: 24 },
      status: {
        report: { method: 'PUT', path: '/api/v1/outputports/{outputPortId}/terminalinfo' },
      },
      log: { level: 'info' },
    });
    expect(config.terminals[0]).toMatchObject({
      printer: { outputType: 'auto', stallSeconds: 'auto', pjl: 'auto', requireConfirmation: false },
      readers: [],
      card: { rule: { text: '', chains: [] } },
      outputPortId: 'auto',
      delivery: 'local',
      finish: 'delete',
      session: { autoRelease: 'auto', logoutTimeoutSeconds: 'auto' },
    });
  });

  it('reports the state every minute alone, every quarter of an hour in a fleet, and as often as it says', () => {
    const alone = { ...config, fleet: undefined };
    const inFleet = { ...config, fleet: {} as NonNullable<typeof config.fleet> };
    const said = { ...config.status, intervalSeconds: 5 };
    expect(reportInterval(alone)).toBe(60_000);
    expect(reportInterval(inFleet)).toBe(900_000);
    expect(reportInterval({ ...inFleet, status: said })).toBe(5_000);
  });

  it('does not print its secret (I5)', () => {
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('canary-key');
    expect(config.cloud.apiKey.reveal()).toBe('canary-key');
  });
});

describe('a secret', () => {
  const withKey = (source: string) => least.replace('apiKey: canary-key', `apiKey: ${source}`);
  writeFileSync(join(folder, 'api-key'), 'from-a-file\n');

  it.each([
    ['a file beside the configuration', '{ file: api-key }', {}, 'from-a-file'],
    ['the environment', '{ env: PLATEN_KEY }', { PLATEN_KEY: 'from-env' }, 'from-env'],
    ['systemd', '{ credential: api-key }', { CREDENTIALS_DIRECTORY: folder }, 'from-a-file'],
  ])('comes from %s', (_where, source, env, secret) => {
    expect(loadConfig(written(withKey(source)), env).cloud.apiKey.reveal()).toBe(secret);
  });

  it.each([
    ['{ file: no-such-file }', `2: cloud.apiKey: cannot read ${join(folder, 'no-such-file')} (ENOENT)`],
    ['{ env: PLATEN_KEY }', '2: cloud.apiKey: the environment variable PLATEN_KEY is not set'],
    [
      '{ credential: api-key }',
      '2: cloud.apiKey: systemd gives the credential api-key to the unit only while the unit runs. If it does not run: ' +
        'systemd-run --pipe --wait -p User=platen -p LoadCredentialEncrypted=api-key platen …',
    ],
    [
      '{ files: api-key }',
      '2: cloud.apiKey: must be a text, { file: PATH }, { env: NAME } or { credential: NAME }',
    ],
    ['" "', '2: cloud.apiKey: is empty'],
  ])('%s that cannot be had is a mistake at its key', (source, mistake) => {
    expect(mistakesIn(withKey(source))).toEqual([mistake]);
  });

  it('is not looked for where the agent and its books alone are asked; all else is checked', () => {
    const away = written(
      `${withKey('{ file: no-such-file }')}\ndevice: { sealingKey: { credential: none } }`,
    );
    expect(loadConfigWithoutSecrets(away, {}).cloud.baseUrl).toBe(
      loadConfig(written(least), {}).cloud.baseUrl,
    );
    expect(() => loadConfigWithoutSecrets(written(`${least}\ncolour: red`), {})).toThrow('colour');
    const judged = `operations: { token: { file: none }, tls: { certificateFile: own.pem, key: { file: none } } }
notify: { webhooks: [{ url: 'https://hooks.example', secret: { file: none } }] }`;
    const file = written(`${least}\n${judged}`);
    writeFileSync(join(dirname(file), 'own.pem'), makeCertificate({ commonName: 'gw' }).pem);
    expect(loadConfigWithoutSecrets(file, {}).operations.token).toBeDefined();
    expect(mistakesIn(`${least}\noperations: { token: unread }`)).toEqual([
      expect.stringContaining('operations.token: must have at least 16 characters'),
    ]);
  });

  it.each([
    ['base64', Buffer.alloc(32, 7).toString('base64')],
    ['hexadecimal', Buffer.alloc(32, 7).toString('hex')],
  ])('of 32 bytes may be %s', (_form, key) => {
    const config = loadConfig(written(`${least}\ndevice: { sealingKey: "${key}" }\n`), {});
    expect(config.device.sealingKey?.reveal()).toBe(Buffer.alloc(32, 7).toString('base64'));
  });

  it('of another length is refused without being shown', () => {
    expect(mistakesIn(`${least}\ndevice: { sealingKey: short-canary }\n`)).toEqual([
      '6: device.sealingKey: must be 32 bytes, raw, as base64 or as 64 hexadecimal digits',
    ]);
  });
});

describe("the kiosk's user (T03)", () => {
  const withUser = (user: string) => `${least}kiosk: { user: ${user} }\n`;

  it.each([
    ['root', 0],
    ['12345', 12_345],
    ['4294967294', 4_294_967_294],
  ])('%s has the uid %i', (user, uid) => {
    expect(loadConfig(written(withUser(user))).kiosk.user).toBe(uid);
  });

  it.each([
    [
      'nobody-of-that-name',
      '/etc/passwd has no user nobody-of-that-name. If the user comes from another directory, write the uid',
    ],
    ['""', 'must not be empty'],
    ['-1', 'must be at least 0'],
    ['[]', 'must be the name of a user, or a uid'],
    // (uid_t) -1 is no user's, chown(2).
    ['4294967295', 'must be at most 4294967294'],
  ])('is not %s', (user, why) => {
    expect(mistakesIn(withUser(user))).toEqual([`5: kiosk.user: ${why}`]);
  });
});

describe('a mistake is told by file, line and key path', () => {
  it('all of them at once', () => {
    const mistakes = mistakesIn(`cloud:
  baseUrl: http://cloud.example:7300
  authUrl: https://cloud.example:7400
  apiKey: { env: MISSING }
  colour: red
terminals:
  - { id: lobby, serialNumber: A, printer: { uri: "ipp://10.0.0.7/ipp/print" } }
  - { id: lobby, serialNumber: B, printer: { uri: "gopher://10.0.0.7" } }
  - { id: Lobby 2, serialNumber: C, printer: { uri: "ipp://10.0.0.7/ipp/print", stallSeconds: 4 } }
kiosk: { listen: "0.0.0.0:7380" }
status: { report: { path: "/x/{foo}" } }
`);
    expect(mistakes).toEqual([
      '2: cloud.baseUrl: http:// is allowed only for a loopback address. Write https://',
      '4: cloud.apiKey: the environment variable MISSING is not set',
      '5: cloud.colour: is not a key of this file',
      expect.stringMatching(/^8: terminals\[1\]\.printer\.uri: must be ipp:/),
      '8: terminals[1].id: "lobby" is already the id of an earlier terminal',
      '9: terminals[2].id: must be 1 to 32 of a-z, 0-9 and -',
      '9: terminals[2].printer.stallSeconds: must be at least 5',
      '10: kiosk.listen: must be a loopback address, because the page is only for this machine',
      expect.stringMatching(/^11: status\.report\.path: may contain only the placeholders/),
    ]);
  });

  it('a password that cannot stand in the address of a proxy', () => {
    const proxyUrl = 'proxyUrl: "http://user:100%sure@proxy.example:3128"';
    expect(mistakesIn(least.replace('canary-key', `canary-key, ${proxyUrl}`))).toEqual([
      '2: cloud.proxyUrl: contains a % in its user name or password. Write it as %25',
    ]);
  });

  it.each([
    ['', ['cloud.baseUrl', 'cloud.authUrl', 'cloud.apiKey']],
    [
      'cloud: {}\nterminals: [{}]',
      [
        'cloud.baseUrl',
        'cloud.authUrl',
        'cloud.apiKey',
        'terminals[0].id',
        'terminals[0].serialNumber',
        'terminals[0].printer.uri',
      ],
    ],
  ])('a missing key is named by its own path, in %j', (text, paths) => {
    const named = mistakesIn(text).map((line) => /([\w.[\]]+): is missing$/.exec(line)?.[1]);
    expect(named).toEqual(paths);
  });

  it.each([
    ['readers: [{ type: foo }]', /terminals\[0\]\.readers\[0\]\.type: /],
    ['readers: [{ type: serial, path: /dev/x, baudRate: fast }]', /readers\[0\]\.baudRate: must be a number/],
    ['outputPortId: seven', /outputPortId: must be auto or the number of an output port/],
    ['session: { autoRelease: maybe }', /session\.autoRelease: must be auto or true or false/],
    ['session: { logoutTimeoutSeconds: 5 }', /session\.logoutTimeoutSeconds: must be at least 10/],
    ['delivery: pigeon', /delivery: must be local or cloud or cloud-then-local/],
  ])('%s', (setting, mistake) => {
    expect(mistakesIn(`${least.trimEnd().replace(/ \}$/, `, ${setting} }`)}\n`)).toEqual([
      expect.stringMatching(mistake),
    ]);
  });

  it.each([
    ['cups:office', []],
    ['cups://print.example:8631/office', []],
    [
      'cups:two words',
      [expect.stringMatching(/printer\.uri: must be cups:QUEUE, cups:\/\/host\/QUEUE or cupss:/)],
    ],
    ['cups://print.example', [expect.stringMatching(/printer\.uri: must be cups:QUEUE/)]],
    [
      'windows:Office',
      [expect.stringMatching(/printer\.uri: windows: printers need Windows and the package/)],
    ],
  ])('a spooler is named as %s (T18)', (uri, mistakes) => {
    expect(mistakesIn(least.replace('ipp://10.0.0.7/ipp/print', uri))).toEqual(mistakes);
  });

  it('a card-number rule with the place of its mistake', () => {
    const ruled = (rule: string) => `${least.trimEnd().replace(/ \}$/, `, card: { rule: "${rule}" } }`)}\n`;
    expect(mistakesIn(ruled('ReverseBytes;hex2dec'))).toEqual([
      expect.stringMatching(/card\.rule: column 14: "hex2dec" must be written Hex2Dec$/),
    ]);
    expect(mistakesIn(ruled('ReverseBytes;Hex2Dec'))).toEqual([]);
  });

  it('also where the file is no YAML, twice the same key, or not there', () => {
    expect(mistakesIn('cloud: [')).toEqual(['Line 1: close the bracket before this line.']);
    expect(mistakesIn('cloud: {}\ncloud: {}')).toEqual([
      'Line 2: this key stands here twice. Write it only once.',
    ]);
    expect(() => loadConfig(join(folder, 'none.yaml'), {})).toThrow(/cannot be read \(ENOENT\)/);
  });
});

describe('what ships', () => {
  it('has the JSON Schema of the schema in use (npm run schema)', () => {
    expect(readFileSync('config/platen.schema.json', 'utf8')).toBe(configJsonSchema());
  });

  it.each(['gateway', 'kiosk'])('has an example %s.yaml that is right', (name) => {
    const text = readFileSync(`config/${name}.yaml`, 'utf8');
    writeFileSync(join(folder, 'sealing-key'), Buffer.alloc(32, 1));
    expect(mistakesIn(text, { CREDENTIALS_DIRECTORY: folder })).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'nothing but a file is read: whatever else would hold up a running agent',
  () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    for (const path of [fifo, '/dev/zero', '/dev/null']) {
      expect(() => loadConfig(path, {})).toThrow('cannot be read (not a file)');
      expect(mistakesIn(least.replace('canary-key', `{ file: ${path} }`))).toMatchObject([
        expect.stringContaining(`cannot read ${path} (not a file)`),
      ]);
    }
  },
);

it('an address of a printer holds no password', () => {
  expect(mistakesIn(least.replace('10.0.0.7', 'bob:secret@10.0.0.7'))).toEqual([
    expect.stringMatching(/printer\.uri: must not contain a user name or a password/),
  ]);
});

describe('the limits of calls', () => {
  const limited = (limits: string) =>
    least.replace('apiKey: canary-key', `apiKey: canary-key, limits: ${limits}`);

  it.each([
    ['auto', 'auto'],
    ['{ requestsPerSecond: 7 }', { requestsPerSecond: 7, burst: 100 }],
    ['{ burst: 7 }', { requestsPerSecond: 50, burst: 7 }],
    ['{}', { requestsPerSecond: 50, burst: 100 }],
  ])('may be %s', (text, limits) => {
    expect(loadConfig(written(limited(text))).cloud.limits).toEqual(limits);
  });

  it.each([
    ['{ requestsPerSecond: 0 }', '2: cloud.limits.requestsPerSecond: must be above 0'],
    ['{ requestsPerSecond: -1 }', '2: cloud.limits.requestsPerSecond: must be above 0'],
    ['{ requestsPerSecond: 10001 }', '2: cloud.limits.requestsPerSecond: must be at most 10000'],
    ['{ burst: 0 }', '2: cloud.limits.burst: must be above 0'],
    ['{ perSecond: 5 }', '2: cloud.limits.perSecond: is not a key of this file'],
    ...['50', 'often', '{ burst: 1.5 }', '{ requestsPerSecond: .nan }'].map((text) => [
      text,
      '2: cloud.limits: must be auto or { requestsPerSecond: 50, burst: 100 }',
    ]),
  ])('are not %s', (text = '', mistake = '') => {
    expect(mistakesIn(limited(text))).toEqual([mistake]);
  });
});
