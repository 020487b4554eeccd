/** What is said of the person in front, in Spanish. */
import type { PersonMessages } from './message.ts';

export const personEs: PersonMessages = {
  notHere: 'No puede imprimir en esta impresora. Sus documentos le esperan en sus otras impresoras.',
  keepForMe: 'Guardar para mí',
  keptForYou: 'Guardado para usted: {what}',
  forgetKept: 'Olvidar lo guardado para usted',
  isKept: 'Guardado para usted',
  defaultsNotKept: 'No se ha podido guardar. Todo sigue como antes.',
};
