/** A document that is to wait for somebody. */
import type { DocumentInfo } from '../cloud/state.ts';

export interface NewDocument {
  /** A userName. */
  readonly owner: string;
  /** Of the owner; absent: the first who is called so. */
  readonly providerId?: number;
  readonly name: string;
  /** 1 by default; without `bytes`, a sample PDF of so many pages is made. */
  readonly pages?: number;
  readonly bytes?: Buffer;
  /** What is to differ from an A4 document in colour, one-sided, one copy. */
  readonly info?: Partial<DocumentInfo>;
}
