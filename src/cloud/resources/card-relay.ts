/**
 * The port CardRelay: `POST /card` tells the service of a card at a network reader, and the service lets all the
 * user's documents out by itself (spec, Card reader; api-supplement.md 12, rows 42 and 43).
 */
import type { CardRelay } from '../../domain/ports/service.ts';
import { Problem } from '../../domain/problem.ts';
import type { ResourceParts } from '../caller.ts';
import { askAs, inBackground } from '../caller.ts';
import { query } from '../form.ts';
import { expectDone } from '../json.ts';

/** How the service wants the reader's address spelled; not published. */
export interface MacFormat {
  readonly letters: 'upper' | 'lower';
  readonly separator: 'colon' | 'dash' | 'none';
}

export const usualMacFormat: MacFormat = { letters: 'upper', separator: 'colon' };

const separators = { colon: ':', dash: '-', none: '' } as const;

export const createCardRelay = (parts: ResourceParts & { readonly macFormat: MacFormat }): CardRelay => ({
  async release({ card, readerMac }, options) {
    const path = '/api/v1/card';
    const fields = query([
      ['cd', card.reveal()],
      ['Mac', formatMac(readerMac, parts.macFormat)],
    ]);
    const call = { method: 'POST', path: path + fields, shownPath: path, urgency: 'person' } as const;
    expectDone(await askAs(parts, call, inBackground(parts.clock, options)));
  },
});

/** Takes the address in any of the usual spellings. Throws `config-invalid` when it is none. */
export function formatMac(mac: string, { letters, separator }: MacFormat): string {
  const digits = mac.replace(/[:.\s-]/g, '');
  if (!/^[0-9a-f]{12}$/i.test(digits))
    throw new Problem('config-invalid', 'the address of a reader is no MAC address');
  const cased = letters === 'upper' ? digits.toUpperCase() : digits.toLowerCase();
  return cased.replace(/..(?=.)/g, `$&${separators[separator]}`);
}
