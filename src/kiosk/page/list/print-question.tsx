/** The question before many pages are printed, or before documents whose paper is not in the printer. */
import { isMany, totalOf } from '../../../domain/print-total.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { Question } from '../parts/question.tsx';
import { sayTotal } from '../words/money.ts';

interface PrintQuestionProps {
  readonly documents: readonly DocumentView[];
  readonly onPrint: () => void;
  readonly onClose: () => void;
}

const missingPaper = (documents: readonly DocumentView[]): string | undefined =>
  documents.find(({ lacksPaper }) => lacksPaper)?.paper;

export const isAskedAbout = (
  documents: readonly DocumentView[],
  askAbovePages: number | undefined,
): boolean => isMany(totalOf(documents), askAbovePages) || missingPaper(documents) !== undefined;

export function PrintQuestion({ documents, onPrint, onClose }: PrintQuestionProps) {
  const words = useWords();
  const { say } = words;
  const paper = missingPaper(documents);
  return (
    <Question
      id="print-question"
      title={paper === undefined ? say('printMany') : say('printWithoutPaper', { paper })}
      hint={paper === undefined ? sayTotal(documents, words) : say('printerWillWait')}
      deed={say('printSelected', { n: documents.length })}
      onDeed={onPrint}
      onClose={onClose}
    />
  );
}
