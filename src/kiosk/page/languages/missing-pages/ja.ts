/** What is said of pages that did not come out, in Japanese. */
export const missingPages = {
  printMissing: '{from}～{to} ページを印刷',
  printMissingOne: '{to} ページを印刷',
  cameOut: 'プリンターが数えたのは {of} ページ中 {n} ページです。トレイを確認してください。',
};
