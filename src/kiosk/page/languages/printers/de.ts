/** What is said of several printers at one screen, in German. */
import type { PrinterMessages } from './message.ts';

export const printers: PrinterMessages = {
  printAt: 'Drucken an',
  useThat: '{printer} nehmen',
  insteadTrouble: '{printer} kann jetzt drucken.',
  insteadColor: 'Hier wird es schwarz-weiß gedruckt. {printer} druckt es in Farbe.',
  insteadTwoSided: 'Dieser Drucker druckt nur einseitig. {printer} druckt beidseitig.',
  insteadPaper: 'Dieser Drucker hat nicht das richtige Papier. {printer} hat es.',
  insteadFormat: 'Dieser Drucker nimmt eines Ihrer Dokumente nicht an. {printer} vielleicht.',
};
