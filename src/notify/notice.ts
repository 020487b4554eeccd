/**
 * A condition as a receiver is told of it: its kind, its place and its beginning. The detail is left out, because it
 * may quote a printer's own words. The kind gives the meaning and the advice (domain/problem).
 */
import type { Condition, Severity } from '../domain/condition.ts';

export interface Notice extends Pick<Condition, 'code' | 'severity' | 'scope' | 'subject'> {
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface GoneNotice extends Notice {
  /** ISO 8601, UTC. */
  readonly until: string;
}

export interface SeenCondition extends Condition {
  readonly since: string;
}

export const noticeOf = ({ code, severity, scope, subject, since }: Notice): Notice => ({
  code,
  severity,
  scope,
  subject,
  since,
});

/** Severity is left out: a condition stays the same when it gets worse. A scope and a code hold no slash. */
export const keyOf = ({ scope, code, subject }: Pick<Notice, 'scope' | 'code' | 'subject'>): string =>
  `${scope}/${code}/${subject}`;

export interface Selection {
  readonly severity: Severity;
  readonly terminals?: readonly string[] | undefined;
  readonly conditions?: readonly string[] | undefined;
}

export const isSelected = (
  { severity, scope, code }: Pick<Notice, 'severity' | 'scope' | 'code'>,
  only: Selection,
): boolean =>
  (only.severity === 'warning' || severity === 'error') &&
  (only.terminals?.includes(scope) ?? true) &&
  (only.conditions?.includes(code) ?? true);
