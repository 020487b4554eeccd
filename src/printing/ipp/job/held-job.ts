/**
 * Whether the device itself holds a job until somebody at its panel lets it print: for a policy, a PIN, an account, a
 * button (RFC 8011 sections 5.3.7 and 5.3.8; PWG 5100.11, job-password-wait, job-release-wait). One that still waits for
 * its document is not held.
 */
import type { JobReport } from '../../../domain/release.ts';

export function isHeld({ state, reasons }: Pick<JobReport, 'state' | 'reasons'>): boolean {
  if (reasons.some((reason) => awaitsDocument.includes(reason))) return false;
  if (state === 'pending-held') return true;
  return (
    (state === 'pending' || state === 'processing-stopped') && reasons.some((reason) => holds.test(reason))
  );
}

const awaitsDocument: readonly string[] = ['job-incoming', 'job-data-insufficient'];

const holds =
  /^(job-hold-until-specified|job-held-(by|for)-.+|job-(password|release|digital-signature)-wait|account-.+|resources-are-not-ready|waiting-for-user-action)$/;
