/**
 * People who come, badge, choose and go at two terminals, while the answers of the service and the ends of their prints
 * come in whatever order fast-check chooses; over the real machines, time standing still unless somebody lets it pass.
 * The terminals live on from one interleaving to the next, so what one leaves behind meets the next (D2, I3, B.4, 1).
 */
import * as fc from 'fast-check';
import { minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { relayed } from '../../src/domain/terminal/public-words.ts';
import type { Terminal } from '../../src/terminal/runner.ts';
import type { Answers, Person, Place, World } from './race-world.ts';
import { cardOf, createWorld, people } from './race-world.ts';
import type { Tally } from './session-judge.ts';
import { marked } from './session-judge.ts';

/** `late`: to a view that is gone. */
const words = [
  'release',
  'again',
  'found',
  'logout',
  'activity',
  'pin',
  'look',
  'look away',
  'print there',
] as const;
type Deed =
  | { readonly kind: 'badge' | 'badge removed' | 'name' | 'enrolment'; readonly person: Person }
  | { readonly kind: 'says'; readonly word: (typeof words)[number]; readonly late: 0 | 1 }
  | { readonly kind: 'relayed badge' | 'unreadable badge' | 'offer' }
  | { readonly kind: 'device'; readonly authorized: boolean }
  | { readonly kind: 'time'; readonly seconds: number };
interface Step {
  readonly at: 0 | 1;
  readonly deed: Deed;
}

const deeds: readonly Deed[] = [
  ...[...people, ...people, ...people].map((person): Deed => ({ kind: 'badge', person })),
  ...(['badge removed', 'name', 'enrolment'] as const).flatMap((kind) =>
    people.map((person): Deed => ({ kind, person })),
  ),
  ...words.flatMap((word): Deed[] => [
    { kind: 'says', word, late: 0 },
    { kind: 'says', word, late: 1 },
  ]),
  // Seldom is anybody there for it.
  ...Array.from({ length: 8 }, (): Deed => ({ kind: 'says', word: 'print there', late: 0 })),
  { kind: 'relayed badge' },
  { kind: 'unreadable badge' },
  { kind: 'offer' },
  { kind: 'device', authorized: false },
  { kind: 'device', authorized: true },
  { kind: 'time', seconds: 3 },
  { kind: 'time', seconds: 31 },
];
const step: fc.Arbitrary<Step> = fc.constantFrom(
  ...([0, 1] as const).flatMap((at) => deeds.map((deed) => ({ at, deed }))),
);

function act(world: World, { at, deed }: Step): void {
  const place = world.places[at];
  if (!place) return;
  const { terminal, judge, listed } = place;
  const { generation } = terminal.view.current();
  switch (deed.kind) {
    case 'badge':
      judge.appeared(deed.person);
      return terminal.tell({ type: 'card', card: cardOf(deed.person) });
    case 'badge removed':
      if (judge.card() === deed.person)
        return terminal.tell({ type: 'card-removed', card: cardOf(deed.person) });
      return judge.ignored('the badge of another', () =>
        terminal.tell({ type: 'card-removed', card: cardOf(deed.person) }),
      );
    case 'name': {
      const credentials = { kind: 'name', userName: deed.person } as const;
      const isHeard = judge.typing(deed.person, () =>
        terminal.tell({ type: 'log-in', generation, credentials }),
      );
      return isHeard ? judge.badgeless() : undefined;
    }
    case 'enrolment': {
      const signIn = { userName: deed.person, password: new Secret('password') };
      return void judge.typing(deed.person, () => terminal.tell({ type: 'enrol', generation, ...signIn }));
    }
    case 'relayed badge':
      return judge.ending('a relayed badge', () => relay(terminal));
    case 'unreadable badge':
      return judge.ending('an unreadable badge', () =>
        terminal.tell({
          type: 'card-unreadable',
          problem: new Problem('card-not-convertible', 'no rule fits'),
        }),
      );
    case 'device':
      return terminal.tell({ type: deed.authorized ? 'authorized' : 'unauthorized' });
    case 'time':
      return world.pass(seconds(deed.seconds));
    case 'offer':
      return world.offerOtherwise();
    case 'says':
      if (deed.late === 0) return say(terminal, deed.word, { generation, login: listed() });
      return judge.ignored('words to an older view', () =>
        say(terminal, deed.word, { generation: generation - 1, login: listed() }),
      );
  }
}

/** Its answer may come when somebody else is there. */
function relay(terminal: Terminal): void {
  const before = terminal.view.current().generation;
  terminal.tell({ type: 'card-relayed' });
  const { state, ...shown } = terminal.view.current();
  const generation = state === 'relaying' ? shown.generation : before;
  if (before % 2 === 0) terminal.tell({ type: 'relay-ended', generation, notice: relayed });
  terminal.tell({ type: 'relay-ended', generation: before, notice: relayed });
}

function say(
  terminal: Terminal,
  word: (typeof words)[number],
  { generation, login }: { generation: number; login: number },
): void {
  const documentUuid = marked('c', login);
  const documentUuids = [marked('a', login), marked('b', login)];
  if (word === 'print there') terminal.tell({ type: 'printer', generation, printer: 'Colour' });
  if (word === 'release' || word === 'print there')
    terminal.tell({ type: 'release', generation, documentUuids });
  if (word === 'look')
    terminal.tell({ type: 'preview', generation, documentUuid: marked('b', login), page: 1 });
  if (word === 'look away') terminal.tell({ type: 'end-preview', generation });
  if (word === 'again') terminal.tell({ type: 'print-again', generation, documentUuid });
  if (word === 'found') terminal.tell({ type: 'it-is-there', generation, documentUuid });
  if (word === 'logout') terminal.tell({ type: 'log-out', generation });
  if (word === 'activity') terminal.tell({ type: 'still-there', generation });
  if (word === 'pin') terminal.tell({ type: 'pin', generation, pin: new Secret('1234') });
}

const isBusy = ({ terminal }: Place): boolean => terminal.view.current().state !== 'prompting';

/** Until nobody is there any more. */
async function goHome(world: World, scheduler: fc.Scheduler): Promise<void> {
  for (let round = 0; round < 4 && world.places.some(isBusy); round += 1) {
    for (const { terminal } of world.places) terminal.tell({ type: 'authorized' });
    world.pass(minutes(11));
    await scheduler.waitIdle();
  }
  for (const { terminal, judge } of world.places) judge.atRest(terminal.view.current());
}

/** Rejects with the interleaving after which somebody saw what was not theirs. */
export async function raceSessions(options: { runs: number; seed?: number }): Promise<Tally> {
  const tally: Tally = { frames: 0, sessions: 0, tickets: 0, picked: 0, personal: 0 };
  let world = createWorld(tally);
  const interleaving = fc.asyncProperty(
    fc.scheduler(),
    fc.array(step, { minLength: 3, maxLength: 8 }),
    fc.nat(100),
    async (scheduler, steps, luck) => {
      const answers: Answers = (what, value) => scheduler.schedule(Promise.resolve(), what).then(value);
      world.begin(answers, luck);
      for (const one of steps) void answers(JSON.stringify(one), () => act(world, one));
      await scheduler.waitIdle();
      await goHome(world, scheduler);
      if (world.complaints.length === 0) return;
      const { complaints } = world;
      world = createWorld(tally);
      throw new Error(complaints.slice(0, 3).join('; '));
    },
  );
  const { seed } = options;
  await fc.assert(interleaving, { numRuns: options.runs, ...(seed === undefined ? {} : { seed }) });
  return tally;
}
