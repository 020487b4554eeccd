/** What the log says of a fleet and its engine, in words. */
import type { Sentences } from './sentence.ts';
import { because, said } from './sentence.ts';

export const fleetSentences: Sentences = {
  'engine found': ({ engine, version }) =>
    `The engine of the fleet is ${said(engine)}, PostgreSQL ${said(version)}.`,
  'engine away': (facts) => `The engine of the fleet cannot be used.${because(facts)}`,
  'engine back': ({ engine, awaySeconds }) =>
    `The engine of the fleet is back after ${said(awaySeconds)} s: ${said(engine)}.`,
};
