/** The keys that would change at each gateway. A person reads them before anything is signed. */
import { isSameValue } from '../../config/changes.ts';
import { isMap } from '../../config/pushed/layers.ts';
import { counted } from '../../core/text/counted.ts';
import { printableWhole } from '../../core/text/printable.ts';

export interface Change {
  /** `terminals.lobby.printer.uri` */
  readonly key: string;
  /** Absent: the key is new. */
  readonly before?: unknown;
  /** Absent: the key is removed. */
  readonly after?: unknown;
}

export interface GatewayChanges {
  readonly gateway: string;
  readonly site: string;
  /** The version in force there; `null`: the gateway uses only its own file. */
  readonly from: number | null;
  readonly changes: readonly Change[];
}

export function changesOf(before: unknown, after: unknown, key = ''): readonly Change[] {
  if (isSameValue(before, after)) return [];
  const [one, other] = [byKey(before), byKey(after)];
  if (!one || !other)
    return [{ key, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((part) =>
    changesOf(one.get(part), other.get(part), key === '' ? part : `${key}.${part}`),
  );
}

/** Elements with an id are compared by their ids. */
function byKey(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isMap(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (!value.every((one) => isMap(one) && typeof one['id'] === 'string')) return undefined;
  return new Map(value.map((one: { readonly id: string }) => [one.id, one]));
}

/** Gateways with the same changes are listed together. A thousand gateways usually have the same list. */
export function changesText(all: readonly GatewayChanges[]): string {
  const changed = all.filter(({ changes }) => changes.length > 0);
  const groups = Map.groupBy(changed, ({ from, changes }) => JSON.stringify([from, changes]));
  const unchanged = all.length - changed.length;
  return [
    ...[...groups.values()].flatMap(groupLines),
    ...(unchanged > 0 ? [`${counted(unchanged, 'gateway')}: nothing changes`] : []),
  ].join('\n');
}

const mostNamed = 8;

function groupLines(group: readonly GatewayChanges[]): readonly string[] {
  const [{ from, changes } = { from: null, changes: [] }] = group;
  const names = group.slice(0, mostNamed).map(({ gateway }) => gateway);
  const more = group.length - names.length;
  const since = from === null ? 'only its own file' : `version ${from}`;
  return [
    `${counted(group.length, 'gateway')}, from ${since}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    ...changes.map((change) => `  ${lineOf(change)}`),
  ].map(printableWhole);
}

function lineOf({ key, before, after }: Change): string {
  if (before === undefined) return `+ ${key}: ${valueText(after)}`;
  if (after === undefined) return `- ${key}: ${valueText(before)}`;
  return `~ ${key}: ${valueText(before)} -> ${valueText(after)}`;
}

const longest = 120;
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
