/**
 * The port CardRelay: `POST /card` tells the service of a card at a network reader. The service then prints all the
 * user's documents by itself (spec, Card reader; src/cloud/README.md 12, row 42).
 */
import type { CardRelay } from '../../domain/ports/service.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { query } from '../http/form.ts';
import { expectDone } from '../http/json.ts';

export const createCardRelay = (deps: ResourceDeps): CardRelay => ({
  async release({ card, readerMac }, options) {
    const path = '/api/v1/card';
    const fields = query([
      ['cd', card.reveal()],
      ['Mac', readerMac],
    ]);
    const call = { method: 'POST', path: path + fields, shownPath: path, urgency: 'person' } as const;
    expectDone(await askAs(deps, call, inBackground(deps.clock, options)));
  },
});
