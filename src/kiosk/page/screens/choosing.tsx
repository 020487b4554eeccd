/** The list: what waits, what it costs, and what is to be printed or deleted. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { isMany, totalOf } from '../../../domain/print-total.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { choose as chosen, isSelectable, noChoice, remaining, shown } from '../choice.ts';
import { useDocumentChanges } from '../document-changes.ts';
import { headlineOf } from '../words/headline.ts';
import { moveInList } from '../list-keys.ts';
import { useInPlace } from '../words/places.ts';
import { useWords } from '../languages/words.ts';
import { DocumentOptions } from '../list/document-options.tsx';
import { DocumentResult, isDone, resultsOf } from '../list/document-result.tsx';
import { DocumentRow } from '../list/document-row.tsx';
import { Keyboard } from '../keys/keyboard.tsx';
import type { Search } from '../list/list-tools.tsx';
import { ListTools } from '../list/list-tools.tsx';
import { DoneFold } from '../list/done-fold.tsx';
import { News, NoticeLine, Notices } from '../parts/notice-line.tsx';
import { PrintQuestion } from '../list/print-question.tsx';
import { SelectionBar } from '../list/selection-bar.tsx';
import { StillThere } from '../parts/still-there.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { UndoBar } from '../list/undo-bar.tsx';
import type { Owes, ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

/** From so many on there are search and order. */
const longList = 12;
/** So many rows fill any screen: they are drawn first, and the others when those can be seen. */
const screenful = 24;
/** Documents a command names. */
const mostAtOnce = 80;
const nothing: readonly DocumentView[] = [];

interface ChoosingProps extends ScreenProps {
  readonly owes: Owes;
}

