/** How everything stood at a terminal at one moment, gathered from what happened up to then. No I/O. */
import type { TimelineEntry } from '../../domain/terminal/timeline.ts';

/** `unknown`: it ended without a stop in order between the last entry and the next start. */
export interface AgentState {
  readonly state: 'running' | 'stopped' | 'unknown';
  /** ISO 8601, UTC; of `unknown`, the last that is known of it. Absent where nothing is. */
  readonly since?: string;
  readonly version?: string;
  /** Of one that did not run: when it ran again. */
  readonly until?: string;
}

export interface Standing {
  readonly code: string;
  readonly subject: string;
  readonly detail: string;
  readonly since: string;
  /** Absent: it concerned all. */
  readonly terminal?: string;
}

export interface TerminalState {
  readonly agent: AgentState;
  readonly outOfService: { readonly since: string; readonly reason: string } | null;
  /** What was wrong. */
  readonly standing: readonly Standing[];
  readonly session: { readonly since: string } | null;
  readonly underWay: readonly { readonly releaseId: string; readonly since: string }[];
}

export interface StateGathering {
  /** In their order. */
  before(entry: TimelineEntry): void;
  after(entry: TimelineEntry): void;
  state(): TerminalState;
}

export function gatherState(): StateGathering {
  let agent: AgentState = { state: 'unknown' };
  let last: string | undefined;
  let outOfService: TerminalState['outOfService'] = null;
  let session: TerminalState['session'] = null;
  const standing = new Map<string, Standing>();
  const underWay = new Map<string, string>();
  let isFollowed = false;

  function forget(): void {
    outOfService = null;
    session = null;
    standing.clear();
    underWay.clear();
  }

  function ofAgent({ what, time, facts }: TimelineEntry): void {
    if (what !== 'agent started' && what !== 'agent stopped') return;
    forget();
    const isStarted = what === 'agent started';
    agent = {
      state: isStarted ? 'running' : 'stopped',
      since: time,
      ...(isStarted ? { version: text(facts['version']) } : {}),
    };
  }

  function ofTerminal({ what, time, facts }: TimelineEntry): void {
    if (what === 'terminal out of service') {
      outOfService = { since: outOfService?.since ?? time, reason: text(facts['reason']) };
    }
    if (what === 'terminal back in service' || what === 'terminal ready') outOfService = null;
    if (what === 'session opened') session = { since: time };
    if (what === 'session closed') session = null;
    if (what === 'release started' || what === 'release resumed') {
      underWay.set(text(facts['releaseId']), time);
    }
    if (what === 'release ended') underWay.delete(text(facts['releaseId']));
  }

  function ofCondition({ what, time, terminal, facts }: TimelineEntry): void {
    const subject = text(facts['subject']);
    const code = text(facts['code']);
    const key = JSON.stringify([terminal, subject]);
    if (what === 'condition cleared') standing.delete(key);
    if (what !== 'condition raised') return;
    const known = standing.get(key);
    const since = known?.code === code ? known.since : time;
    standing.set(key, {
      ...{ code, subject, detail: text(facts['detail']), since },
      ...(terminal === undefined ? {} : { terminal }),
    });
  }

  return {
    before(entry) {
      last = entry.time;
      for (const look of [ofAgent, ofTerminal, ofCondition]) look(entry);
    },
    after({ what, time, facts }) {
      if (isFollowed) return;
      isFollowed = what === 'agent started' || what === 'agent stopped';
      if (what !== 'agent started') return;
      if (agent.state === 'stopped') agent = { ...agent, until: time };
      if (agent.state !== 'running' || facts['afterCrash'] !== true) return;
      forget();
      agent = { state: 'unknown', ...(last === undefined ? {} : { since: last }), until: time };
    },
    state: () => ({
      ...{ agent, outOfService, session },
      standing: [...standing.values()],
      underWay: [...underWay].map(([releaseId, since]) => ({ releaseId, since })),
    }),
  };
}

const text = (fact: unknown): string => (typeof fact === 'string' ? fact : '');
