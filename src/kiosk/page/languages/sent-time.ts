/** When a document was sent, as one says it: today and at what time, yesterday, or on which day. */

/** The local calendar decides what today is. */
export function createSentTime(locale: string): (sentAt: Date, now: Date) => string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const thisYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const otherYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return (sentAt, now) => {
    const daysAgo = dayOf(now) - dayOf(sentAt);
    if (daysAgo === 0) return `${relative.format(0, 'day')} ${clock.format(sentAt)}`;
    if (daysAgo === 1) return relative.format(-1, 'day');
    return (sentAt.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(sentAt);
  };
}

/** Counts the days of the local calendar. */
const dayOf = (at: Date): number => Math.floor((at.getTime() - at.getTimezoneOffset() * 60_000) / 86_400_000);
