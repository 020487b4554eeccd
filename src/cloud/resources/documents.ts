/**
 * The port Documents: list, content, delivery, deletion, each with the user's token (spec, Documents;
 * src/cloud/README.md 7).
 */
import { seconds } from '../../core/duration.ts';

import type { CallOptions } from '../../domain/ports/call.ts';
import type { Documents } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import { deadlines } from '../http/api.ts';
import { pathSegment } from '../http/form.ts';
import { expectErrorCodeZero } from '../http/json.ts';
import { consumeDocument, downloadDocument } from './document-content.ts';
import { createDocumentStatus, deliverDocument } from './document-delivery.ts';
import type { ReadyListDeps } from './ready-list.ts';
import { ReadyList } from './ready-list.ts';

/** A printer waits for this look at the list, so a longer one does not count. */
const lookPatience = seconds(5);

export function createDocuments(deps: ReadyListDeps): Documents {
  const { api, clock } = deps;
  const list = new ReadyList(deps);
  const statusOf = createDocumentStatus(deps);

  /** The spec has only 403 for a refused deletion, also if the document is gone. Then it is missing from every list. */
  async function isGone(uuid: string, token: UserToken, within: CallOptions): Promise<boolean> {
    try {
      return (await statusOf(uuid, token, within)) === undefined;
    } catch (error) {
      if (isProblem(error)) return false;
      throw error;
    }
  }

  return {
    ready: (token, options) => list.read(token, options),
    download: (...call) => downloadDocument(deps, ...call),
    consume: (...call) => consumeDocument(deps, ...call),
    deliver: (...call) => deliverDocument(deps, ...call),
    statusOf,

    async requireReady(uuid, token, { signal }) {
      const within = { signal: clock.deadline(lookPatience, signal) };
      const isThere = await list.has(uuid, token, within);
      if (isThere === true) return;
      if (isThere === 'perhaps' && (await statusOf(uuid, token, within)) === 'ready') return;
      throw new Problem('document-not-waiting', 'the document is no longer READY');
    },

    async remove(uuid, token, { signal }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const path = `/api/v1/documents/${pathSegment(uuid)}`;
      const bearer = { authority: 'user', token: token.value } as const;
      try {
        expectErrorCodeZero(await api.request({ method: 'DELETE', path, bearer }, within));
      } catch (error) {
        if (isProblem(error, 'cloud-not-found')) return;
        if (!isProblem(error, 'cloud-denied', 'cloud-rejected') || !(await isGone(uuid, token, within))) {
          throw error;
        }
      }
    },
  };
}
