/** `FIGURES.md`: a section for each table with its charts, the machine and the day. A table that is measured anew takes its old place. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '../../src/commands/terminal-text/table.ts';
import { chartOf } from './chart.ts';
import type { Measurement } from './figures.ts';
import { verdict } from './figures.ts';
import type { Growth } from './growth.ts';

const page = fileURLToPath(new URL('FIGURES.md', import.meta.url));
const charts = fileURLToPath(new URL('charts', import.meta.url));

const opening = `# Figures

\`npm run bench\` makes this page, \`npm run bench -- Reader\` some of its tables anew. What is missed, and why, is in
[the tests' page](../README.md).
`;

/** @param machine In one line; see `machine.ts`. */
export function keepFigures(measurement: Measurement, machine: string): void {
  const { title, how, rows, goals } = measurement;
  const kept = existsSync(page)
    ? readFileSync(page, 'utf8')
        .split(/\n(?=## )/)
        .slice(1)
    : [];
  const body = ['```', table(rows), '```', ''].join('\n');
  const judged = goals.map((goal) => `- ${verdict(goal)}\n`).join('');
  const drawn = (measurement.charts ?? []).map(keepChart);
  const section = [
    `## ${title}\n`,
    `${how}\n`,
    body,
    ...drawn,
    ...(judged ? [judged] : []),
    `${machine}\n`,
  ].join('\n');
  const place = kept.findIndex((one) => one.startsWith(`## ${title}\n`));
  const sections = place === -1 ? [...kept, section] : kept.with(place, section);
  writeFileSync(page, [opening, ...sections].join('\n'));
}

/** Gives its line of Markdown. */
function keepChart(growth: Growth): string {
  const name = `${growth.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`;
  mkdirSync(charts, { recursive: true });
  writeFileSync(join(charts, name), chartOf(growth));
  return `![${growth.title}](charts/${name})\n`;
}
