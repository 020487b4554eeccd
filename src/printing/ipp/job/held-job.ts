/**
 * Whether the device holds a job until a person at its panel lets it print. The cause may be a policy, a PIN, an
 * account, a button, or a person who has suspended the job. The reason decides in any state. A job that still waits for
 * its document is not held. Sources: RFC 8011 sections 5.3.7 and 5.3.8; PWG 5100.11, job-password-wait and
 * job-release-wait; RFC 3998 section 4.3.1, job-suspended.
 */
import type { JobReport } from '../../../domain/release.ts';
import { hasEnded } from '../../../domain/release.ts';

export function isHeld({ state, reasons }: Pick<JobReport, 'state' | 'reasons'>): boolean {
  if (reasons.some((reason) => awaitsDocument.includes(reason))) return false;
  if (state === 'pending-held') return true;
  return !hasEnded({ state, reasons }) && reasons.some((reason) => holds.test(reason));
}

const awaitsDocument: readonly string[] = ['job-incoming', 'job-data-insufficient'];

const holds =
  /^(job-(hold-until|delay-output-until)-specified|job-suspended(-.+)?|job-held-(by|for)-.+|job-(password|release|digital-signature)-wait|account-.+|resources-are-not-ready|waiting-for-user-action)$/;
