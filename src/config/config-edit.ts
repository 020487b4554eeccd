/**
 * Edits a configuration file as a person would: it changes the given keys and keeps comments, other keys and their
 * order. It does not know the meaning of values. `load.ts` checks the result.
 */
import type { Document } from 'yaml';
import { isMap, isScalar, isSeq, visit } from 'yaml';
import type { KeyPath } from './mistakes.ts';
import { ConfigInvalid, keyPath } from './mistakes.ts';
import { parsedYaml } from './yaml-text.ts';

/** Puts a plain value at a key. With `flow`, a collection is written on the line of its key: `{ file: api-key }`. */
export interface Edit {
  readonly path: KeyPath;
  readonly value: unknown;
  readonly flow?: true;
}

export interface Change {
  /** For example `terminals[0].printer.uri`. */
  readonly path: string;
  /** As YAML; absent if the key had no value. */
  readonly from?: string;
  readonly to: string;
}

export interface ConfigDraft {
  /** The whole file as plain data, with the edits; `undefined` for an empty file. */
  data(): unknown;
  /** Does nothing if the value is already there. Throws `ConfigInvalid` if the edit would also change other keys. */
  set(edit: Edit): void;
  remove(path: KeyPath): void;
  readonly changes: readonly Change[];
  /** Without changes, this is the original file to the octet. */
  text(): string;
}

/** Throws `ConfigInvalid` if the text is not YAML. */
export function draftOf(file: string, text: string): ConfigDraft {
  const document = parsed(file, text);
  const refuse = (path: KeyPath, message: string): never => {
    throw new ConfigInvalid(file, [{ path, message: `${message}; edit the file by hand` }]);
  };
  const changes: Change[] = [];

  function put({ path, value, flow }: Edit): void {
    if (hasAliases(document))
      refuse(path, 'this file contains aliases (*), so a change here can change other keys');
    clearTheWay(path);
    const there = document.getIn(path, true);
    if (isScalar(there) && (typeof value !== 'object' || value === null)) {
      there.value = value;
      return;
    }
    const node = document.createNode(value, flow ? { flow: true } : {});
    const last = path.at(-1);
    const parent = document.getIn(path.slice(0, -1), true);
    // An empty list is written as []. Without this, new items would go between the brackets.
    if (isSeq(parent) && parent.items.length === 0) parent.flow = false;
    if (isSeq(parent) && last === parent.items.length) parent.add(node);
    else document.setIn(path, node);
  }

  /** A key without a value becomes an empty map or list, so that the new value can go below it. */
  function clearTheWay(path: KeyPath): void {
    for (let length = 1; length < path.length; length += 1) {
      const above = path.slice(0, length);
      const node = document.getIn(above, true);
      if (isScalar(node) && node.value === null) {
        const empty = document.createNode(typeof path[length] === 'number' ? [] : {});
        empty.comment = node.comment ?? node.commentBefore ?? null;
        document.setIn(above, empty);
      } else if (node !== undefined && !isMap(node) && !isSeq(node))
        refuse(above, 'has another kind of value');
    }
  }

  return {
    data: () => document.toJS() as unknown,
    set(edit) {
      const { path, value } = edit;
      const before = plain(document, path);
      const [from, to] = [before, value].map((one) => (one === undefined ? undefined : asYaml(one)));
      if (to === undefined || from === to) return;
      put(edit);
      changes.push({ path: keyPath(path), ...(from === undefined ? {} : { from }), to });
    },
    remove(path) {
      const before = plain(document, path);
      if (before === undefined) return;
      document.deleteIn(path);
      changes.push({ path: keyPath(path), from: asYaml(before), to: 'nothing' });
    },
    changes,
    text: () => (changes.length === 0 ? text : document.toString({ lineWidth: 0 })),
  };
}

function parsed(file: string, text: string): Document {
  const { document } = parsedYaml(file, text);
  if (document.contents === null || isMap(document.contents)) return document;
  throw new ConfigInvalid(file, [{ path: [], message: 'must contain keys and values' }]);
}

function hasAliases(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Alias() {
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}

function plain(document: Document, path: KeyPath): unknown {
  const node: unknown = document.getIn(path, true);
  if (isMap(node) || isSeq(node)) return node.toJS(document) as unknown;
  return isScalar(node) ? node.value : undefined;
}

/** On one line, safe to print: JSON is YAML, and escapes control characters. */
const asYaml = (value: unknown): string => JSON.stringify(value);
