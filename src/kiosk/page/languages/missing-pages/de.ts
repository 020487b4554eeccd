/** What is said of pages that did not come out, in German. */
export const missingPages = {
  printMissing: 'Seiten {from} bis {to} drucken',
  printMissingOne: 'Seite {to} drucken',
  cameOut: 'Der Drucker hat {n} von {of} Seiten gezählt. Sehen Sie im Fach nach.',
};
