import { describe, expect, it } from 'vitest';
import type { OutputPort } from '../../src/domain/output-port.ts';
import type {
  AdoptedSettings,
  LocalSettings,
  SettingSource,
} from '../../src/domain/terminal/terminal-settings.ts';
import { adopt } from '../../src/domain/terminal/terminal-settings.ts';

const port = (facts: Partial<OutputPort>): OutputPort => ({ id: 7, name: 'Lobby', ...facts });

describe('a setting', () => {
  const everything: [keyof AdoptedSettings, LocalSettings, Partial<OutputPort>, unknown, unknown, unknown][] =
    [
      ['outputType', { outputType: 'ps3' }, { outputType: 'pdf' }, 'ps3', 'pdf', 'auto'],
      ['autoRelease', { autoRelease: false }, { autoRelease: true }, false, true, false],
      ['logoutTimeoutSeconds', { logoutTimeoutSeconds: 20 }, { logoutTimeoutSeconds: 90 }, 20, 90, 60],
      ['monochrome', { monochrome: false }, { monochrome: true }, false, true, false],
      ['sendUsername', { sendUsername: false }, { sendUsername: true }, false, true, false],
      [
        'softwareCopyCollation',
        { softwareCopyCollation: false },
        { softwareCopyCollation: true },
        false,
        true,
        false,
      ],
      ['isReverseFinisher', { isReverseFinisher: false }, { isReverseFinisher: true }, false, true, false],
      ['trimCardId', { trimCardId: false }, { trimCardId: true }, false, true, false],
      [
        'decimalFormatForCardIds',
        { decimalFormatForCardIds: false },
        { decimalFormatForCardIds: true },
        false,
        true,
        false,
      ],
    ];

  it.each(everything)(
    '%s is the local one, else the output port’s, else the default',
    (name, local, facts, ...values) => {
      const found = [
        adopt({ local, port: port(facts) })[name],
        adopt({ local: {}, port: port(facts) })[name],
        adopt({ local: {}, port: port({}) })[name],
      ];
      const sources: SettingSource[] = ['config', 'output port', 'default'];
      expect(found).toEqual(values.map((value, at) => ({ value, from: sources[at] })));
    },
  );

  const cardsOnly = { cardOnlyAuthentication: true, shortIdAuthentication: true };
  it.each([
    ['shortIdLogin', {}, undefined, false, 'default'],
    ['shortIdLogin', {}, { shortIdAuthentication: true }, true, 'terminal config'],
    ['shortIdLogin', {}, cardsOnly, false, 'terminal config'],
    ['shortIdLogin', { shortIdLogin: true }, cardsOnly, true, 'config'],
    ['passwordLogin', {}, undefined, true, 'default'],
    ['passwordLogin', {}, cardsOnly, false, 'terminal config'],
    ['passwordLogin', {}, { cardOnlyAuthentication: false }, true, 'terminal config'],
    ['passwordLogin', { passwordLogin: false }, undefined, false, 'config'],
    ['cardEnrollment', {}, undefined, false, 'default'],
    ['cardEnrollment', {}, { oneTimePasswordEnrollment: true }, true, 'terminal config'],
    ['cardEnrollment', { cardEnrollment: false }, { oneTimePasswordEnrollment: true }, false, 'config'],
    ['developerLog', {}, undefined, false, 'default'],
    ['developerLog', {}, { developerLogEnabled: true }, true, 'terminal config'],
  ] as const)('%s with %j here and %j in the service is %j (%s)', (name, local, config, value, from) => {
    expect(adopt({ local, config })[name]).toEqual({ value, from });
  });

  it('that only the service knows is shown with its source', () => {
    const said = adopt({
      local: {},
      port: port({ active: false, ipReaderAddress: '10.0.0.9', services: { PRINT: [1] } }),
      config: { printEnabled: false, oneTimePasswordEnrollment: true, shortIdAuthentication: true },
    });
    expect(said).toMatchObject({
      active: { value: false, from: 'output port' },
      ipReaderAddress: { value: '10.0.0.9', from: 'output port' },
      services: { value: { PRINT: [1] }, from: 'output port' },
      printEnabled: { value: false, from: 'terminal config' },
      oneTimePasswordEnrollment: { value: true, from: 'terminal config' },
      cardOnlyAuthentication: { value: false, from: 'default' },
      shortIdAuthentication: { value: true, from: 'terminal config' },
    });
  });

  it('without a word of the service leaves the terminal at work', () => {
    const { active, printEnabled } = adopt({ local: {} });
    expect([active, printEnabled]).toEqual([
      { value: true, from: 'default' },
      { value: true, from: 'default' },
    ]);
  });
});

it.each([
  [undefined, 60],
  [0, 60],
  [1, 10],
  [10, 10],
  [180, 180],
  [86_400, 3600],
])('a logoutTimeout of %s s is %d s (src/cloud/README.md 12, row 20)', (logoutTimeoutSeconds, used) => {
  expect(adopt({ local: {}, port: port({ logoutTimeoutSeconds }) }).logoutTimeoutSeconds.value).toBe(used);
});

describe('the printer', () => {
  const of = (facts: Partial<OutputPort>, local: LocalSettings = {}) => {
    const { printProtocol, printerUri } = adopt({ local, port: port(facts) });
    return [printProtocol.value, printerUri.value, printerUri.from];
  };

  it.each([
    [{ printProtocol: 'ipp', printerIppUrl: 'ipp://p/x', address: 'q' }, ['ipp', 'ipp://p/x', 'output port']],
    [{ printProtocol: 'ipp', address: '10.0.0.7' }, ['ipp', 'ipp://10.0.0.7:631/ipp/print', 'output port']],
    [{ address: 'printer.example' }, ['ipp', 'ipp://printer.example:631/ipp/print', 'output port']],
    [{ address: '2001:db8::7' }, ['ipp', 'ipp://[2001:db8::7]:631/ipp/print', 'output port']],
    [{ printProtocol: 'tcp', address: '10.0.0.7' }, ['tcp', 'socket://10.0.0.7:9100', 'output port']],
    [{ printProtocol: 'spooler', address: '10.0.0.7' }, ['spooler', '', 'default']],
    [{ printProtocol: 'ipp' }, ['ipp', '', 'default']],
    [{ address: '10.0.0.7/evil?x=' }, ['ipp', 'ipp://10.0.0.7%2Fevil%3Fx%3D:631/ipp/print', 'output port']],
  ] as const)('of %j is %j (src/cloud/README.md 12, row 27)', (facts, found) => {
    expect(of(facts)).toEqual(found);
  });

  it('is the configured one whatever the port says', () => {
    const facts = { printProtocol: 'tcp', address: '10.0.0.9' } as const;
    expect(of(facts, { printerUri: 'ipp://10.0.0.7/ipp/print' })).toEqual([
      'ipp',
      'ipp://10.0.0.7/ipp/print',
      'config',
    ]);
  });
});
