/** What is said of pages that did not come out, in English. */
export const missingPages = {
  printMissing: 'Print pages {from} to {to}',
  printMissingOne: 'Print page {to}',
  cameOut: 'The printer counted {n} of {of} pages. Look at the tray.',
} as const;
