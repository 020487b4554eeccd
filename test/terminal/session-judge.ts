/**
 * Watches one terminal from outside: what it asks of the service and with whose token, what it hands to the desk, its
 * log and every frame of its view. Each login gives data of its own number, so that a frame shows whose it is (I3, D2).
 */
import type { Fact, Log } from '../../src/core/log.ts';
import type { Ticket } from '../../src/domain/release.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';

/** Names, titles, amounts and tokens of the login with that number; `~` stands nowhere else. */
export const marked = (word: string, login: number): string => `${word}~${login}~`;
export const markOf = (text: string): number => Number(/~(\d+)~/.exec(text)?.[1]);

/** So many documents before one's own, and the number of the login. */
export const placeOffset = 1000;

/** Of two: nobody picked one. */
export const defaultPrinter = 'Lobby';

export interface Tally {
  frames: number;
  sessions: number;
  tickets: number;
  /** Of them, to a printer that somebody picked. */
  picked: number;
  /** Frames that show something that only one person's data can. */
  personal: number;
}

export interface SessionJudge {
  readonly log: Log;
  /** Somebody holds a badge to its reader. */
  appeared(person: string): void;
  /** Somebody says who they are; whether that was heard. */
  typing(person: string, type: () => void): boolean;
  /** Who is there came without a badge. */
  badgeless(): void;
  /** Whoever was there is gone afterwards. */
  ending(what: string, act: () => void): void;
  /** What must do nothing. */
  ignored(what: string, act: () => void): void;
  /** Whose badge was held there last. */
  card(): string;
  /** The terminal asks who that is. */
  loginAsked(person: string, login: number): void;
  /** It does something with the token of that login. */
  used(what: string, login: number): void;
  ticket(ticket: Ticket): void;
  /** The desk is told that the session is over (T29). */
  ownerLeft(sessionId: string): void;
  frame(view: TerminalView): void;
  /** Everybody has gone, and nothing is under way. */
  atRest(view: TerminalView): void;
}

export function createSessionJudge(complaints: string[], tally: Tally): SessionJudge {
  /** Who showed last who they are, and by a badge. */
  let person = '';
  let card = '';
  let latest = { person: '', login: 0 };
  let ignored: string | undefined;
  /** Closed, and the desk does not know. */
  let unexplained: unknown;
  let open: { readonly sessionId: unknown; readonly login: number } | undefined;
  /** The printer that was shown last as the one of the open session. */
  let printer: string | undefined;
  /** Of the generations that may be shown, and of those that were. */
  let oldest = 0;
  let newest = 0;
  let lastText = '';
  /** Whose data a generation showed. */
  const shown = new Map<number, number>();

  const complain = (sentence: string) => void complaints.push(sentence);

  function record(msg: string, facts: Record<string, Fact> = {}): void {
    if (/[~]/.test(msg + JSON.stringify(facts)))
      complain(`"${msg}" tells of a person: ${JSON.stringify(facts)}`);
    const { sessionId } = facts;
    if (msg === 'session opened') {
      if (open) complain('a session was opened while another was open');
      if (latest.person !== person) complain(`a session of ${latest.person} opens for ${person}`);
      open = { sessionId, login: latest.login };
      printer = undefined;
      tally.sessions += 1;
    }
    if (msg === 'session closed') {
      if (open?.sessionId !== sessionId) complain('a session was closed that was not open');
      open = undefined;
      unexplained = sessionId;
      oldest = newest + 1;
      note('a session was closed');
    }
  }
  /** Something happens that a person can bring about. */
  function note(what: string): void {
    if (ignored !== undefined) complain(`${what} by ${ignored}`);
  }
  const log: Log = { debug: () => {}, info: record, warn: record, error: record, with: () => log };

  const ofOpenSession = (what: string, login: number) => {
    if (open?.login !== login) complain(`${what} of login ${login}, while ${open?.login ?? 'none'} is open`);
  };

  return {
    log,
    appeared(who) {
      // Held there again, a badge says nothing new.
      if (who !== card) person = who;
      card = who;
    },
    typing(who, type) {
      const [before, asked] = [person, latest];
      person = who;
      type();
      const isHeard = latest !== asked;
      if (!isHeard) person = before;
      return isHeard;
    },
    badgeless() {
      card = '';
    },
    ending(what, act) {
      act();
      if (open) complain(`a session is still open after ${what}`);
    },
    ignored(what, act) {
      ignored = what;
      act();
      ignored = undefined;
    },
    card: () => card,
    loginAsked(who, login) {
      note('a login was asked for');
      if (who !== person && who !== card) complain(`${who} is logged in, and ${person} stands there`);
      person = who;
      latest = { person: who, login };
    },
    used: ofOpenSession,
    ticket({ sessionId, token, user, document, ...ticket }) {
      tally.tickets += 1;
      if (ticket.printer !== defaultPrinter) tally.picked += 1;
      if (ticket.printer !== (printer ?? defaultPrinter)) complain(`a ticket to ${ticket.printer}, unpicked`);
      note('a ticket was made');
      if (sessionId !== open?.sessionId) complain('a ticket of a session that is not open');
      if (latest.person !== person) complain(`a ticket of ${latest.person} for ${person}`);
      for (const text of [token.value.reveal(), user.userName, document.name, document.uuid]) {
        ofOpenSession(`a ticket with ${text}`, markOf(text));
      }
    },
    ownerLeft(sessionId) {
      if (sessionId !== unexplained) complain('the desk is told of the end of another session');
      unexplained = undefined;
    },
    frame(view) {
      tally.frames += 1;
      const { generation } = view;
      if (generation < oldest) complain('a frame of a generation that is over');
      newest = Math.max(newest, generation);
      oldest = Math.max(oldest, generation);
      const { chosenPrinter = printer } = view;
      if (printer === undefined && ![undefined, defaultPrinter].includes(chosenPrinter))
        complain('somebody begins at the printer that another one picked');
      printer = chosenPrinter;
      const text = `${open?.login} ${JSON.stringify(view)}`;
      if (text === lastText) return;
      lastText = text;
      const marks = text.includes('~') ? [...text.matchAll(/~(\d+)~/g)].map(([, one]) => Number(one)) : [];
      // Every cost and every balance of a login is its number.
      if (view.balance) marks.push(Number(view.balance.balance), Number(view.balance.costs[0]?.cost));
      const [, money] = /balance is (\d+)/.exec(view.sentence) ?? [];
      if (money !== undefined) marks.push(Number(money));
      const [, place] = /(\d+) other documents/.exec(view.sentence) ?? [];
      if (place !== undefined) marks.push(Number(place) - placeOffset);
      if (view.waiting > 0 && !open) complain(`a frame with ${view.waiting} documents of nobody`);
      if (marks.length > 0) tally.personal += 1;
      for (const mark of new Set(marks)) {
        ofOpenSession(`a frame (${view.state})`, mark);
        if ((shown.get(generation) ?? mark) !== mark) complain(`generation ${generation} shows two people`);
        shown.set(generation, mark);
      }
    },
    atRest(view) {
      shown.clear();
      if (open) complain('a session that never ends');
      if (unexplained !== undefined) complain('the desk was never told that a session is over');
      if (view.state !== 'prompting') complain(`the terminal stays ${view.state}`);
    },
  };
}
