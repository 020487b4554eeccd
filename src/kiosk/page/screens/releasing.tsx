/** The prints, document by document. Only confirmed prints are called "printed" (I12). */
import { headlineOf } from '../../../phrases/headline.ts';
import { useWords } from '../languages/words.ts';
import { DocumentRow } from '../list/document-row.tsx';
import { isDone } from '../list/document-result.tsx';
import { DoneFold } from '../list/done-fold.tsx';
import { Notices } from '../parts/notice-line.tsx';
import { ProgressRow } from '../list/progress-row.tsx';
import { StillThere } from '../parts/still-there.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { byUrgency, progressOf, sayTally, tallyOf, verdictOf } from '../../../phrases/progress.ts';
import { nameOf, printerAt } from '../../../phrases/printer-words.ts';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

const nothing = (): void => {};

export function Releasing({ frame, send }: ScreenProps) {
  const words = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  const { documents = [], mayHavePrinted = [] } = frame;
  const rows = byUrgency(progressOf(frame));
  const done = rows.filter(isDone);
  const tally = tallyOf(rows);
  const underWay = new Set(rows.map(({ documentUuid }) => documentUuid));
  const doubtful = documents.filter(
    ({ uuid, standing }) => standing === 'may-have-printed' && !underWay.has(uuid),
  );
  const doubts = new Map(mayHavePrinted.map((one) => [one.documentUuid, one]));
  const overall = sayTally(tally, words);
  return (
    <main class="choosing">
      <div class="head">
        <h1 ref={heading} tabIndex={-1}>
          {tally.isOver ? words.say(verdictOf(tally)) : headlineOf(frame, words)}
        </h1>
        {frame.trouble ? <Trouble trouble={frame.trouble} /> : <Notices frame={frame} send={send} />}
      </div>
      {tally.all > 1 && (
        <div class="overall">
          <p>{overall}</p>
          <progress value={tally.done} max={tally.all} aria-label={overall} />
        </div>
      )}
      <ul class="documents" tabIndex={0} aria-label={words.say('yourDocuments')}>
        {rows.map(
          (progress) =>
            !isDone(progress) && (
              <ProgressRow
                key={progress.documentUuid}
                progress={progress}
                printer={printerAt(frame, progress.printer)}
                at={nameOf(frame, progress.printer)}
              />
            ),
        )}
        {doubtful.map((document) => (
          <DocumentRow
            key={document.uuid}
            document={document}
            isSelected={false}
            doubt={doubts.get(document.uuid)}
            choose={nothing}
            send={send}
          />
        ))}
        <DoneFold done={done} isAlone={tally.isOver}>
          {done.map((progress) => (
            <ProgressRow key={progress.documentUuid} progress={progress} />
          ))}
        </DoneFold>
      </ul>
      <StillThere frame={frame} send={send} />
    </main>
  );
}
