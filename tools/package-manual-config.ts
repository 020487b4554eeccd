/** The manual page platen.yaml(5): every key with its values, default and meaning, from the JSON Schema. */
import type { Key } from '../src/core/text/schema-keys.ts';
import { keysOf } from '../src/core/text/schema-keys.ts';
import type { Page } from './package-roff.ts';
import { bold, item, literal, page, paragraph, section, text } from './package-roff.ts';

export function configPage(
  options: Pick<Page, 'version' | 'epoch'> & { readonly schema: unknown; readonly example: string },
): string {
  const keys = keysOf(options.schema);
  return page(
    { name: 'platen.yaml', section: 5, ...options },
    section('NAME', text('platen.yaml - configuration of the print-release terminal agent')),
    section(
      'DESCRIPTION',
      text(
        'The configuration is one YAML 1.2 file. Platen checks the whole file before it starts. If a key is unknown or wrong, Platen does not start, and prints the line and the path of the key.',
      ),
      paragraph(
        text(
          'You can write a secret into the file itself, or write { file: PATH } with a path relative to this file, { env: NAME }, or { credential: NAME } for LoadCredential= of systemd.exec(5).',
        ),
      ),
    ),
    section('EXAMPLE', text('The file of the package. You fill in three answers:'), literal(options.example)),
    section(
      'KEYS',
      text('[] means each entry of a list. A required key must be present if its section is present.'),
      ...keys.map(explain),
    ),
    section('SEE ALSO', `${bold('platen')}(8), ${bold('systemd.exec')}(5)`),
  );
}

const explain = ({ path, values, default: usual, isRequired, meaning }: Key): string =>
  item(
    bold(path),
    text(
      [
        values,
        ...(isRequired ? ['required'] : []),
        ...(usual === undefined ? [] : [`default ${usual}`]),
      ].join('; '),
    ),
    ...(meaning === undefined ? [] : ['.br', text(`${meaning}.`)]),
  );
