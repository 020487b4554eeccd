/** People at terminals: each comes, holds a card to the reader, looks at the screen and does what is in their ways. */
import type { Dice } from '../support/dice.ts';
import type { Clock } from '../../src/core/clock.ts';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import type { SpokenWord, Visit } from './chronicle.ts';
import type { PersonPlan } from './plan.ts';
import type { Screen } from './screens.ts';
import type { Desk, Stage } from './stage.ts';

export interface Visiting {
  readonly person: PersonPlan;
  readonly desk: Desk;
  readonly screen: Screen;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly visit: Visit;
  /** Held to the reader; where no agent listens that is in vain. */
  tap(): void;
  spoke(word: SpokenWord): void;
}

/** A frame of somebody who is known, by their own name. */
export const isOf = (frame: Frame, { fullName }: Pick<PersonPlan, 'fullName'>): boolean =>
  frame.fullName === fullName;

const isPrompting = ({ state }: Frame): boolean => state === 'prompting' || state === 'outOfService';

export async function visit(visiting: Visiting): Promise<void> {
  const { person, screen, clock, dice, visit: seen, tap } = visiting;
  if (!dice.happens(person.ways.pushesIn)) await screen.until(isPrompting, seconds(90));
  tap();
  const isKnown = await screen.until((frame) => isOf(frame, person), seconds(25));
  if (!isKnown) {
    if (dice.happens(50)) return;
    tap();
    if (!(await screen.until((frame) => isOf(frame, person), seconds(25)))) return;
  }
  seen.openedAt = clock.now();
  if (dice.happens(person.ways.leavesEarly)) return;
  for (let acts = Math.floor(dice.number(5)); acts >= 0; acts -= 1) {
    await clock.sleep(milliseconds(200 + dice.number(4000)));
    const frame = screen.current();
    if (!frame || !isOf(frame, person)) break;
    await act(visiting, frame);
  }
  if (dice.happens(30)) return;
  await screen.until((frame) => !isOf(frame, person), seconds(150));
}

/** Somebody who wants one thing, and waits for it. */
export async function visitPatiently(visiting: Visiting): Promise<void> {
  const { person, screen, clock, visit: seen, tap } = visiting;
  const isFree = await screen.until(isPrompting, seconds(90));
  // Somebody's pages are still coming, their own perhaps: whoever badges now only ends that session.
  if (!isFree && screen.current()?.state === 'releasing') await screen.until(isPrompting, minutes(30));
  tap();
  if (!(await screen.until((frame) => isOf(frame, person), seconds(25)))) return;
  seen.openedAt = clock.now();
  const wanted = ({ documents = [] }: Frame) =>
    documents.filter(({ uuid, standing }) => seen.documents.includes(uuid) && standing === 'releasable');
  const isOffered = await screen.until(
    (frame) => frame.state === 'choosing' && isOf(frame, person) && wanted(frame).length > 0,
    seconds(5),
  );
  const frame = screen.current();
  if (isOffered && frame) {
    const documents = wanted(frame).map(({ uuid }) => uuid);
    await say(visiting, frame, { command: 'release', documents });
  }
  await screen.until((later) => !isOf(later, person), minutes(3));
}

async function act(visiting: Visiting, frame: Frame): Promise<void> {
  const { person, dice, tap } = visiting;
  const doubts = frame.mayHavePrinted ?? [];
  const releasable = (frame.documents ?? []).filter(({ standing }) => standing === 'releasable');
  if (doubts.length > 0 && dice.happens(70)) {
    return answerDoubt(visiting, frame, dice.one(doubts).documentUuid);
  }
  if (dice.happens(person.ways.tapsAgain)) return tap();
  if (releasable.length > 0 && dice.happens(70)) {
    const all = releasable.map(({ uuid }) => uuid);
    const wanted = dice.happens(70) ? all : [dice.one(all)];
    const times = dice.happens(person.ways.pressesTwice) ? 2 : 1;
    await Promise.all(
      Array.from({ length: times }, () => say(visiting, frame, { command: 'release', documents: wanted })),
    );
    return;
  }
  if (releasable.length > 0 && dice.happens(person.ways.deletes)) {
    return say(visiting, frame, { command: 'delete', documents: [dice.one(releasable).uuid] });
  }
  if (dice.happens(15)) return say(visiting, frame, { command: 'log-out', documents: [] });
}

/** Most look into the tray first; some say anything. */
function answerDoubt(visiting: Visiting, frame: Frame, uuid: string): Promise<void> {
  const { person, dice, stage } = visiting;
  const isThere = dice.happens(person.ways.lies) ? dice.happens(50) : stage.liesInTray(uuid);
  return say(visiting, frame, { command: isThere ? 'it-is-there' : 'print-again', documents: [uuid] });
}

async function say(
  { person, screen, clock, spoke }: Visiting,
  { generation }: Frame,
  { command, documents }: Pick<SpokenWord, 'command' | 'documents'>,
): Promise<void> {
  const [documentUuid = ''] = documents;
  const at = clock.now();
  const word: SpokenWord = { at, terminal: screen.terminal, person: person.userName, command, documents };
  spoke(word);
  const said = { command, generation };
  const many = command === 'release' || command === 'delete';
  word.status = await screen.say(
    (many
      ? { ...said, documentUuids: documents }
      : command === 'log-out'
        ? said
        : { ...said, documentUuid }) as Parameters<Screen['say']>[0],
  );
}
