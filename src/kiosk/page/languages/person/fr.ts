/** What is said of the person in front, in French. */
import type { PersonMessages } from './message.ts';

export const personFr: PersonMessages = {
  notHere:
    'Vous ne pouvez pas imprimer sur cette imprimante. Vos documents vous attendent à vos autres imprimantes.',
  keepForMe: 'Garder pour moi',
  keptForYou: 'Gardé pour vous : {what}',
  forgetKept: 'Oublier ce qui est gardé pour vous',
  isKept: 'Gardé pour vous',
  defaultsNotKept: 'Impossible de garder ce choix. Rien n’a changé.',
};
