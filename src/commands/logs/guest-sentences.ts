/** What the log says of guests: who came, who went, and who could not. */
import type { Sentences } from './sentence.ts';
import { because, counted, listed, said } from './sentence.ts';

export const guestSentences: Sentences = {
  'guest let in': ({ guest, hours }) => `Guest ${said(guest)} may print for ${counted(hours, 'hour')}.`,
  'guest not let in': (facts) => `Guest ${said(facts['guest'])} was not let in.${because(facts)}`,
  'guest ended': ({ guest }) => `Guest ${said(guest)} has ended, and is gone from the service.`,
  'guests sent away': ({ guests }) => `An administrator ends guests: ${listed(guests) || 'there are none'}.`,
  'guests not ended': (facts) => `Guests whose time is over could not be ended.${because(facts)}`,
};