export function Choosing({ frame, send, owes }: ChoosingProps) {
  const words = useWords();
  const { say, language } = words;
  const heading = useEntryFocus<HTMLHeadingElement>();
  const [choice, choose] = useReducer(chosen, noChoice);
  const [search, setSearch] = useState<Search>('closed');
  const [optionsOf, setOptionsOf] = useState<string>();
  /** Whether they are to be printed; what comes in meanwhile is not among them. */
  const [askedAbout, setAskedAbout] = useState<readonly DocumentView[]>();
  const { mayHavePrinted = [], progress = [], balance, trouble, askAbovePages } = frame;
  const { documents, change, settled } = useDocumentChanges(frame.documents ?? nothing, send);
  const { deleting, query } = choice;

  const failed = new Set(progress.filter(({ stage }) => stage === 'failed').map((one) => one.documentUuid));
  const found = useMemo(() => {
    const rows = shown(documents, choice, language.code);
    const isFirst = ({ uuid }: DocumentView) => choice.order === 'as-sent' && failed.has(uuid);
    return [...rows.filter(isFirst), ...rows.filter((one) => !isFirst(one))];
  }, [documents, choice, language]);
  const rows = useInPlace(found, `${choice.order} ${query} ${language.code}`);
  const open = remaining(documents, choice).filter(isSelectable);
  const selected = open.filter(({ uuid }) => choice.selected.has(uuid));
  const doubts = new Map(mayHavePrinted.map(({ documentUuid, at }) => [documentUuid, at]));
  // Of a document that was released twice the last counts.
  const stages = new Map(progress.map((one) => [one.documentUuid, one]));
  const results = resultsOf([...stages.values()], new Set(documents.map(({ uuid }) => uuid)));
  // It stands above the list and pushes nothing down.
  const isNews = frame.notice?.code === 'new-documents';
  const done = results.filter(isDone);
  const notDone = results.filter((one) => !isDone(one));
  const isSearching = query.trim() !== '';
  const isChoice = selected.length > 0 || isSearching;
  const toPrint = isChoice ? selected : open;
  const isChoosable = documents.some(isSelectable);
  const changing = open.find(({ uuid, options }) => uuid === optionsOf && options !== undefined);
  const [drawn, setDrawn] = useState(screenful);
  useEffect(() => setDrawn(Number.POSITIVE_INFINITY), []);

  async function reallyDelete(): Promise<void> {
    if (deleting.length === 0) return;
    choose({ type: 'delete-sent', uuids: deleting });
    const sent = await send({ command: 'delete', documentUuids: deleting });
    if (sent !== 'done') choose({ type: 'delete-refused', uuids: deleting });
  }
  useEffect(() => {
    owes(deleting.length > 0 ? reallyDelete : undefined);
    return () => owes(undefined);
  }, [deleting]);
  async function print(documentUuids: readonly string[]): Promise<void> {
    await reallyDelete();
    // What is printed otherwise than it is shown would be printed in vain.
    if (!(await settled())) return;
    // A command holds some hundred of them (INVARIANTS.md T28); the terminal takes more while it prints.
    for (let from = 0; from < documentUuids.length; from += mostAtOnce) {
      await send({ command: 'release', documentUuids: documentUuids.slice(from, from + mostAtOnce) });
    }
  }
  const printAll = (meant: readonly DocumentView[]): void => void print(meant.map(({ uuid }) => uuid));
  const type = (text: string): void => choose({ type: 'search', query: text });
  const stopTyping = (): void => setSearch((now) => (now === 'keys' ? 'field' : now));
  // What was ticked and is gone does not stay ticked.
  useEffect(() => {
    if (selected.length < choice.selected.size)
      choose({ type: 'select', uuids: selected.map(({ uuid }) => uuid) });
  }, [documents]);

  // What is gone cannot be changed, and the focus was in there.
  useEffect(() => {
    if (optionsOf === undefined || changing) return;
    setOptionsOf(undefined);
    heading.current?.focus({ preventScroll: true });
  }, [changing === undefined]);

  if (documents.length === 0 && results.length === 0) {
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
      <div class="head">
        <h1 ref={heading} tabIndex={-1} class={isChoosable ? 'unseen' : ''}>
          {headlineOf(frame, words)}
        </h1>
        {isNews && <News frame={frame} />}
        {trouble && <Trouble trouble={trouble} onAgain={(uuids) => void print(uuids)} />}
        {!isNews && !trouble && <Notices frame={frame} />}
      </div>
      {isChoosable && (
        <ListTools
          choice={choice}
          choose={choose}
          search={search}
          setSearch={setSearch}
          rows={rows}
          isLong={documents.length >= longList || search !== 'closed'}
        />
      )}
      {isSearching && (
        <p class={rows.length === 0 ? 'found none' : 'found'} role="status">
          {rows.length === 0 ? say('nothingFound') : say('found', { n: rows.length })}
        </p>
      )}
      {/* Who scrolls has typed enough: a browser takes the finger over by a cancellation. */}
      <ul
        class="documents"
        aria-label={say('yourDocuments')}
        onKeyDown={moveInList}
        onPointerCancel={stopTyping}
        onWheel={stopTyping}
      >
        {!isSearching && notDone.map((one) => <DocumentResult key={one.documentUuid} progress={one} />)}
        {rows.slice(0, drawn).map((one) => (
          <DocumentRow
            key={one.uuid}
            document={one}
            isSelected={choice.selected.has(one.uuid)}
            doubtAt={doubts.get(one.uuid)}
            progress={stages.get(one.uuid)}
            isToldAbove={trouble?.documentUuids.includes(one.uuid) ?? false}
            choose={choose}
            send={send}
            onOptions={setOptionsOf}
          />
        ))}
        {!isSearching && (
          <DoneFold done={done} isAlone={documents.length === 0}>
            {done.map((one) => (
              <DocumentResult key={one.documentUuid} progress={one} />
            ))}
          </DoneFold>
        )}
      </ul>
      {search === 'keys' && (
        <Keyboard
          onKey={(text) => type(query + text)}
          onErase={() => type([...query].slice(0, -1).join(''))}
        />
      )}
      {deleting.length > 0 && (
        <UndoBar
          deleting={deleting}
          onUndo={() => choose({ type: 'undo' })}
          onOver={() => void reallyDelete()}
        />
      )}
      {isChoosable && (
        <SelectionBar
          documents={toPrint}
          isChoice={isChoice}
          balance={balance?.balance}
          onSelect={(uuids) => choose({ type: 'select', uuids })}
          onPrint={() =>
            isMany(totalOf(toPrint), askAbovePages) ? setAskedAbout(toPrint) : printAll(toPrint)
          }
        />
      )}
      {askedAbout && (
        <PrintQuestion
          documents={askedAbout}
          onPrint={() => printAll(askedAbout)}
          onClose={() => setAskedAbout(undefined)}
        />
      )}
      {changing?.options && (
        <DocumentOptions
          key={changing.uuid}
          document={changing}
          allowed={changing.options}
          change={(settings) => change(changing.uuid, settings)}
          onClose={() => setOptionsOf(undefined)}
        />
      )}
      <StillThere frame={frame} send={send} />
    </main>
  );
}
