/** What is said of the person in front, in Arabic. */
import type { PersonMessages } from './message.ts';

export const personAr: PersonMessages = {
  notHere: 'لا يمكنك الطباعة على هذه الطابعة. مستنداتك في انتظارك عند طابعاتك الأخرى.',
  keepForMe: 'احفظه لي',
  keptForYou: 'محفوظ لك: {what}',
  forgetKept: 'انسَ ما هو محفوظ لك',
  isKept: 'محفوظ لك',
  defaultsNotKept: 'تعذّر الحفظ. بقي كل شيء كما كان.',
};
