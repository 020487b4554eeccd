/** What is said of several printers at one screen, in Arabic. */
import type { PrinterMessages } from './message.ts';

export const printers: PrinterMessages = {
  printAt: 'الطباعة على',
  useThat: 'استخدام {printer}',
  insteadTrouble: 'يمكن الطباعة الآن على {printer}.',
  insteadColor: 'تكون الطباعة هنا بالأبيض والأسود. أما {printer} فتطبع بالألوان.',
  insteadTwoSided: 'هذه الطابعة تطبع على وجه واحد فقط. أما {printer} فتطبع على الوجهين.',
  insteadPaper: 'لا يوجد في هذه الطابعة الورق المناسب. وهو موجود في {printer}.',
  insteadFormat: 'هذه الطابعة لا تقبل أحد مستنداتك. قد تقبله {printer}.',
};
