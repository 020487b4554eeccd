/**
 * The sentences that a person reads about a problem, in English. The English words are here only: the closed list of
 * problems and `phrases/en.ts` take them from this file. So a page, a prompt and a message to an administrator say the
 * same. The file has no advice, because a page loads it.
 */
export const problemSentences = {
  serviceAway: 'The print service cannot be reached. We keep trying.',
  serviceBusy: 'The print service is busy. Please try again in a moment.',
  serviceRefused: 'The print service did not allow this. Please ask for help.',
  featureOff: 'This is not available here.',
  terminalSigningIn: 'This terminal is signing in. Please wait a moment.',
  cardAgain: 'Please hold your card to the reader again.',
  /** The same for every reason of a refused login, so that a guesser learns nothing from it (T09). */
  loginRefused: 'That was not accepted. Please try again, or ask for help.',
  loginUnanswered:
    'We do not know whether you were signed in. Please try again. If it was a one-time password, use a new one.',
  documentGone: 'This document is no longer there.',
  documentCut: 'This document did not arrive completely. Nothing was printed. Please try again.',
  documentDamaged: 'This document is damaged. Please send it again from your computer.',
  documentTooLarge: 'This document is too large for this terminal.',
  documentNotPrintable: 'This document cannot be printed here. Please send it as PDF.',
  documentSetAside: 'This document cannot be printed here at the moment. Please ask for help.',
  documentLetters:
    'The terminal does not have all letters of this document. Please send it again as a PDF with its fonts embedded.',
  documentPlaceholder:
    'This document has no pages of its own: other programs make them. Please open it there, and print it from there.',
  documentNotAsRecorded: 'This document has changed. Please send it again from your computer.',
  documentNotWaiting: 'This document is no longer waiting. It was printed or deleted elsewhere.',
  documentTaken: 'This document is already being printed, or was printed.',
  documentTooLong: 'This document is too long to be printed here.',
  balanceLow: 'Your balance is not enough for this document.',
  balanceUnknown: 'Your balance could not be checked. Please try again in a moment.',
  othersAreAsked: 'The other printers are being asked. Print it if you know that it did not come out.',
  printerUnreachable: 'The printer cannot be reached. Is it switched on?',
  printerAttention: 'The printer needs attention. Please look at its display.',
  printerTakesNone: 'The printer does not accept documents at the moment.',
  printerLacksPaper: 'The printer does not have the paper for this document.',
  printerIsBusy: 'The printer is busy. Please try again in a moment.',
  printerRefused: 'The printer did not take this document.',
  printerLimit:
    'The printer takes no more documents at the moment. A limit, such as a quota, may be reached. Please ask for help.',
  printerForbids: 'The printer does not allow this print. Please ask for help.',
  printerGaveUp: 'The printer stopped printing this document. Please try again.',
  printerUnusable: 'This printer cannot be used until an administrator has checked it.',
  lookAtTray: 'We could not confirm this print. Please look at the tray.',
  notPrinted: 'Not printed. The document still waits for you.',
  needsRepair: 'This cannot be printed here until the terminal is repaired.',
  readerAway: 'The card reader is not available.',
  cardLeft: 'A card lies on the reader. Please take it away.',
  cardUnreadable: 'This card cannot be read here.',
  notSetUp: 'This terminal is not fully set up.',
  outOfService: 'This terminal is out of service.',
  restarting: 'This terminal is restarting.',
  noRoom: 'The terminal has no room for this document. Please try again later.',
  cannotRecord: 'The terminal cannot print at the moment. Please try again later.',
  mayHavePrintedBefore: 'This may have printed already. Please look before you print again.',
  ownFault: 'Something went wrong in this terminal. Please try again, or ask for help.',
} as const;
