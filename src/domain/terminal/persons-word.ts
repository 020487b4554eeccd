/**
 * What a person in front says to a terminal, by finger or by keys: one row a word, with what it carries and when a view
 * offers it. The kiosk parses what a page sends by this table; kiosk and prompt say no word that the view does not offer.
 * What a word does is in the states of `terminal/machine.ts`.
 */
import * as z from 'zod';
import { Secret } from '../../core/secret.ts';
import { documentLimits } from '../document.ts';
import * as changes from '../document-changes.ts';
import { languageCodes } from '../language.ts';
import type { TypedCredentials } from '../login.ts';
import type { CardView } from './account-view.ts';
import type { DocumentView, TerminalView } from './terminal-view.ts';

const text = z.string().min(1).max(1024);
const secret = text.transform((typed) => new Secret(typed));
const documentUuid = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
/** Printed or deleted in the list's order. More than a body has room for; a longer choice is said in parts, each of which counts. */
const documentUuids = z.array(documentUuid).min(1).max(500).readonly();
const sides = z.enum(['one-sided', 'two-sided-long-edge', 'two-sided-short-edge']).optional();
/** Counted from 1. */
const page = z.int().min(1).max(documentLimits.pages);
const copies = z.int().min(1).max(documentLimits.copies);
/** Its place in the list of this edition. */
const place = z.int().min(0).max(1000);
const edition = z.int().nonnegative();

const logIn = (credentials: TypedCredentials) => ({ credentials });
/** Instead of a badge. */
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
  /** Of the badge that was held. */
  pin: row(z.strictObject({ pin: secret }), ({ asks }) => asks === 'pin'),
  /** Whose the unknown badge is to be; the password may be a one-time password. */
  enrol: row(z.strictObject({ userName: text, password: secret }), ({ asks }) => asks === 'enrollment'),
  release: row(z.strictObject({ documentUuids }), (view, said) => !view.notHere && picksSome(view, said)),
  /** The person, told that the document may have been printed, wants it once more (I1). */
  'print-again': row(
    z.strictObject({ documentUuid }),
    (view, said) => !view.notHere && isInDoubt(view, said),
  ),
  /** Of that, the pages alone that did not come out by the printer's count. */
  'print-missing': row(
    z.strictObject({ documentUuid, from: page, to: page }),
    (view, said) => !view.notHere && isMissing(view, said),
  ),
  /** The person found what may have been printed: it counts as printed, and leaves the list. */
  'it-is-there': row(z.strictObject({ documentUuid }), (view, said) => isInDoubt(view, said)),
  /** It is to be shown before anything is printed, in place of what was shown before. */
  preview: row(
    z.strictObject({ documentUuid, page }),
    ({ offersPreview, documents = [] }, said) =>
      offersPreview === true && documents.some((one) => isSeen(one, said)),
  ),
  'end-preview': row(nothing, ({ preview }) => preview !== undefined),
  /** The list could not be fetched, and is to be. */
  'look-again': row(nothing, ({ notice }) => notice?.code === 'list-stale'),
  /** In the cloud. */
  delete: row(
    z.strictObject({ documentUuids }),
    (view, said) => view.state === 'choosing' && picksSome(view, said),
  ),
  /** How one document is to be printed, within what its view offers; for this session. */
  change: row(
    z.strictObject({ documentUuid, copies, color: z.boolean(), sides }),
    ({ state, documents = [] }, said) =>
      state === 'choosing' &&
      documents.some((one) => one.uuid === said.documentUuid && changes.isOffered(one, said)),
  ),
  /** By its name, of several: what is printed from now on in this session goes there. */
  printer: row(
    z.strictObject({ printer: text }),
    ({ chosenPrinter, printers = [] }, { printer }) =>
      chosenPrinter !== undefined && printers.some(({ name }) => name === printer),
  ),
  /** Of the person who is signed in; remembered with their badge, if that signed them in. */
  language: row(z.strictObject({ language: z.enum(languageCodes) }), (view) => isSignedIn(view)),
  /** Of the badge that signed the person in, whatever documents there are. */
  'keep-defaults': row(
    z.strictObject({ grey: z.boolean(), twoSided: z.boolean() }),
    ({ defaults }) => defaults !== undefined,
  ),
  'forget-defaults': row(nothing, ({ defaults }) => defaults?.kept !== undefined),
  /** Of the stick that they put in. */
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
  /** Of whoever is signed in: what a change of the account asks for first. */
  prove: row(z.strictObject({ password: secret }), ({ account }) => account?.stage === 'proving'),
  /** They do not want that change after all. */
  'step-back': row(
    nothing,
    ({ account }) => account?.stage === 'proving' || account?.stage === 'awaiting-card',
  ),
  /** Somebody touches keys or screen: what would end for want of that begins anew. */
  'still-there': row(nothing, (view) => isSomebodys(view)),
  /** Also takes back a login, or a question for the PIN or for whose the card is. */
  'log-out': row(nothing, (view) => isSomebodys(view)),
};

type Words = typeof personsWords;
export type WordType = keyof Words;
/** `generation`: of the view it answers. What an older view showed is not meant any more (INVARIANTS.md D2, I3). */
export type Said<Type extends WordType> = { readonly generation: number } & z.output<Words[Type]['said']>;
export type WordOf<Type extends WordType> = { [One in Type]: { readonly type: One } & Said<One> }[Type];
export type PersonsWord = WordOf<WordType>;
/** A change of their own account. */
export type AccountDeed = WordOf<'drop-card' | 'register-card' | 'new-short-id'>;
/** Of the stick that they put in. */
export type StickWord = WordOf<'open-stick' | 'bring-file' | 'close-stick'>;

export function isOffered(word: PersonsWord, view: TerminalView): boolean {
  // Its own row takes it.
  const { isOfferedBy } = personsWords[word.type] as Pick<Row<PersonsWord, unknown>, 'isOfferedBy'>;
  return word.generation === view.generation && isOfferedBy(view, word);
}

/** Somebody has begun to say who they are, or has been let in. */
export const isSomebodys = ({ state }: TerminalView): boolean =>
  !['outOfService', 'prompting', 'relaying', 'stopped'].includes(state);

/** Somebody has been let in. */
export const isSignedIn = ({ state }: TerminalView): boolean =>
  ['listing', 'choosing', 'releasing', 'account'].includes(state);

/** One of theirs that they do not hold in their hand. */
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

/** It can be looked at, as what may be printed can. */
const isSeen = ({ uuid, standing }: DocumentView, said: OfOne): boolean =>
  uuid === said.documentUuid && (standing === 'releasable' || standing === 'may-have-printed');

const picksSome = (
  { documents = [] }: TerminalView,
  said: { readonly documentUuids: readonly string[] },
): boolean =>
  documents.some(({ uuid, standing }) => standing === 'releasable' && said.documentUuids.includes(uuid));
