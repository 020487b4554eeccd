/** What is said around the pictures of pages, in Spanish. */
export const preview = {
  lookAt: 'Ver {name}',
  previewPages: 'Páginas',
  previewPage: 'Página {page}',
  previewPageOf: 'Página {page} de {pages}',
  pagePicture: 'Imagen de la página {page}',
  previewBack: 'Página anterior',
  previewOn: 'Página siguiente',
  previewMaking: 'Se está dibujando la página…',
  previewNoKind: 'No hay imágenes de documentos de este tipo. Puede imprimirlo de todos modos.',
  previewNoPage: 'El documento no tiene más páginas.',
  previewNotFetched: 'El documento no se puede obtener en este momento. Inténtelo más tarde.',
  previewFailed:
    'No se pudo hacer ninguna imagen de esta página. Aun así puede intentar imprimir el documento.',
};
