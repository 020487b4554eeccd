/** What is said of the person in front, in Japanese. */
import type { PersonMessages } from './message.ts';

export const personJa: PersonMessages = {
  notHere: 'このプリンターでは印刷できません。文書は、ご利用になれるほかのプリンターで印刷できます。',
  keepForMe: '自分用に保存',
  keptForYou: '保存した設定：{what}',
  forgetKept: '保存した設定を消す',
  isKept: '保存しました',
  defaultsNotKept: '保存できませんでした。設定は元のままです。',
};
