/** A developer breaks a simulated printer by a word, and mends it by another. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram } from '../support/program.ts';
import { eventually } from '../support/patience.ts';

it('platen simulate printer takes words on standard input, and an unknown one is told with the known ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-words-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using printer = startProgram(['simulate', 'printer', '--port', '0', '--output', folder]);
  const type = (line: string) => void printer.child.stdin?.write(`${line}\n`);
  await printer.printed('Type empty, jam, door, away, slow or clear');
  type('empty');
  await printer.printed('The paper tray is empty.');
  type('clear');
  await printer.printed('The printer is ready again.');
  type('fire');
  await eventually(() => {
    expect(printer.stderr()).toContain(
      'fire is not a command. The commands are: help, empty, jam, door, away',
    );
  });
  type('quit');
  expect((await printer.exited).code).toBe(0);
});
