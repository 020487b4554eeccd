/** A directory of a fleet's configuration before anything of it is signed: all mistakes at once, where they stand (F15). */
import { describe, expect, it } from 'vitest';
import { ConfigInvalid } from '../../../src/config/mistakes.ts';
import type { OnRoll } from '../../../src/config/pushed/directory-check.ts';
import { checkDirectory, madeOf } from '../../../src/config/pushed/directory-check.ts';
import { textsOf } from '../../support/fleet/signed-fleet.ts';

function mistakesOf(
  files: Readonly<Record<string, string>>,
  roll: readonly OnRoll[] = [],
): readonly string[] {
  try {
    checkDirectory(textsOf(files), roll);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.lines;
    throw error;
  }
}

const lobby = (more = '') =>
  `terminals:\n  - id: lobby\n    serialNumber: SN-1\n    printer: { uri: "ipp://10.0.0.7/ipp/print" }\n${more}`;

describe('F15: a directory', () => {
  it('is checked for each gateway that it names or that is on the roll, with its site below it', () => {
    const files = {
      'base.yaml': 'log: { level: warn }\n',
      'sites/vienna.yaml': lobby(),
      'sites/porto.yaml': 'kiosk: { currency: EUR }\n',
      'gateways/a.yaml': 'site: vienna\nterminals:\n  - { id: lobby, place: Entrance }\n',
    };
    const { all } = checkDirectory(textsOf(files), [{ name: 'b', site: 'porto' }]);
    expect(all).toMatchObject([
      {
        name: 'a',
        site: 'vienna',
        isOnRoll: false,
        settings: { terminals: [{ serialNumber: 'SN-1', place: 'Entrance' }] },
      },
      {
        name: 'b',
        site: 'porto',
        isOnRoll: true,
        settings: { log: { level: 'warn' }, kiosk: { currency: 'EUR' } },
      },
    ]);
    expect(all[1]?.settings).not.toHaveProperty('terminals');
  });

  it('takes secrets that lie on the gateway, and does not judge what it cannot read', () => {
    const operations = `operations:
  listen: 0.0.0.0:7381
  token: { file: operations-token }
  tls: { certificateFile: gateway.pem, key: { file: gateway.key } }
`;
    const notify =
      'notify: { webhooks: [{ url: "https://hooks.example", secret: { file: webhook-secret } }] }\n';
    expect(mistakesOf({ 'base.yaml': operations + notify })).toEqual([]);
  });

  it('tells the mistakes of all files at once, each once, with file, line and key', () => {
    const files = {
      'base.yaml': 'log: { level: loud }\nkiosk:\n  curency: EUR\n',
      'sites/vienna.yaml': lobby('    card: { trim: maybe }\n'),
      'gateways/a.yaml': 'site: vienna\nterminals:\n  - { id: annex, serialNumber: SN-2 }\n',
      'gateways/b.yaml': 'site: vienna\n',
    };
    expect(mistakesOf(files)).toEqual([
      'base.yaml:1: log.level: must be trace or debug or info or warn or error or fatal',
      'base.yaml:3: kiosk.curency: is not a key of this file; did you mean currency?',
      'sites/vienna.yaml:5: terminals[0].card.trim: must be auto or zeros or off',
      'gateways/a.yaml:3: terminals[1].printer.uri: is missing',
    ]);
  });

  it('refuses what belongs in the own file, and secrets in clear', () => {
    const secrets = [
      'fleet: { site: x }',
      'stateDir: /tmp',
      'device: { clientId: me, sealingKey: { file: k } }',
      'cloud: { apiKey: a-secret, proxyUrl: { env: PROXY } }',
    ];
    expect(
      mistakesOf({ 'base.yaml': `${secrets.join('\n')}\n` }).map((line) =>
        line.split(': ').slice(0, 2).join(': '),
      ),
    ).toEqual([
      'base.yaml:1: fleet',
      'base.yaml:2: stateDir',
      'base.yaml:3: device.clientId',
      'base.yaml:3: device.sealingKey',
      'base.yaml:4: cloud.apiKey',
      'base.yaml:4: cloud.proxyUrl',
    ]);
    expect(mistakesOf({ 'base.yaml': 'cloud: { apiKey: a-secret }\n' })[0]).not.toContain('a-secret');
  });

  it.each([
    ['{ file: api-key }', 0],
    ['{ file: secrets/api-key }', 0],
    ['{ credential: api-key }', 0],
    ['{ file: /etc/shadow }', 1],
    ['{ file: ../../etc/shadow }', 1],
    ['{ file: secrets/../../shadow }', 1],
    ['{ file: .. }', 1],
  ])('lets a secret be named in the folder of the own file and nowhere else: %s', (where, count) => {
    expect(mistakesOf({ 'base.yaml': `cloud: { apiKey: ${where} }\n` })).toHaveLength(count);
  });

  it('tells of YAML that is none, of keys that are there twice, and of aliases without end', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
      'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]',
      'd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]',
    ];
    expect(
      mistakesOf({
        'base.yaml': 'log: { level: warn }\nlog: { level: info }\n',
        'sites/a.yaml': `${bomb.join('\n')}\n`,
        'gateways/b.yaml': '- a list\n',
        'gateways/c.yaml': 'site: ../../etc\n',
      }),
    ).toEqual([
      'base.yaml: Line 2: this key stands here twice. Write it only once.',
      'sites/a.yaml: It has more than 100 aliases (*name). Write the values out.',
      'gateways/b.yaml: must contain keys of platen.yaml with their values',
      'gateways/c.yaml:1: site: must be the name of a site',
    ]);
  });

  it('may name every secret that lies on the gateway, whatever that has to be', () => {
    const base = `
operations:
  token: { file: operations-token }
  tls: { certificateFile: /etc/platen/gateway.pem, key: { file: gateway.key } }
  otlp: { url: "https://collector.example", headers: { Authorization: { credential: otlp } } }
notify:
  webhooks: [{ url: "https://hooks.example", secret: { file: webhook-secret } }]
`;
    expect(mistakesOf({ 'base.yaml': base }, [{ name: 'a', site: 'main' }])).toEqual([]);
  });

  it('asks nothing of the machine on which it is checked', () => {
    const files = {
      'base.yaml': 'cloud: { caFile: /nowhere/ca.pem }\nkiosk: { user: platen-kiosk }\n',
      'gateways/a.yaml': `${lobby()}    readers: [{ type: serial, path: /dev/ttyNowhere }]\n`,
    };
    expect(mistakesOf(files)).toEqual([]);
  });

  it('gives one text for one content, whatever order its keys came in', () => {
    const stamp = { fleet: '6f3a4a52-1111-4222-8333-944445555666', version: 1, madeAt: '' };
    const made = (text: string) => madeOf(checkDirectory(textsOf({ 'base.yaml': text }), []), stamp);
    expect(made('log: { level: warn }\nkiosk: { currency: EUR }\n')).toEqual(
      made('# a remark\nkiosk:\n  currency: EUR\nlog:\n  level: warn\n'),
    );
  });
});
