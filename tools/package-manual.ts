/** The manual page platen(8): its commands and options are those of the program, the rest is written here. */
import { readFileSync } from 'node:fs';
import { exitCode, monitorCode } from '../src/commands/io.ts';
import { configPage } from './package-manual-config.ts';
import type { ProgramCommand, ProgramOption } from './package-program.ts';
import { platenProgram, withAllBelow } from './package-program.ts';
import { bold, italic, item, page, paragraph, section, subsection, text } from './package-roff.ts';

interface ManualPage {
  readonly name: string;
  readonly section: 5 | 8;
  readonly text: string;
}

export const manualPages = (release: { version: string; epoch: number }): readonly ManualPage[] => [
  { name: 'platen', section: 8, text: programPage(release) },
  {
    name: 'platen.yaml',
    section: 5,
    text: configPage({
      ...release,
      schema: JSON.parse(readFileSync('config/platen.schema.json', 'utf8')),
      example: readFileSync('systemd/debian/platen.yaml', 'utf8'),
    }),
  },
];

const exitStatus: Readonly<Record<keyof typeof exitCode, string>> = {
  ok: 'It did what it was asked to; the agent was stopped in order; all is well.',
  failed: 'It could not, or something is not well; what and why stands on standard error or in the answer.',
  notRunning: 'No agent runs that could be asked.',
  notYet:
    'platen init has written the configuration, but the device was not approved, or not ready, in the time given.',
  usage: 'A mistake in the call itself.',
  unavailable:
    'An address it listens at is taken; the engine of the fleet does not answer; or the Node.js it was started with is too old.',
  storeFailed: 'The state directory cannot be used, read or written.',
  alreadyRunning: 'Another instance owns the state directory.',
  configInvalid:
    'The configuration is invalid, or names an engine that this fleet has not; or a newer Platen has written the state directory.',
};

const signals = [
  ['TERM, INT', 'The agent takes no more badges, ends what is under way in order, and exits.'],
  ['HUP', 'The agent reads its configuration again; systemctl reload platen does the same.'],
] as const;

const files = [
  ['/etc/platen/platen.yaml', 'The configuration, see platen.yaml(5).'],
  ['/etc/platen/api-key', 'The API key of the service, which the configuration names.'],
  [
    '/var/lib/platen',
    'The state: the ledger of releases, records not yet accepted, tokens. Its owner is the identity of this device: moved to another machine, with its user, it is the same device there.',
  ],
  [
    '/opt/platen',
    'The program, with its own Node.js, examples of a configuration in config and files of the service in systemd.',
  ],
] as const;

function programPage(release: { version: string; epoch: number }): string {
  const program = platenProgram();
  const commands = withAllBelow(program).filter((command) => command.commands.length === 0);
  return page(
    { name: 'platen', section: 8, ...release },
    section('NAME', text('platen - print-release terminal agent')),
    section('SYNOPSIS', ...commands.map(synopsis)),
    section(
      'DESCRIPTION',
      text(
        'Platen stands beside a printer, knows who stands in front of it, and lets their waiting documents out.',
      ),
      text(
        'As a service it is run by systemd with the configuration in /etc/platen; the other commands look at it, help to set it up, or try parts of it alone.',
      ),
      paragraph(
        text(
          'One wish prints one document at most once. The intent is on disk before the first byte goes out; after that nothing is ever sent again by itself.',
        ),
      ),
    ),
    section('COMMANDS', ...commands.map(explain)),
    section('OPTIONS OF ALL COMMANDS', ...program.options.map(optionItem)),
    section(
      'EXIT STATUS',
      ...(Object.keys(exitStatus) as (keyof typeof exitCode)[]).map((name) =>
        item(bold(String(exitCode[name])), text(exitStatus[name])),
      ),
      paragraph(
        text(
          `check --monitor has those of monitoring plugins: ${Object.entries(monitorCode)
            .map(([state, code]) => `${code} ${state}`)
            .join(', ')}.`,
        ),
      ),
    ),
    section('SIGNALS', ...signals.map(([name, does]) => item(bold(name), text(does)))),
    section('FILES', ...files.map(([path, holds]) => item(italic(path), text(holds)))),
    section('SEE ALSO', `${bold('platen.yaml')}(5), ${bold('systemctl')}(1), ${bold('journalctl')}(1)`),
  );
}

const synopsis = ({ name, operands, options }: ProgramCommand): string =>
  [
    '.PP',
    [
      bold(name),
      ...operands.map(italic),
      ...options.filter(({ required }) => required).map(inSynopsis),
      ...(options.some(({ required }) => !required) ? [`[${italic('options')}]`] : []),
    ].join(' '),
  ].join('\n');

const inSynopsis = ({ names, value }: ProgramOption): string =>
  [bold(names[0] ?? ''), ...(value ? [italic(value)] : [])].join(' ');

const explain = ({ name, operands, description, options }: ProgramCommand): string =>
  subsection(
    [name, ...operands].join(' '),
    paragraph(text(sentence(description))),
    ...options.filter(({ names }) => !names.includes('--help')).map(optionItem),
  );

const optionItem = ({ names, value, description, choices }: ProgramOption): string =>
  item(
    [names.map(bold).join(', '), ...(value ? [italic(value)] : [])].join(' '),
    text([sentence(description), ...(choices.length > 0 ? [`One of ${choices.join(', ')}.`] : [])].join(' ')),
  );

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? '' : '.'}`;
