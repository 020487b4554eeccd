/**
 * Ends a download that trickles: fewer than 1 KiB/s over 10 s (INVARIANTS.md B.3, slow body), noticed after 15 s at the
 * latest. A deadline for the whole would not do, because a document may be large.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { OpenAnswer } from './exchange.ts';

const halfWindow = seconds(5);
const leastBytes = 10 * 1024;

export function watchPace(answer: OpenAnswer, clock: Clock): void {
  // The count of bytes half a window ago, and a whole window ago.
  let half = 0;
  let whole = Number.NEGATIVE_INFINITY;
  const check = (): void => {
    const now = answer.received();
    // Bytes that wait to be read are the reader's delay, not the service's.
    const isReaderSlow = answer.body.readableLength > 0;
    if (now - whole < leastBytes && !isReaderSlow) {
      answer.body.destroy(
        new Problem('cloud-busy', `${answer.call}: fewer than ${leastBytes} bytes in 10 s`, {
          status: answer.status,
          delivery: 'perhaps',
        }),
      );
      return;
    }
    whole = isReaderSlow ? Number.NEGATIVE_INFINITY : half;
    half = now;
    timer = clock.setTimeout(check, halfWindow);
  };
  let timer = clock.setTimeout(check, halfWindow);
  answer.body.once('close', () => clock.clearTimeout(timer));
}
