/**
 * The words of a person in front to a terminal, by finger or by keys. Each word has a row, with its data and with the
 * views that offer it. The kiosk parses a page's words by this table. Kiosk and prompt send only words that the view
 * offers. The states in `terminal/machine.ts` say what a word does.
 */
import * as z from 'zod';
import { Secret } from '../../core/secret.ts';
import { documentLimits } from '../document.ts';
import * as changes from '../document-changes.ts';
import { paperWork } from '../printer/paper-work-form.ts';
import { languageCodes } from '../language.ts';
import type { TypedCredentials } from '../login.ts';
import type { CardView } from './account-view.ts';
import type { DocumentView, TerminalView } from './terminal-view.ts';

const text = z.string().min(1).max(1024);
const secret = text.transform((typed) => new Secret(typed));
const documentUuid = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
/**
 * Printed or deleted in the list's order. A request body has no room for more; a longer choice is sent in parts, and
 * each part counts.
 */
const documentUuids = z.array(documentUuid).min(1).max(500).readonly();
const sides = z.enum(['one-sided', 'two-sided-long-edge', 'two-sided-short-edge']).optional();
/** Counted from 1. */
const page = z.int().min(1).max(documentLimits.pages);
/** More ranges than a person types. */
const chosenPages = z
  .array(z.strictObject({ from: page, to: page }))
  .min(1)
  .max(100)
  .readonly();
const copies = z.int().min(1).max(documentLimits.copies);
/** The card's place in the list of this edition. */
const place = z.int().min(0).max(1000);
const edition = z.int().nonnegative();

const logIn = (credentials: TypedCredentials) => ({ credentials });
/** Credentials in place of a badge. */
const credentials = z.discriminatedUnion('way', [
  z
    .strictObject({ way: z.literal('short-id'), shortId: secret })
    .transform(({ way: kind, ...typed }) => logIn({ kind, ...typed })),
  z
    .strictObject({ way: z.literal('password'), userName: text, password: secret })
    .transform(({ way: kind, ...typed }) => logIn({ kind, ...typed })),
  z
    .strictObject({ way: z.literal('name'), userName: text })
    .transform(({ way: kind, ...typed }) => logIn({ kind, ...typed })),
  z
    .strictObject({ way: z.literal('email'), email: text })
    .transform(({ way: kind, ...typed }) => logIn({ kind, ...typed })),
]);

interface Row<Carried, Written> {
  readonly said: z.ZodType<Carried, Written>;
  /** The view has the generation that the word answers. */
  isOfferedBy(view: TerminalView, said: Carried): boolean;
}

const row = <Carried, Written>(
  said: z.ZodType<Carried, Written>,
  isOfferedBy: (view: TerminalView, said: Carried) => boolean,
): Row<Carried, Written> => ({ said, isOfferedBy });

const nothing: z.ZodType<object, object> = z.strictObject({});

