/** Pictures of single pages, for a person who wants to look at a document before it is printed. */
import type { CallOptions } from './call.ts';
import type { Download } from './service.ts';

export interface WantedPage {
  /** Counted from 1. */
  readonly page: number;
  /** In the service's word. Used if the document does not give the size of its pages. */
  readonly paperSize: string | undefined;
}

/** `no-such-page`: the document has fewer pages · `no-preview`: no picture of such a document can be made here. */
export type PagePicture =
  | { readonly kind: 'picture'; readonly png: Buffer }
  | { readonly kind: 'no-such-page' | 'no-preview' };

export interface PagePictures {
  /**
   * Reads the download to its end, or gives it up, and keeps nothing of it. Rejects as `Converter.convert` does, or
   * with the download's own problem. The caller owns the octets of the picture.
   */
  of(download: Download, wanted: WantedPage, options: CallOptions): Promise<PagePicture>;
}
