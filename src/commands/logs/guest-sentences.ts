/** What the log says of guests: who came, who went, and who could not. */
import type { Sentences } from './sentence.ts';
import { because, counted, listed, said } from './sentence.ts';

export const guestSentences: Sentences = {
  'guest let in': ({ guest, hours }) => `Guest ${said(guest)} may print for ${counted(hours, 'hour')}.`,
  'guest not let in': (facts) => `Guest ${said(facts['guest'])} got no access.${because(facts)}`,
  'guest ended': ({ guest }) =>
    `The time of guest ${said(guest)} has ended, and the service has deleted the user.`,
  'guests sent away': ({ guests }) => `An administrator ends guests: ${listed(guests) || 'there are none'}.`,
  'guests not ended': (facts) => `Platen could not end guests whose time is over.${because(facts)}`,
};
