/** A document that is to be added for a user. */
import type { DocumentInfo } from '../cloud/state.ts';

export interface NewDocument {
  /** A userName. */
  readonly owner: string;
  /** The provider of the owner. Absent: the first user with this name. */
  readonly providerId?: number;
  readonly name: string;
  /** Default 1. Without `bytes`, a sample PDF with this many pages is made. */
  readonly pages?: number;
  readonly bytes?: Buffer;
  /** Differences from an A4 document in colour, one-sided, one copy. */
  readonly info?: Partial<DocumentInfo>;
}
