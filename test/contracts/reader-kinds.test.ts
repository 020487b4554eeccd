/** Every kind of reader of the configuration keeps the contract of all readers, in one of these suites. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ReaderType } from '../../src/config/schema/reader.ts';

const suites = {
  serial: 'reader-virtual.test.ts',
  hid: 'reader-hid.test.ts',
  pcsc: 'reader-pcsc.test.ts',
  'tcp-connect': 'reader-tcp.test.ts',
  'tcp-listen': 'reader-tcp.test.ts',
} satisfies Readonly<Record<ReaderType, string>>;

it.each(Object.entries(suites))('a reader of the kind %s keeps the contract, in %s', (_, file) => {
  expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toMatch(
    /\b(?:text)?[rR]eaderContract\(setStage/,
  );
});
