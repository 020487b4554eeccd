/**
 * Keeps the agent from dangerous work for a while after it crashed several times (INVARIANTS.md E.2). It converts no
 * documents, because a document in a converter is the most likely cause, and does not release a document that was in
 * hand at two crashes. All this ends without a person's help.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { inMinutes, milliseconds, minutes } from '../core/duration.ts';
import type { Conditions } from '../domain/condition.ts';
import type { PagePictures } from '../domain/ports/preview.ts';
import type { Converter } from '../domain/ports/printing.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { DocumentsSetAside, WayAside } from '../release/standing.ts';
import type { Start, Suspect } from '../store/files/crash-notes.ts';
import { suspectedFor } from '../store/files/crash-notes.ts';

/** So many starts in five minutes are no accident. */
const fewest = 5;
const lasts = minutes(15);
const place = { scope: 'agent', subject: 'restarts' };
/** One crash may be an accident: the power failed while the document was in hand. */
const crashesTillSetAside = 2;
const crashesTillNotAsked = 3;

export interface SafeMode extends Disposable {
  /** Raises the conditions, and clears each when its time is over. */
  start(): void;
  guard(converter: Converter): Converter;
  guardPictures(pictures: PagePictures): PagePictures;
  readonly setAside: DocumentsSetAside;
}

export function createSafeMode(options: {
  readonly start: Pick<Start, 'count'>;
  readonly suspects: readonly Suspect[];
  readonly conditions: Conditions;
  readonly clock: Clock;
}): SafeMode {
  const { conditions, clock } = options;
  const { count } = options.start;
  const suspects = options.suspects.filter(({ crashes }) => crashes >= crashesTillSetAside);
  const setAside = new Map(suspects.map((one) => [one.documentUuid, wayAside(one)]));
  let isOn = count >= fewest;
  const timers: unknown[] = [];

  function tellSetAside({ documentUuid, crashes, at }: Suspect): void {
    const spot = { scope: 'agent', subject: `document ${documentUuid}` };
    const until = at + suspectedFor;
    const detail = `document ${documentUuid} was being printed at ${crashes} crashes. This agent does not print it until ${isoInstant(until)}`;
    conditions.raise({ code: 'document-set-aside', severity: 'warning', ...spot, detail });
    const release = () => {
      setAside.delete(documentUuid);
      conditions.clear(spot.scope, spot.subject);
    };
    timers.push(clock.setTimeout(release, milliseconds(until - clock.now())));
  }

  function tellOn(): void {
    const detail =
      `the agent started ${count} times in 5 minutes without a normal stop. ` +
      `It converts no document until it has run for ${inMinutes(lasts)} minutes`;
    conditions.raise({ code: 'safe-mode', severity: 'error', ...place, detail });
    const end = () => {
      isOn = false;
      conditions.clear(place.scope, place.subject);
    };
    timers.push(clock.setTimeout(end, lasts));
  }

  return {
    start() {
      suspects.forEach(tellSetAside);
      if (isOn) tellOn();
    },
    guard: (converter) => ({
      ...converter,
      async convert(...call) {
        if (isOn) throw leftUndone();
        return converter.convert(...call);
      },
    }),
    guardPictures: (pictures) => ({
      async of(download, ...call) {
        if (!isOn) return pictures.of(download, ...call);
        download.bytes.destroy();
        throw leftUndone();
      },
    }),
    setAside,
    [Symbol.dispose]: () => timers.forEach((timer) => clock.clearTimeout(timer)),
  };
}

const leftUndone = () =>
  new Problem('safe-mode', 'the agent converts nothing, because it crashed several times');

const wayAside = ({ crashes }: Suspect): WayAside =>
  crashes < crashesTillNotAsked ? 'asked-about' : 'not-asked-about';
