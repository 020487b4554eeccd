/** What is said of the person in front, in Japanese. */
import type { PersonMessages } from './message.ts';

export const personJa: PersonMessages = {
  notHere: 'このプリンターでは印刷できません。文書は、ご利用になれるほかのプリンターで印刷できます。',
};
