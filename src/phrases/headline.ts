/** The one sentence of a frame that the person reads and hears first. */
import type { MessageKey } from './message.ts';
import type { Phrases } from './phrases.ts';
import { haltOf, lastVerdictOf, waitOf } from './progress.ts';
import { printerNow } from './printer-words.ts';
import type { Shown } from './shown.ts';

const sentences: Readonly<Record<string, MessageKey>> = {
  outOfService: 'outOfService',
  prompting: 'holdCard',
  askingPin: 'pinTitle',
  authenticating: 'oneMoment',
  enrolling: 'enrolTitle',
  signingIn: 'oneMoment',
  registering: 'oneMoment',
  relaying: 'oneMoment',
  listing: 'looking',
  releasing: 'printing',
  leaving: 'goodbye',
  account: 'myAccount',
  stopped: 'restarting',
};

const signedIn: ReadonlySet<string> = new Set(['listing', 'choosing', 'releasing', 'account']);

/** A person is signed in at the terminal, and this frame is for a desk. */
export const isLookedOn = ({ looksOn, state }: Shown): boolean => looksOn === true && signedIn.has(state);

export function headlineOf(frame: Shown, { say }: Phrases): string {
  const { state, readers, documents, account, sentence, notice } = frame;
  if (isLookedOn(frame)) return say('somebodySignedIn');
  // This screen may not know the person.
  if ((state === 'choosing' && !documents) || (state === 'account' && !account))
    return say('somebodySignedIn');
  // A card cannot help.
  if (state === 'prompting' && notice?.code === 'cloud-unreachable') return say('cannotPrintNow');
  if (state === 'prompting' && readers === 'down') return say('readersDown');
  if (state === 'choosing')
    return say(lastVerdictOf(frame) ?? (documents?.length === 0 ? 'nothingWaits' : 'yourDocuments'));
  const key = (state === 'releasing' && (haltOf(printerNow(frame)) ?? waitOf(frame))) || sentences[state];
  return key === undefined ? sentence : say(key);
}
