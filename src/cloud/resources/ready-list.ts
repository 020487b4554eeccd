/** The list of a user's READY documents, and how long the last look at it counts (spec, Documents). */
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { ListOptions, ReadyDocuments } from '../../domain/ports/service.ts';
import type { UserToken } from '../../domain/user.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { valueOf } from '../http/json.ts';
import { listPage } from '../http/list-answer.ts';
import { repeatSafely } from '../http/repeat.ts';
import { answerLimits } from '../http/transport.ts';
import type { DocumentList } from './document-list.ts';
import { mostDocuments, readDocuments } from './document-list.ts';
import type { TokenOwners } from './login.ts';

export interface ReadyListDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly api: Api;
  readonly owners: TokenOwners;
}

/** How long a look at the list counts, from its first byte on. */
const lookHolds = seconds(2);

interface Look {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly uuids: ReadonlySet<string>;
  readonly mayBeMore: boolean;
}

export class ReadyList {
  readonly #deps: ReadyListDeps;
  readonly #lastLooks = new WeakMap<UserToken['value'], Look>();

  constructor(deps: ReadyListDeps) {
    this.#deps = deps;
  }

  read(token: UserToken, options: ListOptions): Promise<ReadyDocuments> {
    const { clock } = this.#deps;
    return options.inBackground === true
      ? this.#ask(token, { ...options, signal: clock.deadline(deadlines.background, options.signal) })
      : repeatSafely((within) => this.#ask(token, within), this.#deps, options);
  }

  /** Uses a recent look, or makes a new one. `perhaps`: the list was cut off, and the document may be in the rest. */
  async has(uuid: string, token: UserToken, options: CallOptions): Promise<boolean | 'perhaps'> {
    const last = this.#lastLooks.get(token.value);
    const isRecent = last && this.#deps.clock.monotonic() - last.at <= lookHolds;
    if (!isRecent) await this.#ask(token, options);
    const look = this.#lastLooks.get(token.value);
    return look?.uuids.has(uuid) === true || (look?.mayBeMore === true && 'perhaps');
  }

  async #ask(token: UserToken, { inBackground = false, ...options }: ListOptions): Promise<ReadyDocuments> {
    const { api, owners, clock } = this.#deps;
    const at = clock.monotonic();
    const answer = await api.request(
      {
        method: 'GET',
        path: `/api/v1/documents?status=0&maxRecords=${mostDocuments}`,
        bearer: { authority: 'user', token: token.value },
        largestAnswer: answerLimits.list,
        urgency: inBackground ? 'background' : 'person',
      },
      options,
    );
    const { entries, nextPageToken } = valueOf(answer, listPage);
    const { documents, leftOut } = readDocuments(entries, {
      owner: owners.get(token.value),
      now: clock.now(),
    });
    this.#logLeftOut(leftOut);
    const mayBeMore = entries.length >= mostDocuments || nextPageToken !== undefined;
    this.#lastLooks.set(token.value, { at, uuids: new Set(documents.map(({ uuid }) => uuid)), mayBeMore });
    return { documents, mayBeMore, underOtherName: leftOut['other-user'] ?? 0 };
  }

  #logLeftOut(leftOut: DocumentList['leftOut']): void {
    const { log } = this.#deps;
    if (leftOut['other-user'] !== undefined) {
      log.warn('documents of another user hidden', { count: leftOut['other-user'] });
    }
    if (Object.keys(leftOut).length > 0) log.info('documents left out of the list', { ...leftOut });
  }
}
