/** I7: who comes after all is well again is served; and nothing was said on the wire that its standard forbids. */
import type { Readings, Violation } from './readings.ts';

export function unserved({ chronicle, habitsAt, nameOf, outputsOf }: Readings): Violation[] {
  return chronicle.visits
    .filter(({ isProof }) => isProof)
    .flatMap(({ terminal, person, documents, openedAt }) => {
      if (openedAt === undefined)
        return [{ invariant: 'I7', terminal, what: `${person} is not served after all was well again` }];
      if (habitsAt(terminal).ends.some((end) => end !== 'completed')) return [];
      return documents
        .filter((uuid) => outputsOf(uuid).length === 0)
        .map((uuid) => ({
          invariant: 'I7',
          terminal,
          what: `${nameOf(uuid)} does not come out after all was well again`,
        }));
    });
}

export const brokenOff = ({ chronicle }: Readings): Violation[] =>
  chronicle.troubles.map((what) => ({ invariant: 'I7', what }));

/** What the standards forbid. Of a token that is used again the cloud notes more than is forbidden: see `spentTwice`. */
export const deviations = ({ chronicle }: Readings): Violation[] =>
  chronicle.deviations
    .filter((what) => !what.includes('a refresh token was used again'))
    .map((what) => ({ invariant: 'wire', what }));

/**
 * I6: once the service has answered a use of a refresh token and nothing spoilt that, it is not used again, unless the
 * agent was killed before it could know (INVARIANTS.md B.2, steps 6 to 8).
 */
export function spentTwice({ chronicle }: Readings): Violation[] {
  const kills = chronicle.disturbances.filter(({ kind }) => kind === 'kill').map(({ at }) => at);
  const uses = chronicle.calls.filter(({ body }) => body.includes('grant_type=refresh_token'));
  const byToken = Map.groupBy(uses, ({ body }) => new URLSearchParams(body).get('refresh_token'));
  return [...byToken.values()].flatMap((mine) =>
    mine.flatMap(({ at }, index) => {
      const answered = mine.slice(0, index).find(({ fault }) => fault === undefined);
      const hasDied = kills.some((kill) => answered && kill >= answered.at && kill <= at);
      if (!answered || hasDied) return [];
      return { invariant: 'I6', what: `a refresh token was used ${index + 1} times, after it was answered` };
    }),
  );
}
