/**
 * What a person in front says to a terminal, by finger or by keys. What the kiosk's schema parses is one of these words,
 * the prompt makes the same, and the terminal takes them as they are.
 */
import type { Secret } from '../../core/secret.ts';
import type { Defaults, Wanted } from '../document-changes.ts';
import type { PageRange } from '../page-range.ts';
import type { LanguageCode } from '../language.ts';
import type { TypedCredentials } from '../login.ts';

/** What it answers: what an older view showed is not meant any more (INVARIANTS.md D2, I3). */
interface Answer {
  readonly generation: number;
}

/** Some of the open session's list, printed or deleted in the list's order; others are ignored, with a record. */
export interface Picked extends Answer {
  readonly documentUuids: readonly string[];
}

/** One document. */
export interface Said extends Answer {
  readonly documentUuid: string;
}

/** One page of it, counted from 1. */
export interface SaidOfPage extends Said {
  readonly page: number;
}

/** Some of its pages, which the view names. */
export interface SaidOfPages extends Said, PageRange {}

/** How one document is to be printed, within what its view offers; for this session. */
export type Changed = Said & Wanted;

/** Of the badge that signed the person in, whatever documents there are. */
export type KeepDefaults = Answer & Defaults;

/** By its name, of several; for this session. */
export interface PickedPrinter extends Answer {
  readonly printer: string;
}

/** A change of their own account; `card`: its place in the list of this edition. */
export type AccountDeed =
  | ({ readonly type: 'drop-card'; readonly card: number; readonly edition: number } & Answer)
  | ({ readonly type: 'register-card' } & Answer)
  | ({ readonly type: 'new-short-id' } & Answer);

/** Of the stick that they put in; `file`: its place in the list of this edition. */
export type StickWord =
  | ({ readonly type: 'open-stick' } & Answer)
  | ({ readonly type: 'bring-file'; readonly file: number; readonly edition: number } & Answer)
  | ({ readonly type: 'close-stick' } & Answer);

/** Instead of a badge. */
export interface TypedLogin extends Answer {
  readonly credentials: TypedCredentials;
}

/** Of the person who is signed in; remembered with their badge, if that signed them in. */
export interface ChosenLanguage extends Answer {
  readonly language: LanguageCode;
}

export type PersonsWord =
  | ({ readonly type: 'release' } & Picked)
  /** It is to be shown before anything is printed, in place of what was shown before. */
  | ({ readonly type: 'preview' } & SaidOfPage)
  /** The list could not be fetched, and is to be. */
  | ({ readonly type: 'look-again' } & Answer)
  | ({ readonly type: 'end-preview' } & Answer)
  /** In the cloud. */
  | ({ readonly type: 'delete' } & Picked)
  | ({ readonly type: 'change' } & Changed)
  /** What is printed from now on goes there. */
  | ({ readonly type: 'printer' } & PickedPrinter)
  /** The person, told that the document may have been printed, wants it once more (I1). */
  | ({ readonly type: 'print-again' } & Said)
  /** Of that, the pages alone that did not come out by the printer's count. */
  | ({ readonly type: 'print-missing' } & SaidOfPages)
  /** The person found what may have been printed: it counts as printed, and leaves the list. */
  | ({ readonly type: 'it-is-there' } & Said)
  /** Also takes back a login, or a question for the PIN or for whose the card is. */
  | ({ readonly type: 'log-out' } & Answer)
  | ({ readonly type: 'log-in' } & TypedLogin)
  /** Of the badge that was held. */
  | ({ readonly type: 'pin'; readonly pin: Secret } & Answer)
  /** Whose the unknown badge is to be; the password may be a one-time password. */
  | ({ readonly type: 'enrol'; readonly userName: string; readonly password: Secret } & Answer)
  | ({ readonly type: 'language' } & ChosenLanguage)
  | ({ readonly type: 'keep-defaults' } & KeepDefaults)
  | ({ readonly type: 'forget-defaults' } & Answer)
  | ({ readonly type: 'open-account' } & Answer)
  | ({ readonly type: 'close-account' } & Answer)
  | AccountDeed
  | StickWord
  /** Of whoever is signed in: what a change of the account asks for first. */
  | ({ readonly type: 'prove'; readonly password: Secret } & Answer)
  /** They do not want that change after all. */
  | ({ readonly type: 'step-back' } & Answer)
  /** Somebody touches keys or screen: what would end for want of that begins anew. */
  | ({ readonly type: 'still-there' } & Answer);
