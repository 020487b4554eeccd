import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepingOf } from '../../../src/commands/check/printer/printer.ts';
import { temporaryDirectory } from '../../support/printer/samples.ts';

function cupsdConf(text: string): string {
  const path = join(temporaryDirectory(), 'cupsd.conf');
  writeFileSync(path, text);
  return path;
}

it.each([
  ['PreserveJobFiles No\n', 'note'],
  ['LogLevel warn\n  preservejobfiles Off\n', 'note'],
  ['PreserveJobFiles Yes\nPreserveJobFiles 0\n', 'note'],
  ['PreserveJobFiles Yes\n', 'complaint'],
  ['PreserveJobFiles 86400\n', 'complaint'],
  ['# PreserveJobFiles No\nLogLevel warn\n', 'complaint'],
  ['', 'complaint'],
])('with %j in cupsd.conf there is a %s about the documents of this computer (D15)', async (text, kind) => {
  expect(Object.keys(await keepingOf('cups:office', cupsdConf(text)))).toEqual([kind]);
});

it.each([
  ['a file that may not be read', 'cups:office', '/nowhere/cupsd.conf'],
  ['another computer', 'cups://spool.example/office', '/nowhere/cupsd.conf'],
])('of %s it is said that it cannot be seen', async (_, uri, path) => {
  expect(await keepingOf(uri, path)).toEqual({
    note: 'PreserveJobFiles cannot be read from here. It must be No in cupsd.conf',
  });
});
