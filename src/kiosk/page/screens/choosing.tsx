/** The list: what waits, what it costs, and what is to be printed or deleted. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { choose as chosen, isSelectable, noChoice, remaining, shown } from '../choice.ts';
import { headlineOf } from '../headline.ts';
import { useWords } from '../languages/words.ts';
import { DocumentRow } from '../parts/document-row.tsx';
import { ListTools } from '../parts/list-tools.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import { SelectionBar } from '../parts/selection-bar.tsx';
import { StillThere } from '../parts/still-there.tsx';
import { UndoBar } from '../parts/undo-bar.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

/** From so many on there are search and order. */
const longList = 12;
/** So many rows fill any screen: they are drawn first, and the others when those can be seen. */
const screenful = 24;
/** Documents a command names. */
const mostAtOnce = 80;

export function Choosing({ frame, send }: ScreenProps) {
  const words = useWords();
  const { say, language } = words;
  const heading = useEntryFocus<HTMLHeadingElement>();
  const [choice, choose] = useReducer(chosen, noChoice);
  const { documents = [], mayHavePrinted = [], balance } = frame;
  const { deleting, query } = choice;

  const rows = useMemo(() => shown(documents, choice, language.code), [documents, choice, language]);
  const open = remaining(documents, choice).filter(isSelectable);
  const selected = open.filter(({ uuid }) => choice.selected.has(uuid));
  const doubts = new Map(mayHavePrinted.map(({ documentUuid, at }) => [documentUuid, at]));
  const isSearching = query.trim() !== '';
  const [drawn, setDrawn] = useState(screenful);
  useEffect(() => setDrawn(Number.POSITIVE_INFINITY), []);

  async function reallyDelete(): Promise<void> {
    if (deleting.length === 0) return;
    choose({ type: 'delete-sent', uuids: deleting });
    const sent = await send({ command: 'delete', documentUuids: deleting });
    if (sent !== 'done') choose({ type: 'delete-refused', uuids: deleting });
  }
  async function print(documentUuids: readonly string[]): Promise<void> {
    await reallyDelete();
    // A command holds some hundred of them (reliability.md T28); the terminal takes more while it prints.
    for (let from = 0; from < documentUuids.length; from += mostAtOnce) {
      await send({ command: 'release', documentUuids: documentUuids.slice(from, from + mostAtOnce) });
    }
  }
  // What was ticked and is gone does not stay ticked.
  useEffect(() => {
    if (selected.length < choice.selected.size)
      choose({ type: 'select', uuids: selected.map(({ uuid }) => uuid) });
  }, [documents]);

  if (documents.length === 0) {
    return (
      <main class="centered">
        <h1 ref={heading} tabIndex={-1} class="huge">
          {headlineOf(frame, words)}
        </h1>
        {frame.notice ? <NoticeLine frame={frame} /> : <p class="hint">{say('nothingWaitsHint')}</p>}
        <StillThere frame={frame} send={send} />
      </main>
    );
  }
  return (
    <main class="choosing">
      <h1 ref={heading} tabIndex={-1} class="unseen">
        {headlineOf(frame, words)}
      </h1>
      <NoticeLine frame={frame} />
      <ListTools
        choice={choice}
        choose={choose}
        selectable={rows.filter(isSelectable).map(({ uuid }) => uuid)}
        isLong={documents.length >= longList}
      />
      {isSearching && (
        <p class="found" role="status">
          {rows.length === 0 ? say('nothingFound') : say('found', { n: rows.length })}
        </p>
      )}
      <ul class="documents" aria-label={say('yourDocuments')}>
        {rows.slice(0, drawn).map((one) => (
          <DocumentRow
            key={one.uuid}
            document={one}
            isSelected={choice.selected.has(one.uuid)}
            doubtAt={doubts.get(one.uuid)}
            choose={choose}
            send={send}
          />
        ))}
      </ul>
      {deleting.length > 0 && (
        <UndoBar
          deleting={deleting}
          onUndo={() => choose({ type: 'undo' })}
          onOver={() => void reallyDelete()}
        />
      )}
      <SelectionBar
        documents={selected.length > 0 || isSearching ? selected : open}
        isChoice={selected.length > 0 || isSearching}
        balance={balance?.balance}
        onSelect={(uuids) => choose({ type: 'select', uuids })}
        onPrint={(uuids) => void print(uuids)}
      />
      <StillThere frame={frame} send={send} />
    </main>
  );
}
