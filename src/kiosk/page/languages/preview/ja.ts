/** What is said around the pictures of pages, in Japanese. */
export const preview = {
  lookAt: '{name}を見る',
  previewPages: 'ページ',
  previewPage: '{page} ページ',
  previewPageOf: '{page} / {pages} ページ',
  pagePicture: '{page} ページの画像',
  previewBack: '前のページ',
  previewOn: '次のページ',
  previewMaking: 'ページを描いています…',
  previewNoKind: 'この種類の文書は表示できません。印刷はできます。',
  previewNoPage: 'これより後のページはありません。',
  previewNotFetched: '今は文書を取得できません。後でもう一度お試しください。',
  previewFailed: 'このページの画像を作れませんでした。印刷を試すことはできます。',
};
