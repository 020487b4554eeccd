/** What is said around the pictures of pages, in French. */
export const preview = {
  lookAt: 'Regarder {name}',
  previewPages: 'Pages',
  previewPage: 'Page {page}',
  previewPageOf: 'Page {page} sur {pages}',
  pagePicture: 'Image de la page {page}',
  previewBack: 'Page précédente',
  previewOn: 'Page suivante',
  previewMaking: 'La page se dessine…',
  previewNoKind: 'Il n’y a pas d’image pour ce genre de document. Vous pouvez quand même l’imprimer.',
  previewNoPage: 'Le document n’a pas d’autre page.',
  previewNotFetched: 'Le document ne peut pas être récupéré pour le moment. Veuillez réessayer plus tard.',
  previewFailed:
    'Aucune image n’a pu être faite de cette page. Vous pouvez quand même essayer d’imprimer le document.',
};
