/** What is said of the person in front, in French. */
import type { PersonMessages } from './message.ts';

export const personFr: PersonMessages = {
  notHere:
    'Vous ne pouvez pas imprimer sur cette imprimante. Vos documents vous attendent à vos autres imprimantes.',
};
