/** One condition: its kind, place, beginning and detail, with advice. */
import type { ComponentChildren } from 'preact';
import { adviceOf, titleOf } from '../plain-words.ts';
import { Mark, Moment } from './facts.tsx';

interface ConditionItemProps {
  readonly code: string;
  readonly severity: string;
  readonly where: ComponentChildren;
  readonly since: string;
  /** Only the gateway itself has the detail. */
  readonly detail?: string | undefined;
  readonly children?: ComponentChildren;
}

export const ConditionItem = ({ code, severity, where, since, detail, children }: ConditionItemProps) => (
  <li class="condition">
    <h3>
      <SeverityMark severity={severity} /> <span class="title">{titleOf(code)}</span>
    </h3>
    <p>
      {where} · since <Moment at={since} />
    </p>
    {detail !== undefined && <p>{detail}</p>}
    <p class="advice">{adviceOf(code)}</p>
    {children}
  </li>
);

export const SeverityMark = ({ severity }: { readonly severity: string }) =>
  severity === 'error' ? <Mark tone="bad">Error</Mark> : <Mark tone="warn">Warning</Mark>;
