/**
 * Functions of a source text with more lines than a sentence has, by name; a nested one counts within its outer one
 * too.
 */
import { parseAst } from 'vite';

export interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** `parent`: what a function without a name of its own is bound to. */
function nameOf(node: Tree, parent: Tree | undefined): string {
  const named = [node['id'], parent?.['key'], parent?.['id']].find((id) => isTree(id) && 'name' in id);
  return isTree(named) ? String(named['name']) : 'a function';
}

/** @param most Lines that a function may have, its first and last included. */
export function longFunctions(text: string, lang: 'ts' | 'tsx', most: number): readonly LongFunction[] {
  const found: LongFunction[] = [];
  const visit = (node: unknown, parent?: Tree): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, parent);
    if (!isTree(node) || Array.isArray(node)) return;
    if (/Function(?:Declaration|Expression)$/.test(String(node['type']))) {
      const lines = text.slice(Number(node['start']), Number(node['end'])).split('\n').length;
      if (lines > most) found.push({ name: nameOf(node, parent), lines });
    }
    for (const child of Object.values(node)) visit(child, node);
  };
  visit(parseAst(text, { lang }));
  return found;
}
