/**
 * A resource that an account keeps in a list, and that clients can see, create, change and delete. Each such resource
 * is a value that describes its differences. Its calls and permissions are made from this value (spec, Endpoints).
 */
import { z } from 'zod';
import type { Answer, Call } from '../call.ts';
import { requirePermission } from '../admission.ts';
import { Deviation, done, empty, errorAnswer, json, refused } from '../call.ts';
import type { CloudContext } from '../context.ts';
import type { NumberedList } from '../kept-lists.ts';
import { nextId } from '../kept-lists.ts';
import { answerList } from '../paging.ts';
import { requireNoParameters } from '../parameters.ts';
import type { Quartet } from '../permissions.ts';
import type { Row } from '../route.ts';
import type { CloudState } from '../state.ts';

interface Kept {
  readonly id: number;
}

type Deed = 'see' | 'change' | 'remove';

/** The answer of a call: the item, its id, only success, or nothing. */
type End = 'itself' | 'id' | 'code' | 'nothing';

export interface Collection<Item extends Kept, Given extends object> {
  /** The path of the list. An item is below it, by its id. */
  readonly path: string;
  readonly section: string;
  readonly permissions: Quartet;
  /** The calls that exist, with the methods and answers in which resources differ. */
  readonly calls: {
    readonly list?: true;
    readonly one?: true;
    readonly create?: readonly ['POST' | 'PUT', End];
    readonly change?: readonly ['PUT' | 'PATCH', End];
    /** `PUT` of the list changes the item with the given `id`, or creates one. */
    readonly save?: End;
    readonly remove?: End;
  };
  /** Absent: an API key needs advanced permissions to read it. */
  readonly reading?: 'free';
  /** The live list, and its name. */
  items(state: CloudState): Item[];
  readonly list: NumberedList;
  /** Items that exist until they are first changed. They can be read, and are stored at their first change. */
  unkept?(state: CloudState): readonly Item[];
  read(call: Call): Given;
  /** Makes the item, new or in place of another. Throws if that is not possible. */
  make(given: Given, place: Place<Item>): Item;
  /** The form in answers. Absent: the stored form. */
  show?(item: Item, context: CloudContext): object;
  /** Whether the name in the path means the item. Absent: the name is the id. */
  isCalled?(item: Item, name: string): boolean;
  /** Called before any call. Throws if the service lacks the resource. */
  open?(context: CloudContext, call: Call): void;
  /** The status if the item is missing, by default 404, and the error codes of its calls. */
  readonly missing?: Readonly<Partial<Record<Deed, number>>>;
  readonly codes?: Readonly<Partial<Record<Deed, number>>>;
  /** Throws if the item must not be removed. */
  release?(item: Item, context: CloudContext): void;
  /** Called after a removal. */
  settle?(context: CloudContext): void;
}

export interface Place<Item> {
  readonly context: CloudContext;
  readonly call: Call;
  readonly id: number;
  readonly before: Item | undefined;
}

export function rowsOf<Item extends Kept, Given extends object>(
  kind: Collection<Item, Given>,
): readonly Row[] {
  const { path, permissions, calls, reading = 'needed' } = kind;
  const one = `${path}/<id>`;
  const rows: (Row | undefined)[] = [
    calls.list && ['GET', path, 'reading', permissions.view, list(kind), reading],
    calls.one && ['GET', one, 'reading', permissions.view, show(kind), reading],
    calls.create && [calls.create[0], path, ['user'], permissions.create, create(kind, calls.create[1])],
    calls.change && [calls.change[0], one, ['user'], permissions.modify, change(kind, calls.change[1])],
    calls.save && ['PUT', path, ['user'], permissions.view, save(kind, calls.save)],
    calls.remove && ['DELETE', one, ['user'], permissions.remove, remove(kind, calls.remove)],
  ];
  return rows.filter((row) => row !== undefined);
}

const list =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>) =>
  (context: CloudContext, call: Call): Answer => {
    kind.open?.(context, call);
    return answerList(context, call, {
      schema: z.strictObject({}),
      section: kind.section,
      find: () => kind.items(context.state).map((item) => shown(kind, item, context)),
    });
  };

