/** What is said of the person in front, in German. */
import type { PersonMessages } from './message.ts';

export const personDe: PersonMessages = {
  notHere:
    'An diesem Drucker dürfen Sie nicht drucken. Ihre Dokumente warten an Ihren anderen Druckern auf Sie.',
  keepForMe: 'Für mich merken',
  keptForYou: 'Für Sie gemerkt: {what}',
  forgetKept: 'Vergessen, was für Sie gemerkt ist',
  isKept: 'Für Sie gemerkt',
  defaultsNotKept: 'Das konnte nicht gemerkt werden. Es ist wie zuvor.',
};
