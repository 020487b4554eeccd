/**
 * All that a scene is judged by. Nothing here asks the agent or shares its code: the trays, the cloud's books, the frames
 * and the bytes that were seen are all there is (INVARIANTS.md, "Invariants").
 */
import type { Chronicle } from '../chronicle.ts';
import { deletions, doubles, forgotten, strangers, unasked } from './printing.ts';
import type { Readings, Release, Violation } from './readings.ts';
import { readChronicle } from './readings.ts';
import { leaks, untruths } from './screens.ts';

/** I1, I12: `completed` is whole, `failed` is nothing. */
function lies(readings: Readings): Violation[] {
  const { nameOf, outputsOf, hasComeOut, habitsAt, releases, wasMute } = readings;
  return releases.flatMap((release) =>
    release.ends.flatMap(({ at, outcome }) => {
      const { document, terminal, startedAt } = release;
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
      if (outcome !== 'failed' || !hasComeOut(release)) return [];
      return [{ invariant: 'I1', terminal, what: `${nameOf(document)} was called failed and came out` }];
    }),
  );
}

/** Printers as they are: what ended otherwise than it should, though nothing but the printer's own habit was in the way. */
function impatience(readings: Readings): Violation[] {
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

/** I2: each output is in the cloud's history in the end. */
function lost({ chronicle, nameOf }: Readings): Violation[] {
  const reported = new Set(chronicle.history.map(({ title }) => title));
  return chronicle.outputs.flatMap(({ document, terminal }) => {
    if (document === undefined || reported.has(nameOf(document))) return [];
    return { invariant: 'I2', terminal, what: `${nameOf(document)} came out and has no history record` };
  });
}

/** I2: more records than releases, where no answer of the service was spoilt and no agent was killed over it. */
function charges({ chronicle, nameOf, outputsOf, releases }: Readings): Violation[] {
  const kills = chronicle.disturbances.filter(({ kind }) => kind === 'kill').length;
  return chronicle.documents.flatMap(({ uuid, name }) => {
    const rows = chronicle.history.filter(({ title }) => title === name);
    const mine = releases.filter(({ document }) => document === uuid);
    const taken = mine.filter(
      ({ ends }) => ends.length === 0 || ends.some(({ outcome }) => outcome !== 'failed'),
    );
    const spoilt = chronicle.calls.filter(
      ({ path, body, fault }) =>
        fault !== undefined && path.endsWith('/documents/history') && body.includes(name),
    );
    const terminal = mine.at(-1)?.terminal;
    if (rows.length > 0 && taken.length === 0 && outputsOf(uuid).length === 0) {
      return {
        invariant: 'I2',
        terminal,
        what: `${nameOf(uuid)} did not come out, all its releases failed, and it was charged`,
      };
    }
    if (rows.length <= taken.length + spoilt.length + kills) return [];
    return {
      invariant: 'I2',
      terminal,
      what: `${nameOf(uuid)} has ${rows.length} history records of ${taken.length} releases`,
    };
  });
}

/** I5: no secret in the log, on a screen or at rest; no title in a record of level info or above. */
function leakedSecrets({ chronicle }: Readings): Violation[] {
  const tokens = chronicle.calls
    .map(({ path, answerBody = '' }) =>
      path.endsWith('/token') || path.endsWith('/login') ? answerBody : '',
    )
    .flatMap((body) => [
      ...body.matchAll(/"(?:access_token|refresh_token|device_code|token)":\s*"([^"]{8,})"/g),
    ])
    .map(([, text = '']) => ({ what: 'a token', text }));
  const secrets = [...chronicle.secrets, ...new Map(tokens.map((one) => [one.text, one])).values()];
  const written = chronicle.log.map(({ line }) => line).join('');
  const shown = chronicle.frames.map(({ frame }) => JSON.stringify(frame)).join('\n');
  const titles = chronicle.documents.filter(({ name }) => written.includes(name));
  return [
    ...secrets.filter(({ text }) => written.includes(text)).map(({ what }) => `the log tells ${what}`),
    ...secrets.filter(({ text }) => shown.includes(text)).map(({ what }) => `a screen shows ${what}`),
    ...chronicle.foundAtRest.map(({ file, what }) => `${file} holds ${what}`),
    ...titles.map(({ name }) => `the log tells the title ${name}`),
  ].map((what) => ({ invariant: 'I5', what }));
}

/** I7: who comes after all is well again is served. */
function unserved({ chronicle, habitsAt, nameOf, outputsOf }: Readings): Violation[] {
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

const brokenOff = ({ chronicle }: Readings): Violation[] =>
  chronicle.troubles.map((what) => ({ invariant: 'I7', what }));

/** What the standards forbid. Of a token that is used again the cloud notes more than is forbidden: see `spentTwice`. */
const deviations = ({ chronicle }: Readings): Violation[] =>
  chronicle.deviations
    .filter((what) => !what.includes('a refresh token was used again'))
    .map((what) => ({ invariant: 'wire', what }));

/**
 * I6: once the service has answered a use of a refresh token and nothing spoilt that, it is not used again, unless the
 * agent was killed before it could know (INVARIANTS.md B.2, steps 6 to 8).
 */
function spentTwice({ chronicle }: Readings): Violation[] {
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

const rules: readonly ((readings: Readings) => readonly Violation[])[] = [
  doubles,
  strangers,
  lies,
  lost,
  charges,
  leaks,
  leakedSecrets,
  unserved,
  brokenOff,
  unasked,
  deletions,
  forgotten,
  untruths,
  impatience,
  deviations,
  spentTwice,
];

export interface Verdict {
  readonly readings: Readings;
  readonly violations: readonly Violation[];
}

export function judgeScene(chronicle: Chronicle): Verdict {
  const readings = readChronicle(chronicle);
  return { readings, violations: rules.flatMap((rule) => rule(readings)) };
}
