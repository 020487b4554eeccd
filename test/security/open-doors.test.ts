/**
 * What may be set around Platen by mistake, or to look into it: a debugger, TLS that is not checked, Node's own reports
 * (INVARIANTS.md T22, T32). No command begins with such a thing, whichever it is; a new one is asked here by itself.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram, runCommandLine } from '../../src/commands/command-line.ts';
import { refuseOpenDoors } from '../../src/commands/open-doors.ts';
import { silentIo } from '../support/command-here.ts';
import { startProgram } from '../support/program.ts';

/** Of each command what it must be given, and nothing that it could do anything with. */
function callsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => callsOf(one, [...path, one.name()]));
  const needed = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap(({ long }) => [long ?? '', '/nonexistent']);
  return [
    [
      ...path,
      ...needed,
      ...command.registeredArguments
        .filter(({ required }) => required)
        .map(({ argChoices }) => argChoices?.[0] ?? '17'),
    ],
  ];
}

const calls = callsOf(createProgram(silentIo, () => {}));

describe('no command begins', () => {
  it.each(calls.map((call) => [call.join(' '), call] as const))(
    'where certificates would not be checked: platen %s (T22)',
    async (_, call) => {
      const said: string[] = [];
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      const code = await runCommandLine(call, { ...silentIo, env, error: (text) => void said.push(text) });
      expect([code, said.join()]).toEqual([
        78,
        expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED is set'),
      ]);
    },
  );

  it.each(['NODE_OPTIONS', 'NODE_DEBUG', 'OPENSSL_CONF'])('with %s set (T32)', (name) => {
    expect(() => refuseOpenDoors({ [name]: 'anything' }, [])).toThrow(`${name} is set`);
    expect(() => refuseOpenDoors({ [name]: '' }, [])).not.toThrow();
  });

  it.each(['--inspect=127.0.0.1:0', '--tls-min-v1.0', '--tls-keylog=/tmp/k', '--report-on-signal'])(
    'in a Node that was started with %s (T32)',
    async (option) => {
      const args = [option, 'tools/platen.js', 'card', 'convert', '17'];
      const refusal = await promisify(execFile)('node_modules/.bin/node', args).catch(
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('Node was started with') as string,
      });
    },
  );
});

it('objects have no __proto__ in the program as it is started (T23, T32)', async () => {
  await using program = startProgram(['simulate', 'printer', '--port', '0']);
  await program.printed('ipp://');
  expect(readFileSync(`/proc/${program.child.pid}/cmdline`, 'utf8').split('\0')).toContain(
    '--disable-proto=delete',
  );
});
