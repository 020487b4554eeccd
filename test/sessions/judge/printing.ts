/** What came out of the printers against what was wanted, said and done: I1, I9, I11, and what is deleted. */
import type { Readings, Violation } from './readings.ts';

/** I1: a second output only after a person's explicit word, each after one of its own. */
export function doubles({ chronicle, nameOf, outputsOf, wordsOn }: Readings): Violation[] {
  return chronicle.documents.flatMap(({ uuid }) => {
    const words = wordsOn(uuid, 'print-again');
    return outputsOf(uuid).flatMap(({ at, terminal }, before) => {
      const allowed = words.filter((word) => word.at <= at).length;
      if (before <= allowed) return [];
      return {
        invariant: 'I1',
        terminal,
        what: `${nameOf(uuid)} came out ${before + 1} times, ${allowed} times by word`,
      };
    });
  });
}

/** Bytes that are nobody's document, or not those of the document. */
export function strangers({ chronicle }: Readings): Violation[] {
  return chronicle.outputs
    .filter(({ document }) => document === undefined)
    .map(({ terminal }) => ({
      invariant: 'I1',
      terminal,
      what: 'something came out that is no document of anybody',
    }));
}

/** I9: nothing comes out but after a login, a list with the document, and where prints are charged a good balance. */
export function unasked(readings: Readings): Violation[] {
  const { chronicle, document, nameOf } = readings;
  const whole = chronicle.calls.filter(({ fault }) => fault === undefined || fault.startsWith('slow-'));
  const answeredWell = whole.filter(({ status }) => status === 200);
  const lists = answeredWell.filter(({ method, path }) => method === 'GET' && path === '/api/v1/documents');
  const logins = answeredWell.filter(({ path }) => path === '/api/v1/login');
  return chronicle.outputs.flatMap(({ document: uuid = '', at, terminal }) => {
    const owner = document(uuid)?.owner;
    const person = chronicle.people.find(({ userName }) => userName === owner);
    if (!owner || !person) return [];
    const isBefore = (call: { readonly at: number }) => call.at <= at;
    const isPaid = isBalanceClear(readings, { owner, at, startedAt: startOf(readings, uuid, at) });
    const missing = [
      logins.some((call) => isBefore(call) && call.body.includes(person.card)) ? '' : 'login',
      lists.some((call) => isBefore(call) && call.answerBody?.includes(uuid)) ? '' : 'list entry',
      isPaid ? '' : 'positive balance',
    ].filter((what) => what !== '');
    return missing.map((what) => ({
      invariant: 'I9',
      terminal,
      what: `${nameOf(uuid)} came out without ${what}`,
    }));
  });
}

/**
 * A definite yes for this person; or nobody knew yet that prints are charged, or the service said that they are not or
 * that it decides by itself (src/cloud/README.md 12, row 35).
 */
function isBalanceClear(
  { chronicle }: Readings,
  { owner, at, startedAt }: { owner: string; at: number; startedAt: number },
): boolean {
  if (!chronicle.isBalanceChecked) return true;
  const calls = chronicle.calls.filter((call) => call.path === '/api/v1/balance/check' && call.at <= at);
  const isWhole = ({ fault, status }: (typeof calls)[number]) =>
    status === 200 && (fault === undefined || fault.startsWith('slow-'));
  const isYes = ({ answerBody = '' }: (typeof calls)[number]) =>
    /"sufficientBalance":\s*true/.test(answerBody);
  // An agent that is killed at that very moment does not hear the answer.
  const isHeard = (call: { readonly at: number }) =>
    !chronicle.disturbances.some(({ kind, at: then }) => kind === 'kill' && then === call.at);
  // What the service says to others while this document is printed comes too late for it.
  const isKnown = calls.some((call) => isWhole(call) && isHeard(call) && call.at <= startedAt);
  const owners = calls.filter(({ user }) => user === owner);
  const isOff = owners.some(({ status = 0 }) => [403, 404, 405].includes(status));
  return !isKnown || isOff || owners.some((call) => isWhole(call) && isYes(call));
}

/** Of the release that this came out of. */
const startOf = ({ releases }: Readings, uuid: string, at: number): number =>
  Math.max(
    ...releases
      .filter(({ document, startedAt }) => document === uuid && startedAt <= at)
      .map(({ startedAt }) => startedAt),
  );

/** D6: gone from the cloud only what came out whole, or what its owner gave up. */
export function deletions(readings: Readings): Violation[] {
  const { chronicle, nameOf, outputsOf, wordsOn, habitsAt, releases, wasMute } = readings;
  return chronicle.calls
    .filter(({ method, path, status = 0 }) => {
      return method === 'DELETE' && path.startsWith('/api/v1/documents/') && status >= 200 && status < 300;
    })
    .flatMap(({ path, at }) => {
      const uuid = decodeURIComponent(path.slice('/api/v1/documents/'.length));
      const isOut = outputsOf(uuid).some((output) => output.whole && output.at <= at);
      const isGivenUp = (['it-is-there', 'delete'] as const).some((command) =>
        wordsOn(uuid, command).some((word) => word.at <= at),
      );
      const mine = releases.filter(({ document }) => document === uuid);
      const isBlind = mine.some(({ terminal, startedAt }) => {
        const { concealsLoss, handsOver } = habitsAt(terminal);
        return handsOver || concealsLoss || wasMute(terminal, startedAt, at);
      });
      if (isOut || isGivenUp || isBlind) return [];
      return {
        invariant: 'D6',
        terminal: mine.at(-1)?.terminal,
        what: `${nameOf(uuid)} was deleted and had not come out whole`,
      };
    });
}

/** I11: what came out is never again listed as not printed; an outcome that was unknown does not become a failure. */
export function forgotten(readings: Readings): Violation[] {
  const { chronicle, nameOf, outputsOf, wordsOn, releases } = readings;
  const relapses = releases.flatMap(({ document, terminal, ends }) => {
    const first = ends.findIndex(({ outcome }) => outcome !== 'failed');
    const isLost = first >= 0 && ends.slice(first).some(({ outcome }) => outcome === 'failed');
    return isLost
      ? [
          {
            invariant: 'I11',
            terminal,
            what: `${nameOf(document)} was ${ends[first]?.outcome} and then failed`,
          },
        ]
      : [];
  });
  const firstShown = new Map<string, number>();
  const shown = chronicle.frames.flatMap(({ at, terminal, life, frame: { generation, documents = [] } }) => {
    const key = `${terminal} ${life} ${generation}`;
    const since = firstShown.get(key) ?? at;
    firstShown.set(key, since);
    return documents
      .filter(({ standing }) => standing === 'releasable')
      .map(({ uuid }) => ({ uuid, terminal, since }));
  });
  const offered = shown.filter(({ uuid, since }) => {
    const isOut = outputsOf(uuid).some((output) => output.at + settling < since);
    return isOut && wordsOn(uuid, 'print-again').length === 0;
  });
  const once = new Map(offered.map((one) => [one.uuid, one]));
  return [
    ...relapses,
    ...[...once.values()].map(({ uuid, terminal }) => {
      return {
        invariant: 'I11',
        terminal,
        what: `${nameOf(uuid)} had come out and was offered as if it had not`,
      };
    }),
  ];
}

/** Milliseconds: until what the printer did can be known at a terminal that was just asking. */
const settling = 10_000;
