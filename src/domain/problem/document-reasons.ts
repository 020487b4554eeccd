/** The reasons why a document cannot be prepared, if they have a sentence of their own. */

import { problemSentences } from './problem-sentences.ts';

/** Something that a document needs and that is missing here. */
export type DocumentNeed = 'letters';

interface DocumentReason {
  readonly person: string;
  readonly advice: string;
  readonly need: DocumentNeed;
}

const reasons: Readonly<Record<string, DocumentReason>> = {
  'letters-missing': {
    person: problemSentences.documentLetters,
    advice:
      'The document does not contain its fonts, and the fonts of this machine do not have all its letters. For Chinese and Japanese install the package fonts-droid-fallback, for Korean fonts-nanum.',
    need: 'letters',
  },
};

export const documentReason = (words: readonly string[]): DocumentReason | undefined =>
  words.map((word) => reasons[word]).find((reason) => reason !== undefined);