const show =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>) =>
  (context: CloudContext, call: Call): Answer => {
    requireNoParameters(call, kind.section);
    kind.open?.(context, call);
    return json(200, shown(kind, named(kind, context, call.parts['id'], 'see'), context));
  };

const create =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>, end: End) =>
  (context: CloudContext, call: Call): Answer => {
    kind.open?.(context, call);
    const given = kind.read(call);
    requireId(kind, given, 0);
    return endOf(kind, end, put(kind, given, { context, call, before: undefined }), context);
  };

const change =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>, end: End) =>
  (context: CloudContext, call: Call): Answer => {
    kind.open?.(context, call);
    const given = kind.read(call);
    const before = named(kind, context, call.parts['id'], 'change');
    requireId(kind, given, before.id);
    return endOf(kind, end, put(kind, given, { context, call, before }), context);
  };

const save =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>, end: End) =>
  (context: CloudContext, call: Call): Answer => {
    kind.open?.(context, call);
    const given = kind.read(call);
    const id = idIn(given);
    requirePermission(context, call, ...kind.permissions[id ? 'modify' : 'create']);
    const before = id ? named(kind, context, String(id), 'change') : undefined;
    return endOf(kind, end, put(kind, given, { context, call, before }), context);
  };

function put<Item extends Kept, Given extends object>(
  kind: Collection<Item, Given>,
  given: Given,
  at: Omit<Place<Item>, 'id'>,
): Item {
  const { context, before } = at;
  const items = kind.items(context.state);
  const place = before ? items.indexOf(before) : -1;
  const isKept = place >= 0;
  const id = isKept && before ? before.id : nextId(context.state, kind.list);
  const item = kind.make(given, { ...at, id });
  items.splice(isKept ? place : items.length, isKept ? 1 : 0, item);
  context.tell(`${kind.path}: ${id} is ${before ? 'changed' : 'new'}`);
  return item;
}

const remove =
  <Item extends Kept, Given extends object>(kind: Collection<Item, Given>, end: End) =>
  (context: CloudContext, call: Call): Answer => {
    kind.open?.(context, call);
    requireNoParameters(call, kind.section);
    const item = named(kind, context, call.parts['id'], 'remove');
    kind.release?.(item, context);
    const items = kind.items(context.state);
    items.splice(items.indexOf(item), 1);
    kind.settle?.(context);
    context.tell(`${kind.path}: ${item.id} is gone`);
    return endOf(kind, end, item, context);
  };

function named<Item extends Kept, Given extends object>(
  kind: Collection<Item, Given>,
  { state }: CloudContext,
  name = '',
  deed: Deed,
): Item {
  const { isCalled = ({ id }: Item) => String(id) === name, missing = {}, codes = {} } = kind;
  const found = [...kind.items(state), ...(kind.unkept?.(state) ?? [])].find((item) => isCalled(item, name));
  if (!found) throw refused(`${kind.path}: no ${name}`, missing[deed] ?? 404, codes[deed]);
  return found;
}

const idIn = (given: object): number => ('id' in given && typeof given.id === 'number' ? given.id : 0);

/** An id in a body may be missing, 0, or the id of the path. */
function requireId({ section }: { section: string }, given: object, id: number): void {
  const written = idIn(given);
  if (written === 0 || written === id) return;
  throw new Deviation(`the id ${written} is not that of the path`, section, errorAnswer(400));
}

const shown = <Item extends Kept>(
  kind: Pick<Collection<Item, never>, 'show'>,
  item: Item,
  context: CloudContext,
): object => kind.show?.(item, context) ?? item;

function endOf<Item extends Kept>(
  kind: Pick<Collection<Item, never>, 'show'>,
  end: End,
  item: Item,
  context: CloudContext,
): Answer {
  switch (end) {
    case 'itself':
      return json(200, shown(kind, item, context));
    case 'nothing':
      return empty(204);
    default:
      return done(end === 'id' ? item.id : undefined);
  }
}
