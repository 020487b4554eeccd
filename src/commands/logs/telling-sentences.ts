/** What the log says of those whom the agent tells of itself: receivers of conditions and of traces. */
import type { Sentences } from './sentence.ts';
import { because, counted, said } from './sentence.ts';

export const tellingSentences: Sentences = {
  'notification sent': ({ way, came, went, lasting }) =>
    `Message sent by ${said(way)}: ${counted(came, 'condition')} began, ${said(went)} ended, ${said(lasting)} continue.`,
  'notification failed': (facts) =>
    `Platen could not send a message by ${said(facts['way']) || 'a receiver'}.${because(facts)}`,
  'notifications not kept': (facts) =>
    `Platen could not save which messages it has sent, so it may send some twice.${because(facts)}`,
  'traces not sent': (facts) => `The receiver of traces does not accept them.${because(facts)}`,
  'traces sent again': () => 'The receiver of traces accepts them again.',
};
