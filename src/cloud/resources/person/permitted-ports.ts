/**
 * The port PermittedPorts: whether a user may print at an output port, by `GET /outputports?username&providerid` with
 * their token (spec, Output ports). The list may have 50,000 entries: none is kept, and the answer is known as soon as
 * the right entry comes.
 */
import { z } from 'zod';
import { minutes } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PermittedPorts } from '../../../domain/ports/service.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Login } from '../../../domain/user.ts';
import type { ResourceDeps } from '../../http/caller.ts';
import { askAs } from '../../http/caller.ts';
import { query } from '../../http/form.ts';
import { entriesOf } from '../../http/pages.ts';

const path = '/api/v1/outputports';
const portKey = z.object({ id: z.int() });

/** A list that ends soon after is read to its end, so that its connection can be used again. */
const mostEntriesAfter = 200;

/** The caller may stop waiting earlier; the list of a large account takes a while. */
const longestReading = minutes(2);

export const createPermittedPorts = (deps: ResourceDeps): PermittedPorts => ({
  include: (id, login, options) => isAmongPorts(deps, { id, login }, options),
});

function isAmongPorts(
  deps: ResourceDeps,
  { id, login: { user, token } }: { readonly id: number; readonly login: Login },
  { signal }: CallOptions,
): Promise<boolean> {
  const found = Promise.withResolvers<true>();
  const enough = new AbortController();
  const within = AbortSignal.any([deps.clock.deadline(longestReading, signal), enough.signal]);
  const search = new Search(id, { onFound: () => found.resolve(true), onEnough: () => enough.abort() });
  const ask = (pagetoken: string | undefined) => {
    const fields = query([
      ['username', user.userName],
      ['providerid', user.providerId],
      ['pagetoken', pagetoken],
    ]);
    const call = { method: 'GET', path: path + fields, shownPath: path, urgency: 'person' } as const;
    const onEntry = (entry: unknown) => search.look(entry);
    return askAs(deps, { ...call, onEntry }, { token, signal: within });
  };
  const read = async (): Promise<boolean> => {
    for await (const _ of entriesOf(ask));
    return search.result();
  };
  return Promise.race([found.promise, read()]);
}

class Search {
  readonly #id: number;
  readonly #listener: { onFound(): void; onEnough(): void };
  #isFound = false;
  #after = 0;
  #unusable = 0;

  constructor(id: number, listener: { onFound(): void; onEnough(): void }) {
    this.#id = id;
    this.#listener = listener;
  }

  look(entry: unknown): void {
    const { success, data } = portKey.safeParse(entry);
    if (!success) this.#unusable += 1;
    if (this.#isFound) this.#after += 1;
    if (this.#after > mostEntriesAfter) this.#listener.onEnough();
    if (data?.id !== this.#id) return;
    this.#isFound = true;
    this.#listener.onFound();
  }

  result(): boolean {
    if (this.#isFound || this.#unusable === 0) return this.#isFound;
    // An entry that cannot be read may be the right one.
    throw new Problem('cloud-protocol', `${this.#unusable} output ports of the list have no id`);
  }
}
