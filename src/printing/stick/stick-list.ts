/** What fls(1) tells of a stick, as files that may be printed. Each line is a stranger's: what does not fit is left out. */
import { visibleText } from '../../core/text/visible-text.ts';
import type { StickContents, StickFile, StickFormat } from '../../domain/ports/sticks.ts';
import { listed } from './stick-recipes.ts';

/** `r/r INODE:` NAME and four times, then SIZE UID GID, with tabs between. */
const entry = /^r\/r ([0-9]{1,20}(?:-[0-9]{1,5}){0,2}):\t([^\t]+)(?:\t[^\t]*){4}\t([0-9]{1,15})\t/;
const beginning = /^@([0-9]{1,12})$/;

const formats: readonly (readonly [RegExp, StickFormat])[] = [
  [/\.pdf$/i, 'pdf'],
  [/\.jpe?g$/i, 'jpeg'],
  [/\.png$/i, 'png'],
];

export function contentsOf(told: string): StickContents {
  const files: StickFile[] = [];
  let from = '0';
  for (const line of told.split('\n')) {
    from = beginning.exec(line)?.[1] ?? from;
    const file = fileOf(line, from);
    if (file) files.push(file);
  }
  files.sort((a, b) => collator.compare(a.folder, b.folder) || collator.compare(a.name, b.name));
  return { files: files.slice(0, listed.files), isMore: files.length > listed.files };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function fileOf(line: string, from: string): StickFile | undefined {
  const [, inode, path, size] = entry.exec(line) ?? [];
  if (inode === undefined || path === undefined || size === undefined) return undefined;
  const format = formats.find(([ending]) => ending.test(path))?.[1];
  const end = path.lastIndexOf('/');
  const name = visibleText(path.slice(end + 1));
  if (!format || name === '') return undefined;
  const folder = visibleText(path.slice(0, Math.max(0, end)));
  return { folder, name, octets: Number(size), format, place: `${from} ${inode}` };
}
