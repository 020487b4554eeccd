/** What is remembered of a terminal's printer, in a file that the agent and a command write (INVARIANTS.md T13). */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPrinterMemory, withoutKeeping } from '../../src/store/files/printer-memory.ts';

function setUp() {
  const stateDir = mkdtempSync(join(tmpdir(), 'platen-memory-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const open = (terminal = 'annex', queue?: string) => createPrinterMemory({ stateDir, terminal, queue });
  return { open, file: join(stateDir, 'printers', 'annex.pin') };
}

const known = {
  uri: 'ipps://10.0.0.7/ipp/print',
  certificate: { fingerprint: 'AB:CD', trustedBy: 'pin' },
  identity: { uuid: 'urn:uuid:1', serialNumber: 'S1' },
} as const;

it('is kept by address, for its terminal alone, in a file that is nobody else’s to read', () => {
  const { open, file } = setUp();
  expect(open().recall('10.0.0.7:631')).toBeUndefined();
  open().keep('10.0.0.7:631', known);
  open().keep('10.0.0.8:631', { uri: 'ipp://10.0.0.8/' });
  expect(open().recall('10.0.0.7:631')).toEqual(known);
  expect(open().all()).toEqual([known, { uri: 'ipp://10.0.0.8/' }]);
  expect(open('other').all()).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is read anew each time, for the other one may have written it', () => {
  const { open } = setUp();
  const agents = open();
  agents.keep('10.0.0.7:631', known);
  const approved = { ...known, certificate: { fingerprint: 'EF', trustedBy: 'pin' } } as const;
  open().keep('10.0.0.7:631', approved);
  expect(agents.recall('10.0.0.7:631')).toEqual(approved);
});

it.each(['', '{', '[]', '{"10.0.0.7:631":{"uri":7}}'])(
  'is no empty memory when it is damaged: %j',
  (text) => {
    const { open, file } = setUp();
    open().keep('10.0.0.7:631', known);
    writeFileSync(file, text);
    expect(() => open().recall('10.0.0.7:631')).toThrow(expect.objectContaining({ code: 'state-unusable' }));
    expect(() => open().keep('10.0.0.8:631', known)).toThrow('is damaged. Remove it');
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

it('is left as it is by who only looks', () => {
  const { open } = setUp();
  withoutKeeping(open()).keep('10.0.0.7:631', known);
  expect(open().all()).toEqual([]);
});

it('is of each of two queues at one address, where somebody tells them apart', () => {
  const { open } = setUp();
  open('annex', 'cups://localhost:631/grey').keep('localhost:631', known);
  expect(open('annex', 'cups://localhost:631/colour').recall('localhost:631')).toBeUndefined();
  expect(open('annex', 'cups://localhost:631/grey').recall('localhost:631')).toEqual(known);
  expect(open().recall('localhost:631')).toBeUndefined();
  expect(open().all()).toEqual([known]);
});
