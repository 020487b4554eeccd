/** What is said around the pictures of pages, in Arabic. */
export const preview = {
  lookAt: 'عرض {name}',
  previewPages: 'الصفحات',
  previewPage: 'الصفحة {page}',
  previewPageOf: 'الصفحة {page} من {pages}',
  pagePicture: 'صورة الصفحة {page}',
  previewBack: 'الصفحة السابقة',
  previewOn: 'الصفحة التالية',
  previewMaking: 'يجري رسم الصفحة…',
  previewNoKind: 'لا توجد صور لمستندات من هذا النوع. يمكنك طباعته مع ذلك.',
  previewNoPage: 'ليس في المستند صفحات أخرى.',
  previewNotFetched: 'لا يمكن جلب المستند الآن. يُرجى المحاولة لاحقًا.',
  previewFailed: 'تعذّر إعداد صورة لهذه الصفحة. يمكنك مع ذلك محاولة طباعة المستند.',
};
