/** The question before many pages are printed, with their number and a way back. */
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { Question } from '../parts/question.tsx';
import { sayTotal } from '../words/money.ts';

interface PrintQuestionProps {
  readonly documents: readonly DocumentView[];
  readonly onPrint: () => void;
  readonly onClose: () => void;
}

export function PrintQuestion({ documents, onPrint, onClose }: PrintQuestionProps) {
  const words = useWords();
  return (
    <Question
      id="print-question"
      title={words.say('printMany')}
      hint={sayTotal(documents, words)}
      deed={words.say('printSelected', { n: documents.length })}
      onDeed={onPrint}
      onClose={onClose}
    />
  );
}
