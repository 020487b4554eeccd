/** The options of `platen fleet keygen`, `push`, `roll`, `pause`, `resume` and `undo`. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { areSteps } from '../../config/pushed/steps.ts';
import type { Calls } from '../calls.ts';
import { configOption, wholeNumber } from '../usual-options.ts';
import type { PushOptions } from './push.ts';
import type { OrderOptions } from './roll.ts';

const keyFlag = '--key <file>';
const jsonOption = ['--json', 'print JSON instead of lines'] as const;
const watchOption = ['--watch', 'show the progress until the roll-out has finished or halted'] as const;

export function defineRollout(fleet: Command, calls: Calls): void {
  const keygen = calls.opens({
    load: async () => (await import('./keygen.ts')).keygenCommand,
    open: async (given: { readonly file: string }) => (await import('./keygen.ts')).openKeyFiles(given),
  });
  fleet
    .command('keygen <file>')
    .description('make the key pair for signing configuration: FILE, and FILE.pub for the gateways')
    .action((file: string) => keygen({ file }));
  definePush(fleet, calls);
  defineRoll(fleet, calls);
  fleet
    .command('pause')
    .description('stop the newest roll-out from reaching more gateways')
    .option(...configOption)
    .action(calls.does(async () => (await import('./pause.ts')).pauseCommand));
  fleet
    .command('resume')
    .description('continue a roll-out that was paused or has halted')
    .option(...configOption)
    .option(...watchOption)
    .action(calls.does(async () => (await import('./resume.ts')).resumeCommand));
  defineUndo(fleet, calls);
}

interface PushFlags extends Omit<PushOptions, 'texts' | 'key'> {
  readonly dir: string;
  readonly key?: string;
}

function definePush(fleet: Command, calls: Calls): void {
  const push = calls.opens({
    load: async () => (await import('./push.ts')).pushCommand,
    // Opened as the caller, because the service's user may not be able to read them.
    open: async ({ dir, key, ...given }: PushFlags): Promise<PushOptions> => {
      const { readDirectory } = await import('./directory.ts');
      return {
        ...given,
        texts: readDirectory(dir),
        key: key === undefined ? undefined : await signingKey(key),
      };
    },
  });
  fleet
    .command('push <dir>')
    .description('check a directory of configuration for every gateway, sign it, and store it in the engine')
    .option(...configOption)
    .option(keyFlag, 'the private key for signing, from keygen')
    .option('--dry-run', 'show the changes for each gateway; sign and write nothing')
    .option('--sign-again', 'sign the directory with this key even if nothing has changed in it')
    .option(...jsonOption)
    .action((dir: string, given: Omit<PushFlags, 'dir'>) => push({ ...given, dir }));
}

interface OrderFlags extends Omit<OrderOptions, 'key'> {
  readonly key: string;
}

const stepsOption = () =>
  new Option('--steps <percents>', 'the percentages of gateways, one step after the other').argParser(steps);
const soakOption = () =>
  new Option(
    '--soak <time>',
    'the time for which all gateways of a step must be healthy: 30s, 10m, 2h',
  ).argParser(soak);

const signingKey = async (file: string) => (await import('./signing-key.ts')).readSigningKey(file);

const opened = async <Flags extends OrderFlags>({ key, ...given }: Flags) => ({
  ...given,
  key: await signingKey(key),
});

function defineRoll(fleet: Command, calls: Calls): void {
  const roll = calls.opens({
    load: async () => (await import('./roll.ts')).rollCommand,
    open: (given: OrderFlags & { readonly version: number }) => opened(given),
  });
  fleet
    .command('roll')
    .argument('<version>', 'the number of the version, from push', wholeNumber)
    .description('make the gateways use a pushed version, a few of them first')
    .option(...configOption)
    .requiredOption(keyFlag, 'the private key for signing')
    .addOption(stepsOption().default([1, 10, 100], '1%,10%,100%'))
    .addOption(soakOption().default(600, '10m'))
    .option(...watchOption)
    .option(...jsonOption)
    .action((version: number, given: OrderFlags) => roll({ ...given, version }));
}

function defineUndo(fleet: Command, calls: Calls): void {
  fleet
    .command('undo')
    .description(
      'make the gateways use the previous version again, all at the same time unless --steps is given',
    )
    .option(...configOption)
    .requiredOption(keyFlag, 'the private key for signing')
    .addOption(stepsOption().default([100], '100%'))
    .addOption(soakOption().default(0, '0s'))
    .option(...watchOption)
    .option(...jsonOption)
    .action(
      calls.opens({
        load: async () => (await import('./undo.ts')).undoCommand,
        open: (given: OrderFlags) => opened(given),
      }),
    );
}

function steps(text: string): readonly number[] {
  const found = text
    .split(',')
    .map((one) => Number(/^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$/.exec(one)?.[1] ?? Number.NaN));
  if (found.length <= 20 && found.every((one) => one > 0) && areSteps(found)) return found;
  throw new InvalidArgumentError('must be percentages that rise and end with 100%, for example 1%,10%,100%.');
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const longestSoak = 604_800;

function soak(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const span = Number(count) * (units[unit] ?? Number.NaN);
  if (span <= longestSoak) return span;
  throw new InvalidArgumentError('must be a time of at most 7 days, for example 30s, 10m, 2h.');
}
