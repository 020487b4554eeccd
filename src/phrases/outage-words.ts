/** Why nobody can be served, in words. */
import type { OutageView } from '../domain/terminal/terminal-view.ts';
import type { SentenceKey } from './message.ts';

export const outageWords: Readonly<Record<OutageView['reason'], SentenceKey>> = {
  starting: 'terminalSigningIn',
  'not-approved': 'whyNotApproved',
  'switched-off': 'whySwitchedOff',
  'service-away': 'serviceAway',
  'needs-setup': 'notSetUp',
  elsewhere: 'whyElsewhere',
  'engine-away': 'whyEngineAway',
};
