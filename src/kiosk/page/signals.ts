/** Short tones for people who do not look: accepted, refused, done (WebAudio; no file is loaded). */
import type { NoticeCode } from '../../domain/terminal/notice.ts';
import type { Frame } from '../frame.ts';
import { toneOf } from '../../phrases/notice-words.ts';
import { tallyOf } from '../../phrases/progress.ts';

export type Signal = 'accepted' | 'refused' | 'done';

/** Hertz, one after the other: rising for yes, falling for no. */
const tones: Readonly<Record<Signal, readonly number[]>> = {
  accepted: [660, 880],
  refused: [330, 220],
  done: [660, 880, 1320],
};
const toneSeconds = 0.11;

/** The tone for the step from one frame to the next. */
export function signalOf(before: Frame | undefined, next: Frame): Signal | undefined {
  const { notice } = next;
  // The state at the load of the page, or after a lost connection, is not new.
  if (before === undefined) return undefined;
  if (notice && notice.code !== before.notice?.code && toneOf(notice.code) === 'bad' && isAnswer(notice.code))
    return 'refused';
  if (before.generation === next.generation && !tallyOf(before.progress ?? []).isOver) {
    const { isOver, all, done, sent } = tallyOf(next.progress ?? []);
    // The printer has only accepted these documents; nobody knows more (I12).
    if (isOver && done === all) return sent === 0 ? 'done' : 'accepted';
  }
  return before.state === 'authenticating' && next.state === 'listing' ? 'accepted' : undefined;
}

/** Changes without a person in front make no sound. */
const byItself = /^(cloud|printer|reader)-(unreachable|not-ready|unavailable|floods|silent|stuck-key)$/;
const isAnswer = (code: NoticeCode): boolean => !byItself.test(code);

/** Without a loudspeaker, or before the browser allows sound, it does nothing. */
export function createSounds(): (signal: Signal) => void {
  let context: AudioContext | undefined;
  return (signal) => {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    const { currentTime, destination } = context;
    for (const [place, frequency] of tones[signal].entries()) {
      const begin = currentTime + place * toneSeconds;
      const oscillator = new OscillatorNode(context, { frequency });
      const volume = new GainNode(context, { gain: 0 });
      // Without the ramps there is a click.
      volume.gain.linearRampToValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.2, begin + 0.01);
      volume.gain.linearRampToValueAtTime(0, begin + toneSeconds);
      oscillator.connect(volume).connect(destination);
      oscillator.start(begin);
      oscillator.stop(begin + toneSeconds);
    }
  };
}
