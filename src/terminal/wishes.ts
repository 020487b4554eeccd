/**
 * What a person wants with their documents, as parts of the states in which they see them: to print them, or the
 * missing pages, or once more, at this printer or another. What was wanted is handed to the release desk.
 */
import { required } from '../core/required.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { In, Told } from './endings.ts';
import { beginsCountdown, notes } from './endings.ts';
import type { Choice } from './given.ts';
import { afterDealingWith, allWished, doubtfulOf, handedOver, missingWish, releasedOf } from './list.ts';

/** The chosen documents, in the order of the list. */
export const choosesSome = {
  guard: ({ context, event }: Told<Said<'release'>>): boolean => releasedOf(context, event).length > 0,
  actions: [
    ({ context, event }: Told<Said<'release'>>): void => {
      const leftOut = event.documentUuids.length - releasedOf(context, event).length;
      if (leftOut > 0) context.given.log.warn('choice ignored', { documents: leftOut });
    },
    notes(({ context, event }: Told<Said<'release'>>) => ({
      wishes: releasedOf(context, event).map((document) => ({ document })),
    })),
    ...beginsCountdown,
  ],
} as const;

/** In the order of the list. */
export const releaseAll = {
  target: 'releasing',
  actions: notes(({ context }: In) => allWished(context)),
} as const;

/** The person was told that it may have printed, and wants it once more. */
export const printAgain = {
  guard: ({ context, event }: Told<Said<'print-again'>>): boolean =>
    !context.documents.isRefusedHere && doubtfulOf(context, event) !== undefined,
  actions: [
    notes(({ context, event }: Told<Said<'print-again'>>) => {
      const { document, releaseId, elsewhere } = required(doubtfulOf(context, event), 'doubtful document');
      const isElsewhere = elsewhere && ({ isAgainElsewhere: true } as const);
      return { wishes: [{ document, again: releaseId, ...isElsewhere }] };
    }),
    ...beginsCountdown,
  ],
} as const;

/** The person was told which pages did not come out, and wants those. */
export const printMissing = {
  guard: ({ context, event }: Told<Said<'print-missing'>>): boolean =>
    missingWish(context, event) !== undefined,
  actions: [
    notes(({ context, event }: Told<Said<'print-missing'>>) => ({
      wishes: [required(missingWish(context, event), 'missing pages')],
    })),
    ...beginsCountdown,
  ],
} as const;

const foundBy = ({ context, event }: Told<Said<'it-is-there'>>) =>
  required(doubtfulOf(context, event), 'doubtful document');

/** The person says that the pages lie in the tray. */
export const isThere = {
  guard: ({ context, event }: Told<Said<'it-is-there'>>): boolean => doubtfulOf(context, event) !== undefined,
  actions: [
    (told: Told<Said<'it-is-there'>>): void => {
      const { given, session } = told.context;
      given.confirm(required(session, 'session'), foundBy(told));
    },
    notes((told: Told<Said<'it-is-there'>>) => afterDealingWith(told.context, [foundBy(told).document])),
    ...beginsCountdown,
  ],
} as const;

/** A person picks a printer out of several: for this session, and for everything they print from then on. */
export const picksPrinter = {
  guard: ({ context: { generation, given }, event }: Told<Said<'printer'>>): boolean =>
    event.generation === generation &&
    given.printers.length > 1 &&
    given.printers.some(({ name }) => name === event.printer),
  actions: [
    notes(({ event: { printer } }: Told<Said<'printer'>>) => ({ printer, quotes: [] })),
    'applyDefaults',
    ...beginsCountdown,
  ],
} as const;

type Refused = Told<Pick<Choice, 'documents'> & { readonly problem: Problem }>;

/** Documents whose deletion was refused. */
export const comeBack = [
  notes(({ context: { returned, dealtWith }, event: { documents } }: Refused) => ({
    returned: [...returned, ...documents],
    dealtWith: new Set([...dealtWith].filter((gone) => !documents.some(({ uuid }) => uuid === gone))),
  })),
  { type: 'apologise', params: ({ event }: Refused) => ({ error: event.problem }) },
] as const;

export const handOver = [
  ({ context }: In): void => {
    const { given, session, wishes } = context;
    given.release({ session: required(session, 'session'), wishes }, context);
  },
  notes(({ context }: In) => handedOver(context)),
] as const;
