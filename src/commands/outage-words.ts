/** Why a terminal is out of service, in words; a reason of a newer or older agent stands as it is. */
import type { OutageView } from '../domain/terminal/terminal-view.ts';

const words: Readonly<Record<OutageView['reason'], string>> = {
  starting: 'it is starting',
  'not-approved': 'an administrator must approve it',
  'switched-off': 'it is switched off in the print service',
  'service-away': 'the print service does not answer',
  'needs-setup': 'it is not set up',
  elsewhere: 'another gateway of the fleet serves it',
  'engine-away': 'the engine of the fleet does not answer',
};

export const outageReason = (reason: string): string =>
  Object.entries(words).find(([known]) => known === reason)?.[1] ?? reason;
