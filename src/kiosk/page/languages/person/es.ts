/** What is said of the person in front, in Spanish. */
import type { PersonMessages } from './message.ts';

export const personEs: PersonMessages = {
  notHere: 'No puede imprimir en esta impresora. Sus documentos le esperan en sus otras impresoras.',
};
