/** The engine's rows of holds as a test lays them out; what is asked of them is kept. */
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Differing, HoldTable } from '../../src/fleet/hold-table.ts';
import type { BeatSeen, GroupSeen } from '../../src/fleet/moves.ts';

export const groupSeen = (seen: Partial<GroupSeen>): GroupSeen => ({
  group: 'ipp://10.0.0.7',
  epoch: 3,
  state: 'free',
  holder: undefined,
  freeFor: milliseconds(0),
  isPreferred: true,
  preferred: 'gateway-a',
  preferredFor: seconds(60),
  isShared: true,
  ...seen,
});

export function scriptedTable() {
  const asked: string[] = [];
  let notice = () => {};
  const script = {
    /** Of the next beats. */
    seen: [] as Partial<GroupSeen>[],
    more: {} as Partial<BeatSeen>,
    /** Of the terminal's own hold, where it is otherwise than the printer's. */
    terminal: {} as Partial<GroupSeen>,
    differing: [] as readonly Differing[],
    /** Sites of other members that have this one's name. */
    namesakes: [] as string[],
    isAway: false,
    /** What happens while an answer is on its way. */
    onTheWay: async () => {},
    /** Another member was faster. */
    isTaken: false,
  };
  const answer = async <Said>(what: string, said: Said): Promise<Said> => {
    asked.push(what);
    await script.onTheWay();
    if (script.isAway) throw new Problem('fleet-engine-away', 'no answer', { delivery: 'perhaps' });
    return said;
  };
  const table: HoldTable = {
    beat: (groups) =>
      answer(`beat ${groups.length}`, undefined).then(() => {
        const seen = {
          hadLapsed: false,
          beatingFor: seconds(60),
          members: [],
          namesakes: script.namesakes,
          ...script.more,
        };
        script.more = {};
        const own = groups.filter((group) => group.startsWith('terminal '));
        const terminals = script.seen.flatMap((printer) =>
          own.map((group) => ({ ...printer, ...script.terminal, group })),
        );
        return { ...seen, groups: [...script.seen, ...terminals].map(groupSeen) };
      }),
    take: async (groups) => {
      const taken = groups.map(({ group, epoch }) => ({ group, epoch: epoch + 1 }));
      return answer('take', script.isTaken ? [] : taken);
    },
    giveUp: (groups) => answer(`give up ${groups.join(' ')}`, undefined),
    async setUp() {},
    differing: () => answer('compare', script.differing),
    leave: () => answer('leave', undefined),
    onNews(listener) {
      notice = listener;
      return { [Symbol.dispose]() {} };
    },
  };
  return { table, script, asked, notify: () => notice() };
}
