/** The log messages about people in front of a terminal, in words: cards, logins, sessions, the page and the prompt. */
import { outageReason } from '../../domain/terminal/outage-words.ts';
import type { Facts, Sentences } from './sentence.ts';
import { because, counted, said } from './sentence.ts';
import { sessionEnd } from './session-end.ts';

const ends: Readonly<Record<string, string>> = {
  badge: 'a card was held to the reader',
  logout: 'the person signed out',
  timeout: 'nobody used the terminal',
  stopped: 'Platen stopped',
  error: 'something went wrong',
};

const ways: Readonly<Record<string, string>> = {
  card: 'a card',
  'card-pin': 'a card and a PIN',
  'short-id': 'an ID number',
  password: 'a name and a password',
  name: 'a name',
  email: 'an e-mail address',
};

const deeds: Readonly<Record<string, string>> = {
  drop: 'a card dropped',
  register: 'a card registered',
  'short-id': 'a new ID number',
};

const relayed: Readonly<Record<string, string>> = {
  taken: 'the service prints the documents',
  refused: 'the service refused',
  unknown: 'no answer came',
};

const known = (words: Readonly<Record<string, string>>, fact: unknown): string =>
  (typeof fact === 'string' && Object.hasOwn(words, fact) ? words[fact] : undefined) ?? said(fact);

export const personSentences: Sentences = {
  'card read': ({ reader }) => `A card was read${at(reader)}.`,
  'card removed': ({ reader }) => `The card was taken away${from(reader)}.`,
  'card ignored': ({ reader, reason }) =>
    `A card was read${at(reader)} and ignored${said(reason) && `: ${outageReason(said(reason))}`}.`,
  'card relayed': (facts) =>
    `Platen reported a card to the print service: ${known(relayed, facts['outcome'])}.${because(facts)}`,
  'card not converted': (facts) =>
    `A card was read${at(facts['reader'])}, but the card rule does not fit its number.${because(facts)}`,
  'card registered': () => 'A new card was registered for the person who signed in.',
  'card not registered': (facts) => `A new card could not be registered.${because(facts)}`,
  'card without a number': ({ reader }) => `A card without a number was held to the reader ${said(reader)}.`,
  'second card ignored': ({ reader }) => `A second card was read${at(reader)} and ignored.`,
  'garbage read': ({ reader }) => `The reader${at(reader)} sent data that is not a card number.`,
  'login failed': (facts) =>
    isPlainRefusal(facts)
      ? `Sign-in with ${known(ways, facts['way'])} refused: card unknown, PIN wrong, or user locked.`
      : `Sign-in with ${known(ways, facts['way'])} failed${lockedBy(facts['locked'])}.${because(facts)}`,
  'session opened': () => 'A person signed in.',
  'session closed': (facts) => `The session ended: ${sessionEnd(facts, ends)}.`,
  'choice ignored': ({ documents }) =>
    documents === undefined
      ? 'A choice came too late and was ignored.'
      : `${counted(documents, 'document')} of a choice could not be printed.`,
  'printer not permitted': () => 'The print service does not let this person print at this printer.',
  'print permission not said': (facts) =>
    `The print service did not say whether this person may print here.${because(facts)}`,
  'preview not made': (facts) => `A page of a document could not be shown.${because(facts)}`,
  'stick read': ({ files }) => `A person looked at ${counted(files, 'file')} on their USB stick.`,
  'stick not read': (facts) => `A USB stick could not be read.${because(facts)}`,
  'file brought': ({ octets }) =>
    `A file of a USB stick was sent to the print service (${said(octets)} octets).`,
  'file not brought': (facts) =>
    `A file of a USB stick could not be sent to the print service.${because(facts)}`,
  'list failed': (facts) => `The list of documents could not be fetched.${because(facts)}`,
  'list not looked at again': (facts) => `The list of documents could not be fetched again.${because(facts)}`,
  'quote failed unexpectedly': (facts) => `The cost of a document is not known.${because(facts)}`,
  'documents deleted': ({ documents }) => `The person deleted ${counted(documents, 'document')}.`,
  'language not remembered': (facts) => `The chosen language could not be saved.${because(facts)}`,
  'account changed': ({ deed }) => `A person changed their account: ${known(deeds, deed)}.`,
  'account not changed': (facts) =>
    `A change of an account (${known(deeds, facts['deed'])}) failed.${because(facts)}`,
  'cards given back': ({ cards, left }) =>
    `A person got back cards that were removed together with a lost card: ${said(cards)}.${leftOut(left)}`,
  'cards not given back': (facts) =>
    `Platen could not give back cards that were removed together with a lost card. It tries again at the next sign-in of their owner.${because(facts)}`,
  'owed cards given up': ({ userId, providerId }) =>
    `User ${said(userId)} of provider ${said(providerId)} did not sign in for a month, so Platen no longer gives the cards back. Register them in the print service.`,
  'owed cards not written': (facts) =>
    `Platen could not write the list of cards that it must give back.${because(facts)}`,
  'owed cards unreadable': ({ people }) =>
    `Platen had to give back cards of ${counted(people, 'person')}, but can no longer read them. Register the cards in the print service.`,
  'account not read': (facts) => `A part of an account could not be fetched.${because(facts)}`,
  'defaults not kept': (facts) => `Platen could not save a person's settings for documents.${because(facts)}`,
  'terminal shows': ({ state }) => `The screen shows: ${said(state)}.`,
  'kiosk launched': () => "The kiosk's browser was started.",
  'kiosk launch refused': (facts) =>
    `A browser was started with a launch secret that is wrong or was already used. Start the browser again.${because(facts)}`,
  'kiosk caller refused': ({ uid }) =>
    `Another user of this machine${uid === undefined ? '' : ` (uid ${said(uid)})`} asked for the kiosk page and was refused.`,
  'prompt up': ({ tty }) => `The prompt on ${said(tty)} works.`,
  'prompt down': (facts) => `The prompt on ${said(facts['tty'])} does not work.${because(facts)}`,
  'prompt still down': (facts) => `The prompt on ${said(facts['tty'])} still does not work.${because(facts)}`,
};

/** A refusal whose record has no further reason. */
const isPlainRefusal = ({ code, locked, detail }: Facts): boolean =>
  code === 'login-refused' &&
  locked === undefined &&
  (detail === undefined || said(detail).startsWith('Sign-in refused'));

const leftOut = (cards: unknown): string =>
  cards === undefined
    ? ''
    : ` ${counted(cards, 'card')} did not come back, because another person has it now or another card replaced it.`;

const at = (reader: unknown): string => (said(reader) === '' ? '' : ` at ${said(reader)}`);
const from = (reader: unknown): string => (said(reader) === '' ? '' : ` from ${said(reader)}`);

const lockedBy = (by: unknown): string => (said(by) === '' ? '' : ` (paused: ${said(by)})`);
