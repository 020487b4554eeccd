/** What is said of several printers at one screen, in French. */
import type { PrinterMessages } from './message.ts';

export const printers: PrinterMessages = {
  printAt: 'Imprimer sur',
  useThat: 'Utiliser {printer}',
  insteadTrouble: '{printer} peut imprimer maintenant.',
  insteadColor: 'Ici, l’impression est en noir et blanc. {printer} imprime en couleur.',
  insteadTwoSided: 'Cette imprimante imprime sur un seul côté. {printer} imprime recto verso.',
  insteadPaper: 'Cette imprimante n’a pas le bon papier. {printer} l’a.',
  insteadFormat: 'Cette imprimante n’accepte pas un de vos documents. {printer} le peut peut-être.',
};
