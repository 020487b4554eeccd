/** Lines typed at a simulator. Each gets its answer in order. */
import { aborted } from '../../core/service.ts';
import type { Io } from '../io.ts';
import { onTypedLine } from '../terminal-text/typed-lines.ts';
import type { Reply } from './console.ts';

/** Until the person or a signal ends it. Rejects when a reply rejects. */
export async function answering(
  io: Io,
  stop: AbortSignal,
  reply: (line: string) => Promise<Reply>,
): Promise<void> {
  const quit = new AbortController();
  const end = AbortSignal.any([stop, quit.signal]);
  const failed = Promise.withResolvers<never>();
  let turn = Promise.resolve();
  const answer = async (line: string) => {
    const { kind, text } = await reply(line);
    if (kind === 'quit') quit.abort();
    else if (kind === 'mistake') io.error(`platen: ${text}`);
    else if (text !== '') io.out(text);
  };
  onTypedLine((line) => {
    turn = turn.then(() => answer(line)).catch(failed.reject);
  }, end);
  await Promise.race([aborted(end), failed.promise]);
}
