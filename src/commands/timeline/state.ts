/** The state of a terminal at one moment, from the earlier events. No I/O. */
import type { TimelineEntry } from '../../domain/terminal/timeline.ts';

/** `unknown`: the agent ended without a normal stop between the last entry and the next start. */
export interface AgentState {
  readonly state: 'running' | 'stopped' | 'unknown';
  /** ISO 8601, UTC. For `unknown`: the last known moment. Absent if there is none. */
  readonly since?: string;
  readonly version?: string;
  /** For an agent that did not run: its next start. */
  readonly until?: string;
}

export interface Standing {
  readonly code: string;
  readonly subject: string;
  readonly detail: string;
  readonly since: string;
  /** Absent: it was about all terminals. */
  readonly terminal?: string;
}

export interface TerminalState {
  readonly agent: AgentState;
  readonly outOfService: { readonly since: string; readonly reason: string } | null;
  /** The conditions at that moment. */
  readonly standing: readonly Standing[];
  readonly session: { readonly since: string } | null;
  readonly underWay: readonly { readonly releaseId: string; readonly since: string }[];
}

/** Entries come in order: first the entries up to the moment, then the later ones. */
export class StateGathering {
  #agent: AgentState = { state: 'unknown' };
  #last: string | undefined;
  #outOfService: TerminalState['outOfService'] = null;
  #session: TerminalState['session'] = null;
  readonly #standing = new Map<string, Standing>();
  readonly #underWay = new Map<string, string>();
  #isFollowed = false;

  before(entry: TimelineEntry): void {
    this.#last = entry.time;
    this.#ofAgent(entry);
    this.#ofTerminal(entry);
    this.#ofCondition(entry);
  }

  after({ what, time, facts }: TimelineEntry): void {
    if (this.#isFollowed) return;
    this.#isFollowed = what === 'agent started' || what === 'agent stopped';
    if (what !== 'agent started') return;
    if (this.#agent.state === 'stopped') this.#agent = { ...this.#agent, until: time };
    if (this.#agent.state !== 'running' || facts['afterCrash'] !== true) return;
    this.#forget();
    const last = this.#last;
    this.#agent = { state: 'unknown', ...(last === undefined ? {} : { since: last }), until: time };
  }

  state(): TerminalState {
    return {
      agent: this.#agent,
      outOfService: this.#outOfService,
      session: this.#session,
      standing: [...this.#standing.values()],
      underWay: [...this.#underWay].map(([releaseId, since]) => ({ releaseId, since })),
    };
  }

  #forget(): void {
    this.#outOfService = null;
    this.#session = null;
    this.#standing.clear();
    this.#underWay.clear();
  }

  #ofAgent({ what, time, facts }: TimelineEntry): void {
    if (what !== 'agent started' && what !== 'agent stopped') return;
    this.#forget();
    const isStarted = what === 'agent started';
    this.#agent = {
      state: isStarted ? 'running' : 'stopped',
      since: time,
      ...(isStarted ? { version: text(facts['version']) } : {}),
    };
  }

  #ofTerminal({ what, time, facts }: TimelineEntry): void {
    if (what === 'terminal out of service') {
      this.#outOfService = { since: this.#outOfService?.since ?? time, reason: text(facts['reason']) };
    }
    if (what === 'terminal back in service' || what === 'terminal ready') this.#outOfService = null;
    if (what === 'session opened') this.#session = { since: time };
    if (what === 'session closed') this.#session = null;
    if (what === 'release started' || what === 'release resumed') {
      this.#underWay.set(text(facts['releaseId']), time);
    }
    if (what === 'release ended') this.#underWay.delete(text(facts['releaseId']));
  }

  #ofCondition({ what, time, terminal, facts }: TimelineEntry): void {
    const subject = text(facts['subject']);
    const code = text(facts['code']);
    const key = JSON.stringify([terminal, subject]);
    if (what === 'condition cleared') this.#standing.delete(key);
    if (what !== 'condition raised') return;
    const known = this.#standing.get(key);
    const since = known?.code === code ? known.since : time;
    this.#standing.set(key, {
      code,
      subject,
      detail: text(facts['detail']),
      since,
      ...(terminal === undefined ? {} : { terminal }),
    });
  }
}

const text = (fact: unknown): string => (typeof fact === 'string' ? fact : '');
