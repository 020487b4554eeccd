/** Why a terminal is out of service, in words. A reason of a newer or older agent is shown as it is. */
import type { ProblemCode } from '../problem/problem-kinds.ts';
import type { OutageView } from './terminal-view.ts';

const words: Readonly<Record<OutageView['reason'], string>> = {
  starting: 'it is starting',
  'not-approved': 'an administrator must approve it',
  'switched-off': 'it is switched off in the print service',
  'service-away': 'the print service does not answer',
  'needs-setup': 'it is not set up',
  elsewhere: 'another gateway serves it',
  'engine-away': 'it waits for the engine of the fleet',
};

/** Why a badge was ignored. While the agent starts, the start is the only reason. */
export const ignoredBecause = (
  outage: Pick<OutageView, 'reason' | 'code'> = { reason: 'starting' },
): { readonly code: ProblemCode; readonly reason: OutageView['reason'] } => ({
  code: outage.code ?? 'terminal-starting',
  reason: outage.reason,
});

export const outageReason = (reason: string): string =>
  Object.entries(words).find(([known]) => known === reason)?.[1] ?? reason;
