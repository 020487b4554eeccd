/**
 * The page's knowledge of its terminal, and the meaning of a step from one frame to the next for the person in front.
 */
import type { Frame } from '../../frame.ts';
import { endedOf, progressOf, tallyOf } from '../../../phrases/progress.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Content } from '../terminal-link.ts';

/**
 * `connecting`: no frame has come yet. `lost`: the last frame may be old. `moved`: another window has the terminal.
 * `leaving`: a person signs out here, and their content is cleared before the terminal confirms it (G14).
 */
export type Line = Content | 'connecting' | 'leaving';

export const frameOf = (line: Line): Frame | undefined => (typeof line === 'string' ? undefined : line);

const atWork: ReadonlySet<string> = new Set(['choosing', 'releasing', 'account']);
const inSession: ReadonlySet<string> = new Set([...atWork, 'listing']);
const waitsForPerson: ReadonlySet<string> = new Set([...atWork, 'askingPin', 'enrolling']);
const idleStates: ReadonlySet<string> = new Set(['prompting', 'outOfService']);

export const isIdle = (line: Line): boolean => idleStates.has(frameOf(line)?.state ?? '');

/** The time of the session runs, and a touch starts it again. */
export const isWaiting = (line: Line): boolean => waitsForPerson.has(frameOf(line)?.state ?? '');

/** The person of the frame before has left, or the next badge has replaced them. */
export const hasLeft = (before: Frame, { generation, state }: Frame): boolean =>
  before.generation !== generation &&
  (inSession.has(before.state) || (state === 'prompting' && before.state !== 'prompting'));

/** The kind of the goodbye. It does not tell who the person was. */
export type Leave = 'pages' | 'pages-coming' | 'no-pages' | 'not-all';

export const leaveWords: Readonly<Record<Exclude<Leave, 'not-all'>, SentenceKey>> = {
  pages: 'takePages',
  'pages-coming': 'pagesComing',
  'no-pages': 'signedOut',
};

/** `undefined` if no person leaves, or if another notice is more important. */
export function leaveOf(before: Frame, next: Frame): Leave | undefined {
  if (!hasLeft(before, next) || !atWork.has(before.state) || next.state !== 'prompting') return undefined;
  if (next.notice) return next.notice.code === 'not-all-printed' ? 'not-all' : undefined;
  const progress = progressOf(before);
  if (endedOf(tallyOf(progress)) < progress.length) return 'pages-coming';
  return progress.some(({ stage }) => stage !== 'failed') ? 'pages' : 'no-pages';
}
