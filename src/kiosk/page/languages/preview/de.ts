/** What is said around the pictures of pages, in German. */
export const preview = {
  lookAt: '{name} ansehen',
  previewPages: 'Seiten',
  previewPage: 'Seite {page}',
  previewPageOf: 'Seite {page} von {pages}',
  pagePicture: 'Bild von Seite {page}',
  previewBack: 'Vorige Seite',
  previewOn: 'Nächste Seite',
  previewMaking: 'Die Seite wird gezeichnet…',
  previewNoKind: 'Von Dokumenten dieser Art gibt es keine Bilder. Drucken können Sie es trotzdem.',
  previewNoPage: 'Das Dokument hat keine weiteren Seiten.',
  previewNotFetched: 'Das Dokument ist im Moment nicht zu holen. Bitte versuchen Sie es später noch einmal.',
  previewFailed:
    'Von dieser Seite ließ sich kein Bild machen. Sie können trotzdem versuchen, das Dokument zu drucken.',
};
