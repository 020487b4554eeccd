/** The command line as data, taken from the program itself: manual page and completions are written from it. */
import type { Argument, Command, Option } from 'commander';
import { systemClock } from '../src/core/clock.ts';
import { createProgram } from '../src/commands/command-line.ts';

export interface ProgramCommand {
  /** `platen releases show` */
  readonly name: string;
  readonly description: string;
  /** As in a synopsis: `<id>`. */
  readonly operands: readonly string[];
  readonly options: readonly ProgramOption[];
  readonly commands: readonly ProgramCommand[];
}

export interface ProgramOption {
  /** `-c` and `--config` */
  readonly names: readonly string[];
  readonly description: string;
  readonly required: boolean;
  /** `<file>`, `[terminal]`, or none. */
  readonly value: string | undefined;
  readonly choices: readonly string[];
}

export function platenProgram(): ProgramCommand {
  const stop = new AbortController().signal;
  return describeCommand(
    createProgram({ out() {}, error() {}, env: {}, clock: systemClock, stop }, () => {}),
    [],
  );
}

/** The command itself, and all below it. */
export const withAllBelow = (command: ProgramCommand): readonly ProgramCommand[] => [
  command,
  ...command.commands.flatMap(withAllBelow),
];

function describeCommand(command: Command, above: readonly string[]): ProgramCommand {
  const path = [...above, command.name()];
  const help = command.createHelp();
  return {
    name: path.join(' '),
    description: command.description(),
    operands: command.registeredArguments.map(inSynopsis),
    options: help.visibleOptions(command).map(describeOption),
    // `help` is commander's own.
    commands: help
      .visibleCommands(command)
      .filter((child) => command.commands.includes(child))
      .map((child) => describeCommand(child, path)),
  };
}

const inSynopsis = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};

const describeOption = (option: Option): ProgramOption => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  description: option.description,
  required: option.mandatory,
  value: /[<[].*$/.exec(option.flags)?.[0],
  choices: option.argChoices ?? [],
});
