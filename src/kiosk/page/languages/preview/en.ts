/** What is said around the pictures of pages, in English. */
export const preview = {
  lookAt: 'Look at {name}',
  previewPages: 'Pages',
  previewPage: 'Page {page}',
  previewPageOf: 'Page {page} of {pages}',
  pagePicture: 'Picture of page {page}',
  previewBack: 'Previous page',
  previewOn: 'Next page',
  previewMaking: 'The page is being drawn…',
  previewNoKind: 'There are no pictures of documents of this kind. You can print it all the same.',
  previewNoPage: 'The document has no more pages.',
  previewNotFetched: 'The document cannot be fetched at the moment. Please try again later.',
  previewFailed: 'No picture could be made of this page. You can still try to print the document.',
} as const;
