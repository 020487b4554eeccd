/** Puts the tables into the papers that are made from a source: the service's calls, the keys, the settings. `npm run papers`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { configJsonSchema } from '../src/config/known-keys.ts';
import { keysOf } from '../src/core/text/schema-keys.ts';
import { settingKeys } from '../src/simulator/cloud/settings.ts';

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-platen-used-by': readonly string[];
}

const methods = ['get', 'head', 'put', 'post', 'patch', 'delete'];
const row = (...cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const operationsOf = (): readonly (Operation & { readonly call: string })[] => {
  const { paths } = parse(readFileSync('config/platen-cloud.openapi.yaml', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      return operation ? { ...operation, call: `\`${method.toUpperCase()} ${path}\`` } : [];
    }),
  );
};

/** Of `config/platen-cloud.openapi.yaml`: the calls that Platen makes. */
export function usedCallsTable(): string {
  const rows = operationsOf()
    .filter((one) => one['x-platen-used-by'].length > 0)
    .map(({ tags, call, summary, 'x-platen-used-by': users }) =>
      row(tags.join(', '), call, summary, users.join(', ')),
    );
  return [row('resource', 'call', 'what it is', 'for'), '|---|---|---|---|', ...rows].join('\n');
}

/** All of them. */
export function callsTable(): string {
  const rows = operationsOf().map(({ tags, call, summary }) => row(tags.join(', '), call, summary));
  return [row('resource', 'call', 'what it is'), '|---|---|---|', ...rows].join('\n');
}

/** Of the JSON Schema of the configuration: a row for each key. */
export function keysTable(): string {
  const rows = keysOf(JSON.parse(configJsonSchema())).map(
    ({ path, values, default: usual, isRequired, meaning = '' }) =>
      row(
        `\`${path}\``,
        values,
        isRequired ? 'required' : usual === undefined ? '' : `\`${usual}\``,
        meaning,
      ),
  );
  return [row('key', 'value', 'default', 'what it is'), '|---|---|---|---|', ...rows].join('\n');
}

/** Of a simulated cloud: a row for each setting that a seed or `--set` may choose. */
export function settingsTable(): string {
  const rows = settingKeys().map(({ path, values, default: usual, meaning = '' }) =>
    row(`\`${path}\``, values, `\`${usual}\``, meaning),
  );
  return [row('setting', 'value', 'default', 'what it is'), '|---|---|---|---|', ...rows].join('\n');
}

/** A paper with the table between its marks made anew. */
export function withTable(text: string, name: string, table: string): string {
  const marks = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
  if (!marks.test(text)) throw new Error(`no place for the table "${name}"`);
  return text.replace(marks, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
}

export const madePapers = [
  { path: 'src/cloud/README.md', name: 'calls', table: usedCallsTable },
  { path: 'src/simulator/cloud/README.md', name: 'calls', table: callsTable },
  { path: 'systemd/configure.md', name: 'keys', table: keysTable },
  { path: 'systemd/build-against.md', name: 'settings', table: settingsTable },
];

if (import.meta.main) {
  for (const { path, name, table } of madePapers) {
    writeFileSync(path, withTable(readFileSync(path, 'utf8'), name, table()));
  }
}
