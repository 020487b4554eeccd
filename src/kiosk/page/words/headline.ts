/** The one sentence of a frame: what the person reads first, and hears. */
import type { Frame } from '../../frame.ts';
import type { MessageKey } from '../languages/message.ts';
import type { Words } from '../languages/words.ts';
import { waitOf } from '../progress.ts';

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
  stopped: 'restarting',
};

export function headlineOf(frame: Frame, { say, language }: Words): string {
  const { state, readers, documents, waiting, sentence } = frame;
  if (state === 'prompting' && readers === 'down') return say('readersDown');
  if (state === 'choosing') {
    if (documents !== undefined) return say(documents.length === 0 ? 'nothingWaits' : 'yourDocuments');
    // A screen that is not told of the documents knows only what the badge may do.
    if (language.code !== 'en') return say(waiting === 0 ? 'nothingWaits' : 'holdCardAgain');
    return sentence;
  }
  const key = (state === 'releasing' && waitOf(frame)) || sentences[state];
  return key === undefined ? sentence : say(key);
}
