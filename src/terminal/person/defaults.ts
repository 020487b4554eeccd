/**
 * How a person wants their documents if they say nothing else. It is kept with their badge, and applied to each list of
 * the session as a change that they could have made themselves. Documents that the person changed stay as they are.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../core/log.ts';
import { required } from '../../core/required.ts';
import type { Change, Defaults } from '../../domain/document-changes.ts';
import { changeBy, optionsOf } from '../../domain/document-changes.ts';
import type { KeptDefaults } from '../../domain/ports/defaults.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { Changes, TerminalContext } from '../context.ts';
import type { ChangeOffers } from '../documents-view.ts';
import { asSaid, beginsCountdown } from '../endings.ts';
import { notKept } from '../notices.ts';

const mayBeKept = { type: 'mayKeep', params: asSaid<{ readonly generation: number }> } as const;
/** The documents have other costs then. */
const beginsAnew = { guard: mayBeKept, target: 'choosing', reenter: true } as const;

/** The words of a person about their defaults at the list. */
export const defaultsWords = {
  'keep-defaults': {
    ...beginsAnew,
    actions: [
      { type: 'keepDefaults', params: asSaid<Said<'keep-defaults'>> },
      'applyDefaults',
      ...beginsCountdown,
    ],
  },
  'forget-defaults': { ...beginsAnew, actions: ['forgetDefaults', 'applyDefaults', ...beginsCountdown] },
} as const;

export const mayKeep = ({ generation, session }: TerminalContext, said: { readonly generation: number }) =>
  generation === said.generation && session?.card !== undefined;

type Applied = Pick<TerminalContext, 'defaults' | 'changes' | 'quotes'>;

/** Applies the kept defaults to every document that the person has not changed. */
export function withDefaults(
  { session, documents, changes, touched, quotes }: TerminalContext,
  { kept, offers }: { readonly kept: KeptDefaults; readonly offers: ChangeOffers },
): Applied {
  const defaults = session?.card && kept.of(session.card);
  const { can, monochrome } = offers;
  const listed = [...documents.releasable, ...documents.doubtful.map(({ document }) => document)];
  const untouched = listed.filter(({ uuid }) => !touched.has(uuid));
  const applied = untouched.flatMap((document): readonly (readonly [string, Change])[] => {
    const change = changeBy(defaults, can && optionsOf(document, { can, monochrome }));
    return Object.keys(change).length === 0 ? [] : [[document.uuid, change]];
  });
  const isUntouched = new Set(untouched.map(({ uuid }) => uuid));
  const next: Changes = new Map([...[...changes].filter(([uuid]) => !isUntouched.has(uuid)), ...applied]);
  return { defaults, changes: next, quotes: isDeepStrictEqual(next, changes) ? quotes : [] };
}

interface Keeping {
  readonly kept: KeptDefaults;
  readonly log: Log;
}

/** If nothing is chosen, nothing is kept. */
export const keepDefaults = (
  { session }: TerminalContext,
  { grey, twoSided }: Defaults,
  { kept, log }: Keeping,
): Told =>
  written(log, () => {
    const card = required(session?.card, 'card');
    if (grey || twoSided) kept.keep(card, { grey, twoSided });
    else kept.forget(card);
  });

export const forgetDefaults = ({ session }: TerminalContext, { kept, log }: Keeping): Told =>
  written(log, () => kept.forget(required(session?.card, 'card')));

type Told = Pick<TerminalContext, 'notice'>;

function written(log: Log, write: () => void): Told {
  try {
    write();
    return { notice: undefined };
  } catch (error) {
    const { code, message: detail, advice } = asProblem(error, 'store-failed', 'it could not be stored');
    log.warn('defaults not kept', { code, detail, advice });
    return { notice: notKept };
  }
}
