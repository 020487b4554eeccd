/** A card is about to be dropped: nobody does that by a slip of the finger. */
import { useWords } from '../languages/words.ts';
import { Question } from '../parts/question.tsx';

interface DropQuestionProps {
  /** The last characters of that card. */
  readonly end: string;
  readonly onDrop: () => void;
  readonly onClose: () => void;
}

export function DropQuestion({ end, onDrop, onClose }: DropQuestionProps) {
  const { say } = useWords();
  return (
    <Question
      id="drop-question"
      title={say('dropQuestion', { end })}
      hint={say('dropQuestionHint')}
      deed={say('dropCard')}
      onDeed={onDrop}
      onClose={onClose}
    />
  );
}
