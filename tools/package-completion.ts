/**
 * What bash, zsh and fish complete after `platen`: commands, options, and files where an option takes one. Each finds
 * out which command is meant by the words before the cursor, then offers what that command has.
 */
import type { ProgramCommand, ProgramOption } from './package-program.ts';
import { platenProgram, withAllBelow } from './package-program.ts';

/** By their places below /usr/share. */
export function completions(): ReadonlyMap<string, string> {
  const commands = withAllBelow(platenProgram());
  return new Map([
    ['bash-completion/completions/platen', forBash(commands)],
    ['zsh/vendor-completions/_platen', forZsh(commands)],
    ['fish/vendor_completions.d/platen.fish', forFish(commands)],
  ]);
}

type Commands = readonly ProgramCommand[];

const lastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);
const takesFile = ({ value }: ProgramOption): boolean => /file|folder|path/.test(value ?? '');
const mustHaveValue = ({ value }: ProgramOption): boolean => value?.startsWith('<') ?? false;

/** `'platen check' | 'platen run'`: all below the program itself. */
const known = (commands: Commands, separator: string): string =>
  commands
    .slice(1)
    .map(({ name }) => quoted(name))
    .join(separator);

/** `COMMAND OPTION` for each such option of each command, as a pattern of the shell; one that never fits where there is none. */
const optionsWhere = (commands: Commands, fits: (option: ProgramOption) => boolean): string =>
  commands
    .flatMap(({ name, options }) =>
      options.filter(fits).flatMap(({ names }) => names.map((option) => quoted(`${name} ${option}`))),
    )
    .join(' | ') || "''";

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const forBash = (commands: Commands): string => `# What bash completes after platen(8).
_platen() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at=platen words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${known(commands, ' | ')}) at="$at $word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
    ${optionsWhere(commands, (option) => mustHaveValue(option) && takesFile(option))})
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      return
      ;;
    ${optionsWhere(commands, (option) => mustHaveValue(option) && !takesFile(option))}) return ;;
  esac
  case "$at" in
${commands.map((command) => `    ${quoted(command.name)}) words=${quoted(wordsOf(command).join(' '))} ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _platen platen
`;

const wordsOf = ({ commands, options }: ProgramCommand): string[] => [
  ...commands.map(({ name }) => lastWord(name)),
  ...options.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))),
];

const forZsh = (commands: Commands): string => `#compdef platen
# What zsh completes after platen(8).
local at=platen word
local -a offered
for word in \${words[2,CURRENT-1]}; do
  case "$at $word" in
    ${known(commands, ' | ')}) at="$at $word" ;;
  esac
done
case "$at \${words[CURRENT-1]}" in
  ${optionsWhere(commands, (option) => mustHaveValue(option) && takesFile(option))}) _files; return ;;
  ${optionsWhere(commands, (option) => mustHaveValue(option) && !takesFile(option))}) _message value; return ;;
esac
case "$at" in
${commands.map((command) => `  ${quoted(command.name)}) offered=(\n${inZsh(command)}\n  ) ;;`).join('\n')}
esac
_describe 'platen' offered
`;

const inZsh = ({ commands, options }: ProgramCommand): string =>
  [
    ...commands.map(({ name, description }) => `${lastWord(name)}:${description}`),
    ...options.flatMap(({ names, description }) => names.map((name) => `${name}:${description}`)),
  ]
    .map((line) => `    ${quoted(line)}`)
    .join('\n');

const forFish = (commands: Commands): string => `# What fish completes after platen(8).
function __platen_at
    set -l at platen
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${known(commands, ' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c platen -f
${commands.flatMap(inFish).join('\n')}
`;

const inFish = ({ name, commands, options }: ProgramCommand): string[] => {
  const here = `complete -c platen -n ${forFishQuoted(`__platen_at ${name}`)}`;
  return [
    ...commands.map((child) => `${here} -a ${lastWord(child.name)} -d ${forFishQuoted(child.description)}`),
    ...options.map((option) => {
      const names = option.names.map((name_) => name_.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '));
      const value = mustHaveValue(option) ? [takesFile(option) ? '-rF' : '-x'] : [];
      return [here, ...names, ...value, '-d', forFishQuoted(option.description)].join(' ');
    }),
  ];
};

const forFishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
