/** What the screens were given: I3, nobody sees another's; I12, what is said to be printed lies in the tray. */
import type { SeenFrame } from '../chronicle.ts';
import type { Readings, Violation } from './readings.ts';

/** Nobody is known in these. */
const isWithoutOwner = (state: string): boolean =>
  ['prompting', 'outOfService', 'askingPin', 'authenticating', 'enrolling', 'signingIn', 'stopped'].includes(
    state,
  );

/** I3. */
export function leaks(readings: Readings): Violation[] {
  const { chronicle } = readings;
  return chronicle.terminals.flatMap(({ id }) => {
    const frames = chronicle.frames.filter(({ terminal }) => terminal === id);
    return [...strangersAmong(readings, frames), ...ownersInTurn(readings, id, frames)];
  });
}

/** Whose names and documents a frame shows. */
function ownersOf({ chronicle, document }: Readings, { frame }: SeenFrame): readonly string[] {
  const uuids = [
    ...(frame.documents ?? []).map(({ uuid }) => uuid),
    ...(frame.progress ?? []).map(({ documentUuid }) => documentUuid),
    ...(frame.mayHavePrinted ?? []).map(({ documentUuid }) => documentUuid),
  ];
  const named = chronicle.people.filter(({ fullName }) => fullName === frame.fullName);
  return [
    ...new Set([
      ...uuids.map((uuid) => document(uuid)?.owner ?? 'nobody'),
      ...named.map(({ userName }) => userName),
    ]),
  ];
}

function strangersAmong(readings: Readings, frames: readonly SeenFrame[]): Violation[] {
  const inGeneration = new Map<string, string>();
  const generations = new Map<number, number>();
  return frames.flatMap((seen) => {
    const { terminal, life, frame } = seen;
    const owners = ownersOf(readings, seen);
    const key = `${life} ${frame.generation}`;
    const before = inGeneration.get(key) ?? owners[0];
    if (before !== undefined) inGeneration.set(key, before);
    const last = generations.get(life) ?? 0;
    generations.set(life, Math.max(last, frame.generation));
    const wrong = [
      owners.length > 1 ? `shows ${owners.join(' and ')} at once` : '',
      owners.some((one) => one !== before) ? `shows ${owners.join()} in the session of ${before}` : '',
      owners.length > 0 && isWithoutOwner(frame.state)
        ? `shows ${owners.join()} while it is ${frame.state}`
        : '',
      frame.generation < last ? 'is older than the one before' : '',
    ].filter((what) => what !== '');
    return wrong.map((what) => ({
      invariant: 'I3',
      terminal,
      what: `a frame of generation ${frame.generation} ${what}`,
    }));
  });
}

/** Who is shown again after somebody else held a card to the reader again. */
function ownersInTurn(readings: Readings, terminal: string, frames: readonly SeenFrame[]): Violation[] {
  const taps = readings.chronicle.taps.filter((tap) => tap.terminal === terminal);
  const tapsOf = (person: string, until: number) =>
    taps.filter((tap) => tap.person === person && tap.at <= until).map(({ at }) => at);
  let shown: { readonly owner: string; readonly tapped: number } | undefined;
  return frames.flatMap((seen) => {
    const [owner] = ownersOf(readings, seen);
    if (owner === undefined || owner === shown?.owner) return [];
    const tapped = tapsOf(owner, seen.at).at(-1);
    const before = shown;
    shown = { owner, tapped: tapped ?? seen.at };
    if (tapped !== undefined && (before === undefined || tapped >= before.tapped)) return [];
    return { invariant: 'I3', terminal, what: `${owner} is shown, whose card was not held to the reader` };
  });
}

/** I12. */
export function untruths(readings: Readings): Violation[] {
  const { chronicle, nameOf, outputsOf, hasComeOut, habitsAt, releases } = readings;
  const said = new Set<string>();
  return chronicle.frames.flatMap(({ at, terminal, frame }) =>
    (frame.progress ?? []).flatMap(({ documentUuid: uuid, stage, code, reference }) => {
      const key = `${uuid} ${stage}`;
      if (said.has(key)) return [];
      const isOut = outputsOf(uuid).some((output) => output.whole && output.at <= at);
      if (stage === 'printed' && !isOut && !habitsAt(terminal).concealsLoss) {
        said.add(key);
        return [
          {
            invariant: 'I12',
            terminal,
            what: `${nameOf(uuid)} is shown as printed and had not come out whole`,
          },
        ];
      }
      // That another terminal has it does not say that it did not come out.
      if (stage !== 'failed' || code === 'document-taken') return [];
      const release = releases.find(({ id }) => reference !== undefined && id.startsWith(reference));
      if (release === undefined || !hasComeOut(release)) return [];
      said.add(key);
      return [{ invariant: 'I12', terminal, what: `${nameOf(uuid)} is shown as failed and came out` }];
    }),
  );
}
