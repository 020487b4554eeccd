/**
 * Before and after an update: the results of the releases of the last seven days, by the version at their beginning.
 * Releases come from the ledger, versions from the timeline.
 */
import { isoInstant } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { EndedRelease } from '../../domain/ports/ledger.ts';
import { openReleaseRegister } from '../../store/ledger/release-register.ts';
import { timelineOf } from '../../store/files/timeline-files.ts';
import type { Status } from './schema.ts';

export interface VersionRecord {
  /** `null`: before the first known start. */
  readonly version: string | null;
  readonly releases: number;
  readonly failed: number;
  readonly unknown: number;
  /** From the choice to the end, for completed releases; `null` if there are none. */
  readonly medianSeconds: number | null;
}

export interface KnownStart {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly version: string;
}

const span = hours(7 * 24);

/** Empty if ledger or timeline cannot be read. `platen check` tells the reason, and the rest is still shown. */
export function lastSevenDays(options: {
  readonly stateDir: string;
  readonly terminal: string | undefined;
  readonly status: Pick<Status, 'version' | 'startedAt'>;
  readonly now: number;
}): readonly VersionRecord[] {
  const { stateDir, terminal, status, now } = options;
  try {
    using register = openReleaseRegister({ stateDir });
    const releases = register.ended(isoInstant(now - span), terminal);
    return releases.length === 0 ? [] : byVersion(releases, [...startsIn(stateDir), ...startOf(status)]);
  } catch {
    return [];
  }
}

const startsIn = (stateDir: string): readonly KnownStart[] =>
  [...timelineOf({ stateDir, what: 'agent started' })].flatMap(({ time, facts: { version } }) =>
    typeof version === 'string' ? [{ time, version }] : [],
  );

/** The agent may run for longer than the timeline is kept. */
const startOf = ({ version, startedAt }: Pick<Status, 'version' | 'startedAt'>): readonly KnownStart[] =>
  startedAt === undefined ? [] : [{ time: startedAt, version }];

/** The newest version first. */
export function byVersion(
  releases: readonly EndedRelease[],
  starts: readonly KnownStart[],
): readonly VersionRecord[] {
  const inOrder = starts.toSorted((one, other) => (one.time < other.time ? -1 : 1));
  const groups = new Map<string | null, EndedRelease[]>(
    [...inOrder.toReversed().map(({ version }) => version), null].map((version) => [version, []]),
  );
  for (const release of releases) {
    const ran = inOrder.findLast(({ time }) => time <= release.startedAt);
    groups.get(ran?.version ?? null)?.push(release);
  }
  return [...groups].filter(([, of]) => of.length > 0).map(([version, of]) => recordOf(version, of));
}

function recordOf(version: string | null, releases: readonly EndedRelease[]): VersionRecord {
  const count = (outcome: EndedRelease['outcome']) =>
    releases.filter((one) => one.outcome === outcome).length;
  const completed = releases.filter(({ outcome }) => outcome === 'completed');
  return {
    version,
    releases: releases.length,
    failed: count('failed'),
    unknown: count('unknown'),
    medianSeconds: medianOf(completed.map(({ seconds }) => seconds)),
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [below, above] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return below === undefined || above === undefined ? null : (below + above) / 2;
}
