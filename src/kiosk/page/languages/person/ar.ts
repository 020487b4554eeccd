/** What is said of the person in front, in Arabic. */
import type { PersonMessages } from './message.ts';

export const personAr: PersonMessages = {
  notHere: 'لا يمكنك الطباعة على هذه الطابعة. مستنداتك في انتظارك عند طابعاتك الأخرى.',
};
