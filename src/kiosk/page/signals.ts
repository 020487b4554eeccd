/** Short tones for those who do not look: accepted, refused, done (WebAudio; no file is loaded). */
import type { Frame } from '../frame.ts';
import { toneOf } from './languages/notice-words.ts';

export type Signal = 'accepted' | 'refused' | 'done';

/** Hertz, one after the other: rising for yes, falling for no. */
const tones: Readonly<Record<Signal, readonly number[]>> = {
  accepted: [660, 880],
  refused: [330, 220],
  done: [660, 880, 1320],
};
const toneSeconds = 0.11;

/** What the step from one frame to the next says. */
export function signalOf(before: Frame | undefined, next: Frame): Signal | undefined {
  if (next.notice && next.notice.code !== before?.notice?.code && toneOf(next.notice.code) === 'bad')
    return 'refused';
  if (before === undefined || before.state === next.state) return undefined;
  if (before.state === 'releasing') return isPrinted(before) ? 'done' : undefined;
  return before.state === 'authenticating' && next.state === 'listing' ? 'accepted' : undefined;
}

/** As far as the frame tells; a page that is told nothing says nothing (I12). */
const isPrinted = ({ progress = [] }: Frame): boolean =>
  progress.length > 0 && progress.every(({ stage }) => stage === 'printed');

/** Without a loudspeaker, or where the browser does not allow it yet, nothing is heard and nothing breaks. */
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
      // Without the ramps it clicks.
      volume.gain.linearRampToValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.2, begin + 0.01);
      volume.gain.linearRampToValueAtTime(0, begin + toneSeconds);
      oscillator.connect(volume).connect(destination);
      oscillator.start(begin);
      oscillator.stop(begin + toneSeconds);
    }
  };
}
