/** What is said of pages that did not come out, in Arabic. */
export const missingPages = {
  printMissing: 'طباعة الصفحات من {from} إلى {to}',
  printMissingOne: 'طباعة الصفحة {to}',
  cameOut: 'عدّت الطابعة {n} من {of} صفحة. انظر في الدرج.',
};
