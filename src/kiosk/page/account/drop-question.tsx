/** Asks before a card is dropped, so that a slip of the finger drops no card. */
import { useWords } from '../languages/words.ts';
import { Question } from '../parts/question.tsx';

interface DropQuestionProps {
  /** The last characters of the card. */
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
