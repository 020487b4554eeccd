import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** The terminals of a file that says this of each. */
function load(...terminals: readonly object[]) {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'platen.yaml');
  writeFileSync(
    file,
    stringify({
      cloud: { baseUrl: 'https://cloud.example:7300', authUrl: 'https://cloud.example:7400', apiKey: 'key' },
      stateDir: directory.path,
      terminals: terminals.map((terminal, index) => ({
        id: `t${index + 1}`,
        serialNumber: `SN-${index + 1}`,
        printer: { uri: 'ipp://10.0.0.7/ipp/print' },
        ...terminal,
      })),
    }),
  );
  return loadConfig(file, {}).terminals;
}

describe('prompt', () => {
  it.each([
    [undefined, undefined],
    ['off', undefined],
    ['tty', { tty: '/dev/tty', wedge: false, language: 'en' }],
    ['/dev/tty2', { tty: '/dev/tty2', wedge: false, language: 'en' }],
    [{ tty: 'tty' }, { tty: '/dev/tty', wedge: false, language: 'en' }],
    [
      { tty: '/dev/pts/3', wedge: true, language: 'fr' },
      { tty: '/dev/pts/3', wedge: true, language: 'fr' },
    ],
  ])('%j is %j', (prompt, understood) => {
    const [terminal] = load(prompt === undefined ? {} : { prompt });
    expect(terminal?.prompt).toEqual(understood);
  });

  it.each(['on', 'tty2', 'dev/tty2', '/etc/passwd', { wedge: true }])('%j is a mistake', (prompt) => {
    expect(() => load({ prompt })).toThrow(
      /terminals\[0\]\.prompt: must be off, tty, or a device, for example \/dev\/tty2/,
    );
  });

  it.each(['ja', 'ar', 'xx', 1])('in %j is a mistake that names the languages there are', (language) => {
    expect(() => load({ prompt: { tty: 'tty', language } })).toThrow(/language: en or de or fr or es/);
  });

  it('may not be at one TTY for two terminals', () => {
    expect(() => load({ prompt: 'tty' }, { prompt: { tty: '/dev/tty' } })).toThrow(
      /terminals\[1\]\.prompt: is the prompt of t1 too\. Give each terminal its own TTY/,
    );
    expect(load({ prompt: '/dev/tty2' }, { prompt: '/dev/tty3' })).toHaveLength(2);
  });

  it('may not be where a reader of the terminal is opened', () => {
    const readers = [{ type: 'serial', path: '/dev/ttyS1' }];
    expect(() => load({ prompt: '/dev/ttyS1', readers })).toThrow(/is a reader of this terminal too/);
  });
});
