/** What the page knows of its terminal, and what a step from one frame to the next means for the person in front. */
import type { Frame } from '../../frame.ts';
import { endedOf, progressOf, tallyOf } from '../../../phrases/progress.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Told } from '../terminal-link.ts';

/**
 * `connecting`: nothing has come yet; `lost`: what came may be old; `moved`: another window has it; `leaving`: somebody
 * signs out here, and nothing of theirs waits for the terminal to say so (G14).
 */
export type Line = Told | 'connecting' | 'leaving';

export const frameOf = (line: Line): Frame | undefined => (typeof line === 'string' ? undefined : line);

const atWork: ReadonlySet<string> = new Set(['choosing', 'releasing', 'account']);
const inSession: ReadonlySet<string> = new Set([...atWork, 'listing']);
const waitsForPerson: ReadonlySet<string> = new Set([...atWork, 'askingPin', 'enrolling']);
const nobodys: ReadonlySet<string> = new Set(['prompting', 'outOfService']);

export const isIdle = (line: Line): boolean => nobodys.has(frameOf(line)?.state ?? '');

/** Its time runs, and a touch begins it anew. */
export const isWaiting = (line: Line): boolean => waitsForPerson.has(frameOf(line)?.state ?? '');

/** Whoever the frame before was for: they are gone, or the next badge has taken their place. */
export const hasLeft = (before: Frame, { generation, state }: Frame): boolean =>
  before.generation !== generation &&
  (inSession.has(before.state) || (state === 'prompting' && before.state !== 'prompting'));

/** What a person leaves with; nothing that tells who it was. */
export type Leave = 'pages' | 'pages-coming' | 'no-pages' | 'not-all';

export const leaveWords: Readonly<Record<Exclude<Leave, 'not-all'>, SentenceKey>> = {
  pages: 'takePages',
  'pages-coming': 'pagesComing',
  'no-pages': 'signedOut',
};

/** `undefined` where there is nobody to take leave of, or something else to tell them. */
export function leaveOf(before: Frame, next: Frame): Leave | undefined {
  if (!hasLeft(before, next) || !atWork.has(before.state) || next.state !== 'prompting') return undefined;
  if (next.notice) return next.notice.code === 'not-all-printed' ? 'not-all' : undefined;
  const progress = progressOf(before);
  if (endedOf(tallyOf(progress)) < progress.length) return 'pages-coming';
  return progress.some(({ stage }) => stage !== 'failed') ? 'pages' : 'no-pages';
}
