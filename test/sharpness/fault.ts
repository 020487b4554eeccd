/** A fault as it is planted: one text in one file of `src`, and the test that must find it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Fault {
  /** What is promised and would not be so any more, by its number in `src/INVARIANTS.md`. */
  readonly promise: string;
  /** Below `src`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly is: string;
  readonly becomes: string;
  readonly foundBy: NamedTest;
}

export interface NamedTest {
  /** Below `test`. */
  readonly file: string;
  /** With the names that it stands under, joined by ` > `. */
  readonly test: string;
}

const below = (folder: string, path: string): string =>
  fileURLToPath(new URL(`../../${folder}/${path}`, import.meta.url));

export const sourcePath = ({ file }: Pick<Fault, 'file'>): string => below('src', file);
export const testPath = ({ file }: Pick<NamedTest, 'file'>): string => below('test', file);

/** The source with the fault in it. Throws where the text does not stand there exactly once: the line is out of date. */
export function withFault({ file, is, becomes }: Fault): string {
  const parts = readFileSync(sourcePath({ file }), 'utf8').split(is);
  const [before = '', behind = ''] = parts;
  if (parts.length === 2) return `${before}${becomes}${behind}`;
  throw new Error(`out of date: ${parts.length - 1} places in src/${file} read ${is}`);
}
