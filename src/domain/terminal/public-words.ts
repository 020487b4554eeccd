/**
 * The words of a terminal for a passer-by (I3): the sentence of its state, and five notices that concern no single
 * person. All its other words (a number of documents, a balance, a place) are for the person in front.
 */
import { problemSentences } from '../problem/problem-sentences.ts';
import type { Notice, NoticeCode } from './notice.ts';
import { refusalNotice } from './notice.ts';
import type { TerminalView } from './terminal-view.ts';

const say = (code: NoticeCode, sentence: string): Notice => ({ code, sentence });

export const slow = say('service-slow', 'The print service does not answer. Still trying…');
export const away = say('cloud-unreachable', problemSentences.serviceAway);
export const relayed = say('card-relayed', 'Your documents are being printed.');

/** It is not known whether the service has the badge, and a second badge could print everything twice. */
export const perhapsRelayed = say(
  'card-perhaps-relayed',
  'Your documents may be printing already. Look at the printer before you hold your card to the reader again.',
);

/** A person may hold a badge in front of a screen without a pass, and must know what to do. */
const publicNotices: ReadonlyMap<NoticeCode, Notice> = new Map(
  [slow, away, refusalNotice, relayed, perhapsRelayed].map((notice) => [notice.code, notice]),
);

const sentences: Readonly<Record<string, string>> = {
  outOfService: 'This terminal is not signed in. Please use another one.',
  prompting: 'Hold your card to the reader.',
  askingPin: 'Please type the PIN of your card.',
  authenticating: 'One moment, please.',
  enrolling:
    'Is this card new? Sign in with your user name and your password or one-time password. Then the card is yours.',
  signingIn: 'One moment, please.',
  registering: 'Your card is being registered.',
  relaying: 'One moment, please.',
  listing: 'Looking for your documents.',
  choosing: 'You are signed in.',
  releasing: 'Printing. Please wait for your pages.',
  account: 'You are signed in.',
  leaving: 'Goodbye.',
  stopped: 'This terminal is being restarted.',
};

type Standing = Pick<TerminalView, 'state' | 'outage' | 'readers' | 'offers'>;

/** The sentence of the state, and of the obstacle if there is one. */
export function stateSentence({ state, outage, readers, offers = [] }: Standing): string {
  if (state === 'outOfService') return outageSentence(outage) ?? sentences[state] ?? '';
  if (state !== 'prompting' || readers !== 'down') return sentences[state] ?? '';
  const instead = offers.length > 0 ? 'Please sign in by typing.' : 'Please use another terminal.';
  return `The card reader does not answer. ${instead}`;
}

/** A longer sentence if more is known than that the terminal is out of service. */
function outageSentence({
  reason,
  by,
}: Partial<NonNullable<TerminalView['outage']>> = {}): string | undefined {
  if (reason === 'starting') return 'This terminal is starting. One moment, please.';
  if (reason === 'elsewhere') return `This printer is served by ${by} at the moment.`;
  return reason === 'engine-away' ? 'This terminal waits for the engine of its fleet.' : undefined;
}

/** In the words of this file, whatever the view's own words are. */
export const publicNotice = ({ notice }: Pick<TerminalView, 'notice'>): Notice | undefined =>
  notice && publicNotices.get(notice.code);

export const publicSentence = (view: Standing & Pick<TerminalView, 'notice'>): string =>
  publicNotice(view)?.sentence ?? (isAnothers(view) ? 'Somebody is signed in.' : stateSentence(view));

/** The sentence of the state is for the person who is signed in. */
const isAnothers = ({ state }: Standing): boolean => state === 'choosing' || state === 'account';
