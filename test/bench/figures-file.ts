/**
 * The figures of a run as data (`--json FILE`), for a later run to be compared with: each by its table's title and its own
 * name, with all that was sampled. A goal is such a figure too; where its table gives no samples, it is its own only one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Goal, Measurement } from './figures.ts';

const figureShape = z.object({
  name: z.string(),
  unit: z.string(),
  better: z.enum(['less', 'more']),
  samples: z.array(z.number()).min(1),
});
const fileShape = z.object({
  form: z.literal('platen figures 1'),
  machine: z.record(z.string(), z.string()),
  tables: z.array(z.object({ title: z.string(), figures: z.array(figureShape) })),
});

export type Figure = Readonly<z.infer<typeof figureShape>>;
export type Table = Readonly<z.infer<typeof fileShape>['tables'][number]>;
export type Figures = Readonly<Omit<z.infer<typeof fileShape>, 'form'>>;

/** Not what is in it: that it cannot be read as figures at all. */
export class BadFigures extends Error {
  override readonly name = 'BadFigures';
}

export function tableOf({ title, samples = [], goals }: Measurement): Table {
  const sampled = new Set(samples.map(({ name }) => name));
  const ofSamples = samples.map((one) => ({ ...one, samples: [...one.samples] }));
  return { title, figures: [...ofSamples, ...goals.filter(({ what }) => !sampled.has(what)).map(figureOf)] };
}

const figureOf = (goal: Goal): Figure => ({
  name: goal.what,
  unit: goal.unit,
  better: 'limit' in goal ? 'less' : 'more',
  samples: [goal.figure],
});

export function writeFigures(path: string, figures: Figures): void {
  writeFileSync(path, `${JSON.stringify({ form: 'platen figures 1', ...figures }, undefined, 1)}\n`);
}

/** Throws `BadFigures`. */
export function readFigures(path: string): Figures {
  const read = fileShape.safeParse(jsonIn(path));
  if (!read.success) throw new BadFigures(`${path} holds no figures: ${z.prettifyError(read.error)}`);
  return read.data;
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new BadFigures(`${path} ${why}: ${(cause as Error).message}`, { cause });
  }
}
