/** Pictures of single pages, for whoever wants to look at a document before it is printed. */
import type { CallOptions } from './call.ts';
import type { Download } from './service.ts';

export interface WantedPage {
  /** Counted from 1. */
  readonly page: number;
  /** As the service calls it; of documents that do not say how large their pages are. */
  readonly paperSize: string | undefined;
}

/** `no-such-page`: the document has fewer · `no-preview`: nobody here can make pictures of such a document. */
export type PagePicture =
  | { readonly kind: 'picture'; readonly png: Buffer }
  | { readonly kind: 'no-such-page' | 'no-preview' };

export interface PagePictures {
  /**
   * Reads the download to its end, or gives it up; nothing of it is kept. Rejects as `Converter.convert` does, or with the
   * download's own problem. The octets of the picture are the caller's.
   */
  of(download: Download, wanted: WantedPage, options: CallOptions): Promise<PagePicture>;
}
