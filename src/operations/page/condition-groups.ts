/** The conditions of all gateways by their codes. No browser, no markup. */
import type { ToldGateway } from '../ui/answers.ts';
import type { OwnStatus } from './own-status.ts';

export interface ConditionPlace {
  readonly member: string;
  readonly name: string;
  readonly site: string;
  /** A terminal id, or `agent`. */
  readonly scope: string;
  readonly isSelf: boolean;
  /** By that gateway's own clock. */
  readonly since: string;
  /** Only for this gateway. */
  readonly detail?: string;
  readonly isTakenOn: boolean;
}

export interface ConditionGroup {
  readonly code: string;
  readonly severity: string;
  readonly places: readonly ConditionPlace[];
}

/** The worst first, then the most frequent. `own` has all conditions of this gateway, with their details. */
export function conditionGroups(
  gateways: readonly ToldGateway[],
  own: OwnStatus | undefined,
): readonly ConditionGroup[] {
  const all = gateways.flatMap(({ digest, isSelf }) => {
    const { member, name, site } = digest;
    const conditions = isSelf && own ? own.conditions : digest.conditions;
    return conditions.map((condition) => ({
      ...condition,
      member,
      name,
      site,
      isSelf,
      isTakenOn: condition.acknowledged !== undefined,
    }));
  });
  return [...Map.groupBy(all, ({ code }) => code)]
    .map(([code, within]) => ({
      code,
      severity: within.some(({ severity }) => severity === 'error') ? 'error' : 'warning',
      places: within.map(placeOf),
    }))
    .toSorted(
      (one, other) =>
        Number(other.severity === 'error') - Number(one.severity === 'error') ||
        other.places.length - one.places.length ||
        one.code.localeCompare(other.code),
    );
}

const placeOf = ({
  member,
  name,
  site,
  scope,
  isSelf,
  since,
  isTakenOn,
  ...condition
}: Omit<ConditionPlace, 'detail'> & { readonly detail?: string }): ConditionPlace => ({
  member,
  name,
  site,
  scope,
  isSelf,
  since,
  isTakenOn,
  ...(condition.detail === undefined ? {} : { detail: condition.detail }),
});
