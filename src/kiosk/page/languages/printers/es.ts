/** What is said of several printers at one screen, in Spanish. */
import type { PrinterMessages } from './message.ts';

export const printers: PrinterMessages = {
  printAt: 'Imprimir en',
  useThat: 'Usar {printer}',
  insteadTrouble: '{printer} puede imprimir ahora.',
  insteadColor: 'Aquí se imprime en blanco y negro. {printer} imprime en color.',
  insteadTwoSided: 'Esta impresora solo imprime por una cara. {printer} imprime a doble cara.',
  insteadPaper: 'Esta impresora no tiene el papel adecuado. {printer} sí.',
  insteadFormat: 'Esta impresora no admite uno de sus documentos. {printer} quizá sí.',
};
