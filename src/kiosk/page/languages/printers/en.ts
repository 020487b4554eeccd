/** What is said of several printers at one screen, in English. */
export const printers = {
  printAt: 'Print at',
  useThat: 'Use {printer}',
  insteadTrouble: '{printer} can print now.',
  insteadColor: 'Here it comes out in black and white. At {printer} it does not.',
  insteadTwoSided: 'This printer prints on one side only. {printer} prints on both sides.',
  insteadPaper: 'This printer does not have the right paper. {printer} does.',
  insteadFormat: 'This printer does not take one of your documents. {printer} may.',
} as const;