export const personsWords = {
  'log-in': row(credentials, ({ offers = [] }, said) => offers.includes(said.credentials.kind)),
  /** The PIN of the badge that was held. */
  pin: row(z.strictObject({ pin: secret }), ({ asks }) => asks === 'pin'),
  /** The new owner of the unknown badge. The password may be a one-time password. */
  enrol: row(z.strictObject({ userName: text, password: secret }), ({ asks }) => asks === 'enrollment'),
  release: row(z.strictObject({ documentUuids }), (view, said) => !view.notHere && picksSome(view, said)),
  /** The person was told that the document may have printed, and wants it once more (I1). */
  'print-again': row(
    z.strictObject({ documentUuid }),
    (view, said) => !view.notHere && isInDoubt(view, said),
  ),
  /** As `print-again`, for only the pages that did not come out by the printer's count. */
  'print-missing': row(
    z.strictObject({ documentUuid, from: page, to: page }),
    (view, said) => !view.notHere && isMissing(view, said),
  ),
  /** The person found a document that may have been printed. It counts as printed, and leaves the list. */
  'it-is-there': row(z.strictObject({ documentUuid }), (view, said) => isInDoubt(view, said)),
  /** Shows a page before anything is printed. It replaces the page that was shown before. */
  preview: row(
    z.strictObject({ documentUuid, page }),
    ({ offersPreview, documents = [] }, said) =>
      offersPreview === true && documents.some((one) => isSeen(one, said)),
  ),
  'end-preview': row(nothing, ({ preview }) => preview !== undefined),
  /** The list could not be fetched, and the person wants another try. */
  'look-again': row(nothing, ({ notice }) => notice?.code === 'list-stale'),
  /** In the cloud. */
  delete: row(
    z.strictObject({ documentUuids }),
    (view, said) => view.state === 'choosing' && picksSome(view, said),
  ),
  /** How one document is to be printed in this session, within the limits that its view offers. */
  change: row(
    z.strictObject({
      documentUuid,
      copies,
      color: z.boolean(),
      sides,
      work: paperWork.optional(),
      chosenPages: chosenPages.optional(),
      onPaper: z.string().min(1).max(32).optional(),
    }),
    ({ state, documents = [] }, said) =>
      state === 'choosing' &&
      documents.some((one) => one.uuid === said.documentUuid && changes.isOffered(one, said)),
  ),
  /** Picks one of several printers by its name. Everything that this session prints from now on goes there. */
  printer: row(
    z.strictObject({ printer: text }),
    ({ chosenPrinter, printers = [] }, { printer }) =>
      chosenPrinter !== undefined && printers.some(({ name }) => name === printer),
  ),
  /** The language of the person who is signed in. It is remembered with their badge, if a badge signed them in. */
  language: row(z.strictObject({ language: z.enum(languageCodes) }), (view) => isSignedIn(view)),
  /** Kept with the badge that signed the person in, whatever documents there are. */
  'keep-defaults': row(
    z.strictObject({ grey: z.boolean(), twoSided: z.boolean(), work: paperWork.optional() }),
    ({ defaults }) => defaults !== undefined,
  ),
  'forget-defaults': row(nothing, ({ defaults }) => defaults?.kept !== undefined),
  /** About the stick that they put in. */
  'open-stick': row(nothing, ({ state, stick }) => state === 'choosing' && stick?.stage === 'in'),
  'bring-file': row(
    z.strictObject({ file: place, edition }),
    ({ stick }, said) =>
      stick?.stage === 'files' && said.edition === stick.edition && said.file < (stick.files?.length ?? 0),
  ),
  'close-stick': row(nothing, ({ stick }) => stick !== undefined && !['in', 'several'].includes(stick.stage)),
  'open-account': row(nothing, ({ offersAccount }) => offersAccount === true),
  'close-account': row(nothing, ({ account }) => account !== undefined),
  'drop-card': row(
    z.strictObject({ card: place, edition }),
    ({ account }, { card }) =>
      account?.stage === 'open' && account.may.drop && isLoose(account.cards?.[card]),
  ),
  'register-card': row(nothing, ({ account }) => account?.stage === 'open' && account.may.register),
  'new-short-id': row(nothing, ({ account }) => account?.stage === 'open' && account.may.shortId),
  /** The password that a change of the account asks for first. */
  prove: row(z.strictObject({ password: secret }), ({ account }) => account?.stage === 'proving'),
  /** The person no longer wants that change. */
  'step-back': row(
    nothing,
    ({ account }) => account?.stage === 'proving' || account?.stage === 'awaiting-card',
  ),
  /** The person touches keys or screen, so the countdown starts again. */
  'still-there': row(nothing, (view) => isInUse(view)),
  /** Also cancels a login, or a question for the PIN or for the card's owner. */
  'log-out': row(nothing, (view) => isInUse(view)),
};

type Words = typeof personsWords;
export type WordType = keyof Words;
/** `generation`: of the view that the word answers. A word to an older view no longer counts (INVARIANTS.md D2, I3). */
export type Said<Type extends WordType> = { readonly generation: number } & z.output<Words[Type]['said']>;
export type WordOf<Type extends WordType> = { [One in Type]: { readonly type: One } & Said<One> }[Type];
export type PersonsWord = WordOf<WordType>;
/** A change of their own account. */
export type AccountDeed = WordOf<'drop-card' | 'register-card' | 'new-short-id'>;
/** About the stick that they put in. */
export type StickWord = WordOf<'open-stick' | 'bring-file' | 'close-stick'>;

export function isOffered(word: PersonsWord, view: TerminalView): boolean {
  // The row of the word's own type fits it.
  const { isOfferedBy } = personsWords[word.type] as Pick<Row<PersonsWord, unknown>, 'isOfferedBy'>;
  return word.generation === view.generation && isOfferedBy(view, word);
}

/** A person has begun to log in, or is signed in. */
export const isInUse = ({ state }: TerminalView): boolean =>
  !['outOfService', 'prompting', 'relaying', 'stopped'].includes(state);

/** A person is signed in. */
export const isSignedIn = ({ state }: TerminalView): boolean =>
  ['listing', 'choosing', 'releasing', 'account'].includes(state);

/** A card of theirs that they do not hold in their hand. */
const isLoose = (card: CardView | undefined): boolean => card !== undefined && card.isHeld !== true;

interface OfOne {
  readonly documentUuid: string;
}

const isInDoubt = ({ mayHavePrinted = [] }: TerminalView, { documentUuid: uuid }: OfOne): boolean =>
  mayHavePrinted.some((one) => one.documentUuid === uuid);

const isMissing = (
  { mayHavePrinted = [] }: TerminalView,
  said: OfOne & { readonly from: number; readonly to: number },
): boolean =>
  mayHavePrinted.some(
    ({ documentUuid: uuid, missing }) =>
      uuid === said.documentUuid && missing?.from === said.from && missing.to === said.to,
  );

/** A document that may be printed can also be looked at. */
const isSeen = ({ uuid, standing }: DocumentView, said: OfOne): boolean =>
  uuid === said.documentUuid && (standing === 'releasable' || standing === 'may-have-printed');

const picksSome = (
  { documents = [] }: TerminalView,
  said: { readonly documentUuids: readonly string[] },
): boolean =>
  documents.some(({ uuid, standing }) => standing === 'releasable' && said.documentUuids.includes(uuid));
