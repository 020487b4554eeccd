/** What the log says of those whom the agent tells of itself: receivers of conditions and of traces. */
import type { Sentences } from './sentence.ts';
import { because, counted, said } from './sentence.ts';

export const tellingSentences: Sentences = {
  'notification sent': ({ way, came, went, lasting }) =>
    `Told ${said(way)}: ${counted(came, 'condition')} came, ${said(went)} went, ${said(lasting)} still there.`,
  'notification failed': (facts) =>
    `${said(facts['way']) || 'A receiver'} could not be told.${because(facts)}`,
  'notifications not kept': (facts) =>
    `It could not be kept who was told of what; some of it may be told twice.${because(facts)}`,
  'traces not sent': (facts) => `The receiver of traces does not take them.${because(facts)}`,
  'traces sent again': () => 'The receiver of traces takes them again.',
};
