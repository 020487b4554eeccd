/** Some of the pages of a document: from and to, both included; counted from 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** `of`: so many pages the whole document has. */
export interface PickedPages extends PageRange {
  readonly of: number;
}
