/** What is said of pages that did not come out, in French. */
export const missingPages = {
  printMissing: 'Imprimer les pages {from} à {to}',
  printMissingOne: 'Imprimer la page {to}',
  cameOut: 'L’imprimante a compté {n} pages sur {of}. Regardez dans le bac.',
};
