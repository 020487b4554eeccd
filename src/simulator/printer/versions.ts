/**
 * The IPP versions that a virtual printer understands (RFC 8011 section 4.1.8), and its refusal of others. The standard
 * requires server-error-version-not-supported with the printer's own version. Real printers answer in several other
 * ways.
 */
import type { Message } from '../../ipp/message.ts';
import type { Habits } from './habits/habits.ts';
import type { Reply } from './reply.ts';

interface OldPrinter {
  readonly understands: readonly string[];
  readonly own: readonly [number, number];
  readonly refuses: string;
}

function oldPrinter(habits: Habits): OldPrinter | undefined {
  const oldest = habits.value('only-ipp-1.0');
  if (oldest !== undefined) return { understands: ['1.0'], own: [1, 0], refuses: oldest };
  const old = habits.value('only-ipp-1.1');
  return old === undefined ? undefined : { understands: ['1.0', '1.1'], own: [1, 1], refuses: old };
}

export const understoodVersions = (habits: Habits): readonly string[] =>
  oldPrinter(habits)?.understands ?? ['1.1', '2.0'];

/** The answer of a printer that is older than the request: only an HTTP status, or an IPP message. */
export function refusedVersion(
  habits: Habits,
  { version }: Message,
): { http: number; reply?: undefined } | { http?: undefined; reply: Reply } | undefined {
  const old = oldPrinter(habits);
  if (old === undefined || old.understands.includes(version.join('.'))) return undefined;
  const { own } = old;
  switch (old.refuses) {
    case 'http-400':
      return { http: 400 };
    case 'http-505':
      return { http: 505 };
    case '0400':
      return { reply: { status: 'client-error-bad-request', version: own } };
    case 'request-id-0':
      return { reply: { status: 'server-error-version-not-supported', version: own, requestId: 0 } };
    default:
      return { reply: { status: 'server-error-version-not-supported', version: own } };
  }
}
