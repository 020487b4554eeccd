/** `FIGURES.md`: a section for each table with the machine and the day. A table that is measured anew takes its old place. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Measurement } from './figures.ts';
import { verdict } from './figures.ts';

const page = fileURLToPath(new URL('FIGURES.md', import.meta.url));

const opening = `# Figures

\`npm run bench\` makes this page, \`npm run bench -- Reader\` some of its tables anew. What is missed, and why, is in
[the tests' page](../README.md).
`;

/** @param machine In one line; see `machine.ts`. */
export function keepFigures({ title, how, rows, goals }: Measurement, machine: string): void {
  const kept = existsSync(page)
    ? readFileSync(page, 'utf8')
        .split(/\n(?=## )/)
        .slice(1)
    : [];
  const body = ['```', table(rows), '```', ''].join('\n');
  const judged = goals.map((goal) => `- ${verdict(goal)}\n`).join('');
  const section = [`## ${title}\n`, `${how}\n`, body, ...(judged ? [judged] : []), `${machine}\n`].join('\n');
  const place = kept.findIndex((one) => one.startsWith(`## ${title}\n`));
  const sections = place === -1 ? [...kept, section] : kept.with(place, section);
  writeFileSync(page, [opening, ...sections].join('\n'));
}
