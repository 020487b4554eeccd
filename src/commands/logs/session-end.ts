/** The end of a session and the result of its wishes: for the log and the timeline. */
import type { Facts } from './sentence.ts';
import { said } from './sentence.ts';

/**
 * `reasons`: words for all reasons except `released`, where the counts tell the result. An older record without counts
 * has fewer words.
 */
export function sessionEnd(facts: Facts, reasons: Readonly<Record<string, string>>): string {
  const { documents, notPrinted = 0, unknown = 0 } = facts;
  const reason = said(facts['reason']);
  const missing = [
    notPrinted === 0 ? [] : [`${said(notPrinted)} of ${said(documents)} not printed`],
    unknown === 0 ? [] : [`${said(unknown)} of ${said(documents)} perhaps not printed`],
  ].flat();
  if (reason !== 'released') return [reasons[reason] ?? reason, ...missing].join('; ');
  if (documents === undefined) return 'all requested prints ended';
  if (documents === 0) return 'nothing was waiting';
  return missing.length === 0 ? 'everything was printed' : missing.join(', ');
}
