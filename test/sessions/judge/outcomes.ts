/** What the log calls a release against what lies in the tray, and whether a release that nothing disturbed ended well. */
import type { Readings, Release, Violation } from './readings.ts';

/** I1, I12: `completed` is whole, `failed` is nothing. */
export function lies(readings: Readings): Violation[] {
  const { nameOf, outputsOf, habitsAt, releases, wasMute } = readings;
  return releases.flatMap(({ document, terminal, startedAt, nextAt, ends }) =>
    ends.flatMap(({ at, outcome }) => {
      const outputs = outputsOf(document);
      if (outcome === 'completed' && !outputs.some((one) => one.whole && one.at <= at)) {
        const { concealsLoss, handsOver } = habitsAt(terminal);
        if (concealsLoss || handsOver || wasMute(terminal, startedAt, at)) return [];
        return [
          {
            invariant: 'I12',
            terminal,
            what: `${nameOf(document)} was called completed and had not come out whole`,
          },
        ];
      }
      const came = outputs.some((one) => one.at >= startedAt && one.at < nextAt);
      if (outcome !== 'failed' || !came) return [];
      return [{ invariant: 'I1', terminal, what: `${nameOf(document)} was called failed and came out` }];
    }),
  );
}

/** Printers as they are: what ended otherwise than it should, though nothing but the printer's own habit was in the way. */
export function impatience(readings: Readings): Violation[] {
  const { habitsAt, nameOf, releases } = readings;
  return releases.flatMap((release) => {
    const end = release.ends.at(-1);
    if (!end || isDisturbed(readings, release, end.at)) return [];
    const fine = habitsAt(release.terminal).ends;
    // What never began is no printer's doing.
    if (
      fine.includes(end.outcome) ||
      (end.outcome === 'failed' && !/^printer|^transfer/.test(end.code ?? ''))
    )
      return [];
    const { terminal, document } = release;
    return [
      {
        invariant: 'patience',
        terminal,
        what: `${nameOf(document)} ended as ${end.outcome} (${end.code}), and nothing was wrong`,
      },
    ];
  });
}

/** By anything at all that went wrong at that time, at that printer or on the way to the service. */
function isDisturbed({ chronicle }: Readings, { startedAt, terminal }: Release, endedAt: number): boolean {
  return chronicle.disturbances.some((one) => {
    if (one.kind === 'printer' && one.terminal !== terminal) return false;
    return one.at <= endedAt && (one.until ?? Number.POSITIVE_INFINITY) >= startedAt - aftermath;
  });
}

/** Milliseconds: so long a jam that is cleared, or a word that was lost, is not over. */
const aftermath = 60_000;
