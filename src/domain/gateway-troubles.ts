/** The faults of a gateway, as far as its digest and its beats tell (F17), for a person who looks at many gateways. */
import { parseInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, inSeconds, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Severity } from './condition.ts';
import type { GatewayDigest } from './gateway-digest.ts';
import type { SeenGateway } from './ports/gateways.ts';

export interface Trouble {
  readonly severity: Severity;
  /** A terminal id, or `agent`. */
  readonly scope: string;
  /** A code of the closed list of problems, or a word of this file. */
  readonly what: string;
  /** A further explanation, if there is one. */
  readonly detail?: string;
  /** How long the fault has lasted, if that is known. */
  readonly span?: Duration;
}

/** Some records always wait while the service is away. After this time it is a fault. */
const longInOutbox = hours(1);
/** Several beats were due in this time. */
const silentFor = minutes(2);
/** The same limit as in `platen check`. */
const soonOver = 14;

/** Most serious first. Empty if the gateway is well. */
export function troublesOf(seen: SeenGateway): readonly Trouble[] {
  const all = [...ofBeats(seen), ...(seen.hasTold ? [...ofConditions(seen), ...ofFigures(seen)] : [])];
  return [...all.filter(isError), ...all.filter((one) => !isError(one))];
}

const isError = ({ severity }: Trouble): boolean => severity === 'error';

function ofBeats({ isBeating, hasTold, ageSeconds, lastBeatSeconds }: SeenGateway): readonly Trouble[] {
  const agent = { scope: 'agent' };
  if (!isBeating) return [{ severity: 'error', ...agent, what: 'gone', span: seconds(lastBeatSeconds) }];
  if (!hasTold) return [{ severity: 'warning', ...agent, what: 'has told nothing yet' }];
  if (ageSeconds < inSeconds(silentFor)) return [];
  return [{ severity: 'warning', ...agent, what: 'tells nothing new', span: seconds(ageSeconds) }];
}

function ofConditions(seen: SeenGateway): readonly Trouble[] {
  const { conditions, moreConditions, terminals } = seen.digest;
  const named = new Set(conditions.map(({ scope }) => scope));
  return [
    ...conditions.map(({ code, severity, scope, since }) => ({
      severity,
      scope,
      what: code,
      ...spanSince(since, seen),
    })),
    ...(moreConditions > 0
      ? [{ severity: 'warning', scope: 'agent', what: `${moreConditions} more conditions` } as const]
      : []),
    // For the other terminals a condition tells the reason.
    ...terminals.troubled
      .filter(({ id }) => !named.has(id) && !named.has('agent'))
      .map(({ id, state }) => ({ severity: 'error', scope: id, what: state }) as const),
  ];
}

function ofFigures(seen: SeenGateway): readonly Trouble[] {
  const { outbox, unknownOutcomes, certificateDays, config } = seen.digest;
  const oldest = outbox.oldest === null ? {} : spanSince(outbox.oldest, seen);
  const of = (severity: Severity, what: string, more: object = {}): Trouble => ({
    severity,
    scope: 'agent',
    what,
    ...more,
  });
  return [
    ...(outbox.deadLetters > 0 ? [of('error', `dead letters: ${outbox.deadLetters}`)] : []),
    ...((oldest.span ?? 0) > longInOutbox ? [of('warning', 'history not posted', oldest)] : []),
    ...(unknownOutcomes > 0 ? [of('warning', `unknown outcomes: ${unknownOutcomes}`)] : []),
    ...(certificateDays === null ? [] : ofCertificate(certificateDays).map((what) => of(...what))),
    ...ofConfig(config).map((what) => of(...what)),
  ];
}

function ofCertificate(days: number): readonly (readonly [Severity, string])[] {
  if (days < 0) return [['error', 'a certificate has run out']];
  return days < soonOver ? [['warning', `a certificate runs out in ${days} d`]] : [];
}

function ofConfig({
  version,
  wanted,
  refused,
}: GatewayDigest['config']): readonly (readonly [Severity, string, object?])[] {
  if (refused) return [['error', `configuration ${refused.version} refused`, { detail: refused.why }]];
  if (wanted === null || wanted === version) return [];
  return [['warning', `configuration ${version ?? 'of its own'}, and ${wanted} is wanted`]];
}

/** By the gateway's own clock up to its report, and by the engine's clock since then. */
export function spanSince(
  since: string,
  { digest: { at }, ageSeconds }: Pick<SeenGateway, 'digest' | 'ageSeconds'>,
): { readonly span?: Duration } {
  const [begin, until] = [parseInstant(since), parseInstant(at)];
  if (begin === undefined || until === undefined) return {};
  return { span: milliseconds(Math.max(0, until - begin) + seconds(ageSeconds)) };
}
