/** `printer.credentials` and `printer.tls` (INVARIANTS.md T12, T13). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(printer: string) {
  const file = join(folder, 'platen.yaml');
  writeFileSync(
    file,
    `cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apiKey: key }
printerNetwork: { allow: [10.0.0.0/24] }
terminals: [{ id: lobby, serialNumber: SN-1, printer: { ${printer} } }]
`,
  );
  return loadConfig(file, { PRINTER_PASSWORD: 'canary-in-environment' }).terminals[0]?.printer;
}

const at = 'uri: "ipps://10.0.0.7/ipp/print"';

it('a printer is believed by its first use or an authority, and shown no credentials, unless said', () => {
  expect(load(at)).toMatchObject({ tls: { trust: 'auto' } });
  expect(load(at)?.credentials).toBeUndefined();
});

it.each([
  ['canary-in-file', 'canary-in-file'],
  ['{ env: PRINTER_PASSWORD }', 'canary-in-environment'],
])('its password is a secret wherever it stands: %s', (source, password) => {
  const printer = load(`${at}, credentials: { username: alice, password: ${source} }`);
  expect(printer?.credentials?.password.reveal()).toBe(password);
  expect(JSON.stringify(printer) + inspect(printer, { depth: 9 })).not.toContain('canary');
});

it.each([
  ['uri: auto', 'need an address in this file'],
  ['uri: "socket://10.0.0.7"', 'need an address in this file'],
])('credentials are a mistake beside %s', (uri, message) => {
  expect(() => load(`${uri}, credentials: { username: alice, password: canary }`)).toThrow(
    `terminals[0].printer.credentials: ${message}`,
  );
});

it.each([
  ['credentials: { username: "a:b", password: canary }', 'username: must not contain a colon'],
  ['credentials: { username: alice }', 'password: is missing'],
  ['tls: { trust: none }', 'tls.trust: must be auto or ca'],
  ['tls: { caFile: missing.pem }', 'tls.caFile: cannot read'],
])('%s is a mistake', (setting, message) => {
  expect(() => load(`${at}, ${setting}`)).toThrow(message);
});
