/** What is said of several printers at one screen, in Japanese. */
import type { PrinterMessages } from './message.ts';

export const printers: PrinterMessages = {
  printAt: '印刷先',
  useThat: '{printer}を使う',
  insteadTrouble: '{printer}は今すぐ印刷できます。',
  insteadColor: 'このプリンターでは白黒になります。{printer}ならカラーで印刷できます。',
  insteadTwoSided: 'このプリンターは片面印刷だけです。{printer}なら両面に印刷できます。',
  insteadPaper: 'このプリンターには合う用紙がありません。{printer}にはあります。',
  insteadFormat: 'このプリンターでは印刷できない文書があります。{printer}なら印刷できるかもしれません。',
};
