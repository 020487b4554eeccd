import { describe, expect, it } from 'vitest';
import { keysOfSettings, redactedSettings, secretsOfSettings } from '../../src/config/redacted.ts';

const settings = {
  cloud: {
    baseUrl: 'https://cloud.example:7300',
    apiKey: 'canary-api-key',
    proxyUrl: { env: 'PROXY' },
    fallbacks: [{ baseUrl: 'https://other.example', apiKey: 'canary-fallback' }],
  },
  device: { sealingKey: { credential: 'sealing-key' }, description: 'Lobby gateway' },
  kiosk: { support: 'mailto:archer@canary.example?subject={reference}' },
  terminals: [
    {
      id: 'lobby',
      printer: {
        uri: 'ipps://10.0.0.7/ipp/print',
        credentials: { username: 'canary-account', password: { file: 'password' } },
        monochrome: true,
      },
      readers: [{ type: 'serial', path: '/dev/ttyUSB0', baudRate: 9600 }],
      canaryKey: { deep: ['canary-unknown'] },
    },
  ],
};

describe('a configuration for others to see', () => {
  it('has every secret replaced, as the schema knows them, and says where the others are (I5)', () => {
    expect(redactedSettings(settings)).toEqual({
      cloud: {
        baseUrl: 'https://cloud.example:7300',
        apiKey: '[secret]',
        proxyUrl: { env: 'PROXY' },
        fallbacks: [{ baseUrl: 'https://other.example', apiKey: '[secret]' }],
      },
      device: { sealingKey: { credential: 'sealing-key' }, description: 'Lobby gateway' },
      kiosk: { support: '[secret]' },
      terminals: [
        {
          id: 'lobby',
          printer: {
            uri: 'ipps://10.0.0.7/ipp/print',
            credentials: { username: '[secret]', password: { file: 'password' } },
            monochrome: true,
          },
          readers: [{ type: 'serial', path: '/dev/ttyUSB0', baudRate: 9600 }],
          canaryKey: '[secret]',
        },
      ],
    });
  });

  it.each([
    ['a list', ['canary-1']],
    ['a key that names no place', { text: 'canary-1' }],
    ['a number', 12345678],
  ])('does not show %s where a secret belongs', (_, apiKey) => {
    expect(redactedSettings({ cloud: { apiKey } })).toEqual({ cloud: { apiKey: '[secret]' } });
  });

  it('with mistakes shows its keys alone, and what is no key not even as one', () => {
    expect(
      keysOfSettings({ cloud: { apiKey: 'canary', 'apiKey canary': null }, terminals: [{ id: 1 }, true] }),
    ).toEqual({
      cloud: { apiKey: '[a string]', '[no key]': '[nothing]' },
      terminals: [{ id: '[a number]' }, '[a boolean]'],
    });
  });

  it('tells which values to look for elsewhere: secrets, and what stands at no known key', () => {
    expect(secretsOfSettings(settings)).toEqual([
      'canary-api-key',
      'canary-fallback',
      'mailto:archer@canary.example?subject={reference}',
      'canary-account',
      'canary-unknown',
    ]);
  });

  it.each([undefined, null, 'canary', ['canary']])('may be no mapping at all: %j', (odd) => {
    expect(JSON.stringify([redactedSettings(odd), keysOfSettings(odd)])).not.toContain('canary');
    expect(() => secretsOfSettings(odd)).not.toThrow();
  });
});
