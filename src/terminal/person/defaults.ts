/**
 * How a person wants their documents if they say nothing else. It is kept with their badge, and applied to each list of
 * the session as a change that they could have made themselves. Documents that the person changed stay as they are.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../core/log.ts';
import { required } from '../../core/required.ts';
import type { Change, Defaults } from '../../domain/document-changes.ts';
import { changeBy, optionsOf } from '../../domain/document-changes.ts';
import { ofKinds, workKinds } from '../../domain/printer/paper-work.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { TerminalContext } from '../context.ts';
import type { Changes } from '../given.ts';
import { offersAt } from '../documents-view.ts';
import { printerOf } from '../printers/at-hand.ts';
import type { In, Told } from '../endings.ts';
import { beginsCountdown, notes } from '../endings.ts';
import { notKept } from '../notices.ts';

/** The documents have other costs then. */
const beginsAnew = {
  guard: ({ context: { session, generation }, event }: Told<{ readonly generation: number }>): boolean =>
    event.generation === generation && session?.card !== undefined,
  target: 'choosing',
  reenter: true,
} as const;

/** The words of a person about their defaults at the list. */
export const defaultsWords = {
  'keep-defaults': {
    ...beginsAnew,
    actions: [
      notes(({ context, event }: Told<Said<'keep-defaults'>>) => keepDefaults(context, event)),
      'applyDefaults',
      ...beginsCountdown,
    ],
  },
  'forget-defaults': {
    ...beginsAnew,
    actions: [notes(({ context }: In) => forgetDefaults(context)), 'applyDefaults', ...beginsCountdown],
  },
} as const;

type Applied = Pick<TerminalContext, 'defaults' | 'changes' | 'quotes'>;

/** Applies the kept defaults to every document that the person has not changed. */
export function withDefaults(context: TerminalContext): Applied {
  const { given, session, documents, changes, touched, quotes } = context;
  const defaults = session?.card && given.defaults.of(session.card);
  const { can, ...at } = offersAt(context);
  const { usualWork } = printerOf(given.printers, context);
  const kept = ofKinds(defaults?.work ?? {}, can?.offersWork);
  const wanted = { grey: false, twoSided: false, ...defaults, work: { ...usualWork, ...kept } };
  // What an administrator wrote is done, whether or not people may choose it.
  const able = can && { ...can, offersWork: workKinds };
  const listed = [...documents.releasable, ...documents.doubtful.map(({ document }) => document)];
  const untouched = listed.filter(({ uuid }) => !touched.has(uuid));
  const applied = untouched.flatMap((document): readonly (readonly [string, Change])[] => {
    const change = changeBy(wanted, able && optionsOf(document, { ...at, can: able }));
    return Object.keys(change).length === 0 ? [] : [[document.uuid, change]];
  });
  const isUntouched = new Set(untouched.map(({ uuid }) => uuid));
  const next: Changes = new Map([...[...changes].filter(([uuid]) => !isUntouched.has(uuid)), ...applied]);
  return { defaults, changes: next, quotes: isDeepStrictEqual(next, changes) ? quotes : [] };
}

/** If nothing is chosen, nothing is kept. */
const keepDefaults = ({ given, session }: TerminalContext, { grey, twoSided, work = {} }: Defaults): Kept =>
  written(given.log, () => {
    const card = required(session?.card, 'card');
    const hasWork = Object.keys(work).length > 0;
    if (grey || twoSided || hasWork) given.defaults.keep(card, { grey, twoSided, ...(hasWork && { work }) });
    else given.defaults.forget(card);
  });

const forgetDefaults = ({ given, session }: TerminalContext): Kept =>
  written(given.log, () => given.defaults.forget(required(session?.card, 'card')));

type Kept = Pick<TerminalContext, 'notice'>;

function written(log: Log, write: () => void): Kept {
  try {
    write();
    return { notice: undefined };
  } catch (error) {
    const { code, message: detail, advice } = asProblem(error, 'store-failed', 'it could not be stored');
    log.warn('defaults not kept', { code, detail, advice });
    return { notice: notKept };
  }
}
