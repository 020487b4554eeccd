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
  ok: 'The command has done its work; the agent was stopped in order; nothing is wrong.',
  failed:
    'The command could not do its work, or something is wrong. Standard error or the answer says what and why.',
  notRunning: 'No agent is running.',
  notYet:
    'platen init has written the configuration, but the device was not approved, or not ready, in time.',
  usage: 'The command line has a mistake.',
  unavailable:
    'Another program uses the address that Platen wants to listen on; the engine of the fleet does not answer; or Node.js is too old.',
  storeFailed: 'The state directory cannot be used, read or written.',
  alreadyRunning: 'Another instance owns the state directory.',
  configInvalid:
    'The configuration is invalid, or names the engine of another fleet; or a newer Platen has written the state directory.',
};

const signals = [
  ['TERM, INT', 'The agent accepts no more badges, ends its work in order, and exits.'],
  ['HUP', 'The agent reads its configuration again; systemctl reload platen does the same.'],
] as const;

const files = [
  ['/etc/platen/platen.yaml', 'The configuration, see platen.yaml(5).'],
  ['/etc/platen/api-key', 'The API key of the service. The configuration names this file.'],
  [
    '/var/lib/platen',
    'The state: the ledger of releases, history records that the service has not accepted yet, and tokens. It is the identity of this device: if you move it to another machine and keep its owner, that machine is the same device.',
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
        'Platen works beside a printer. It learns from a badge who is at the printer, and prints the documents that wait for this person.',
      ),
      text(
        'systemd runs it as a service with the configuration in /etc/platen. The other commands show its state, help to set it up, or try parts of it.',
      ),
      paragraph(
        text(
          'Platen prints a document at most once for each wish of a person. It writes the intent to disk before it sends the first byte. After that it never sends the document again by itself.',
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
          `check --monitor has the exit codes of monitoring plugins: ${Object.entries(monitorCode)
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
