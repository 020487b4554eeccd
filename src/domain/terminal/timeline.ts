/**
 * The facts that are kept of each terminal's days, so that "why did nothing print at 10:15?" has an answer. It is a
 * closed list of the log's messages, each with its kept facts. No fact names a person, a card or a document (I3, I4). A
 * fact that is not listed here is not written.
 */

/** Facts of the whole agent. */
const agentFacts = {
  'agent started': ['version', 'afterCrash'],
  'agent stopped': [],
  'service overdue': ['services'],
  'event loop blocked': ['seconds'],
  'engine away': [],
  'engine back': [],
} as const;

/** Actions of administrators, and their results. */
const administrationFacts = {
  'config reloaded': ['changed', 'pending', 'by'],
  'config not reloaded': ['mistakes', 'by'],
  'log level lowered': ['to', 'minutes', 'by'],
  'log level as configured': ['by'],
  'dead letters retried': ['records', 'by'],
  'administrator acted': ['action', 'changed', 'by'],
  'release settled by an administrator': ['releaseId', 'word', 'by', 'name'],
  'condition acknowledged': ['code', 'subject', 'note', 'by', 'name'],
  'diagnosis asked for': ['by', 'from'],
  'terminal move asked for': ['to', 'by', 'from'],
} as const;

/** Commands that act beside the agent. */
export const administratorActions = [
  'init',
  'trust',
  'provision',
  'outbox export',
  'fleet retire',
  'fleet accept',
] as const;
export type AdministratorAction = (typeof administratorActions)[number];

const terminalFacts = {
  'terminal added': [],
  'terminal changed': [],
  'terminal removed': [],
  'terminal taken over': [],
  'terminal handed over': [],
  'terminal ready': [],
  'terminal out of service': ['reference', 'reason', 'code'],
  'terminal back in service': ['reference'],
  'session opened': [],
  'session closed': ['reason', 'documents', 'notPrinted', 'unknown'],
  'login failed': ['code', 'way', 'locked'],
  'list failed': ['code'],
  'card ignored': ['code', 'reader'],
  'card not converted': ['code', 'reader'],
  'card relayed': ['outcome', 'reader'],
  'second card ignored': ['reader'],
  'claim refused': [],
  'release started': ['releaseId', 'printer'],
  'release resumed': ['releaseId'],
  'release repeated': ['releaseId'],
  'release sent plain': ['releaseId', 'before'],
  'release skipped': ['code', 'reasons'],
  'release ended': ['releaseId', 'outcome', 'code', 'reasons'],
  'release confirmed by a person': ['releaseId'],
  'delivery refused': ['releaseId', 'code'],
} as const;

/** For one terminal, or for the agent if the entry has no `terminal`. */
const conditionFacts = {
  'condition raised': ['code', 'severity', 'subject', 'detail'],
  'condition cleared': ['code', 'subject'],
} as const;

const allFacts = { ...agentFacts, ...administrationFacts, ...terminalFacts, ...conditionFacts };

export type TimelineEvent = keyof typeof allFacts;
export type TimelineFact = string | number | boolean | readonly string[];

export interface TimelineEntry {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly what: TimelineEvent;
  /** Absent if it concerns all terminals. */
  readonly terminal?: string;
  readonly facts: Readonly<Record<string, TimelineFact>>;
}

/** The facts that are kept of a message; `undefined` if the timeline does not keep it. */
export const factsKeptOf = (message: string): readonly string[] | undefined =>
  isTimelineEvent(message) ? allFacts[message] : undefined;

export const isTimelineEvent = (message: string): message is TimelineEvent =>
  Object.hasOwn(allFacts, message);

export const isAdministration = ({ what }: Pick<TimelineEntry, 'what'>): boolean =>
  Object.hasOwn(administrationFacts, what);
