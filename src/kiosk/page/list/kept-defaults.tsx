/**
 * The person's usual print settings. They are kept with the badge, set from the options of a document, and shown below
 * the list.
 */
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { Defaults, DocumentOptions } from '../../../domain/document-changes.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { isSameWork } from '../../../domain/printer/paper-work.ts';
import { Icon } from '../parts/icon.tsx';
import { workLine } from '../words/paper-words.ts';
import type { Words } from '../languages/words.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';

const none: Defaults = { grey: false, twoSided: false };

interface KeepProps {
  readonly document: DocumentView;
  readonly allowed: DocumentOptions;
  readonly kept: Defaults | undefined;
  readonly keep: (wanted: Defaults) => void;
}

/** A setting that this document does not offer stays as it is kept. */
export function Keep({ document: { color, sides, work = {} }, allowed, kept = none, keep }: KeepProps) {
  const { say } = useWords();
  const wanted: Defaults = {
    grey: allowed.grey ? !color : kept.grey,
    twoSided: allowed.twoSided ? isTwoSided(sides) : kept.twoSided,
    work: allowed.work ? work : (kept.work ?? {}),
  };
  const isKept =
    wanted.grey === kept.grey && wanted.twoSided === kept.twoSided && isSameWork(wanted.work, kept.work);
  const hasWork = !isSameWork(wanted.work, {});
  if (!allowed.grey && !allowed.twoSided && !allowed.work) return null;
  return (
    <button
      type="button"
      class="keep"
      aria-disabled={isKept}
      aria-live="polite"
      onClick={() => !isKept && keep(wanted)}
    >
      {say(isKept && (wanted.grey || wanted.twoSided || hasWork) ? 'isKept' : 'keepForMe')}
    </button>
  );
}

/** One touch forgets the settings. */
export function KeptLine({ frame: { defaults }, send }: ScreenProps) {
  const words = useWords();
  const { say } = words;
  if (!defaults?.kept) return null;
  return (
    <p class="kept">
      <span>{say('keptForYou', { what: keptWords(defaults.kept, words) })}</span>
      <button
        type="button"
        class="round"
        aria-label={say('forgetKept')}
        onClick={() => void send({ command: 'forget-defaults' })}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

const keptWords = ({ grey, twoSided, work = {} }: Defaults, words: Words): string =>
  [grey && words.say('monochrome'), twoSided && words.say('twoSided'), ...workLine(work, words)]
    .filter((one) => one !== false)
    .join(' · ');
