/** The list: the waiting documents, their cost, and the choice of documents to print or delete. */
import type { ComponentChild } from 'preact';
import { useEffect, useReducer, useState } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import type { ChoiceStep } from '../choice.ts';
import { choose as chosen, isSelectable, noChoice } from '../choice.ts';
import type { DocumentChanges } from '../document-changes.ts';
import { useDocumentChanges } from '../document-changes.ts';
import { settingsOf } from '../document-settings.ts';
import { lastVerdictOf } from '../../../phrases/progress.ts';
import { useWords } from '../languages/words.ts';
import { saidIn, useLook } from '../look.ts';
import { DocumentList } from '../list/document-list.tsx';
import { FoundLine } from '../list/found-line.tsx';
import { KeptLine } from '../list/kept-defaults.tsx';
import type { Print } from '../list/list-orders.ts';
import { useListOrders } from '../list/list-orders.ts';
import type { Search } from '../list/list-tools.tsx';
import { ListTools, SearchKeys } from '../list/list-tools.tsx';
import type { Listed } from '../list/listed.ts';
import { useListed } from '../list/listed.ts';
import type { Heading } from '../list/open-panel.tsx';
import { onPreview, OpenPanel, useOpenPanel } from '../list/open-panel.tsx';
import { isAskedAbout, PrintQuestion } from '../list/print-question.tsx';
import { SelectionBar } from '../list/selection-bar.tsx';
import { News, NotHere, Notices } from '../parts/notice-line.tsx';
import { Instead, Printers, UseInstead } from '../parts/printers.tsx';
import { SeenOff, StillThere } from '../parts/still-there.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { StickLine } from '../stick/stick-line.tsx';
import type { KeepTask, Picture, ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';
import { headlineOf } from '../../../phrases/headline.ts';

/** Longer lists have search and order. */
const longList = 12;
/** On a screen as tall as a person, everybody can reach this number of rows. */
const withinReach = 10;
/** A list this short is usually printed as a whole. */
const fewDocuments = 3;
const nothing: readonly DocumentView[] = [];
const uuidsOf = (documents: readonly DocumentView[]): readonly string[] => documents.map(({ uuid }) => uuid);

interface ChoosingProps extends ScreenProps {
  readonly keepTask: KeepTask;
  readonly picture: Picture;
}

export function Choosing({ frame, send, keepTask, picture }: ChoosingProps) {
  const heading = useEntryFocus<HTMLHeadingElement>();
  const [choice, choose] = useReducer(chosen, noChoice);
  const [search, setSearch] = useState<Search>('closed');
  const { documents, change, settled } = useDocumentChanges(frame.documents ?? nothing, send);
  const listed = useListed(documents, choice, frame);
  const { deleting, query } = choice;
  const print = useListOrders({ deleting, choose, settled, send, keepTask });
  const { wish, question } = useWish(print, frame);
  const { opened, open, close } = useOpenPanel(listed.open, heading);
  const { found, selected, done, notDone, isSearching } = listed;
  // New documents do not change the layout.
  const [isMore] = useState(documents.length > withinReach);
  const isOver = lastVerdictOf(frame) !== undefined;
  const { hasBigButtons = false } = useLook();
  const isChoosable = documents.some(isSelectable) && !frame.notHere;

  const isBig = hasBigButtons && isChoosable && documents.length <= fewDocuments;

  // A ticked document that disappears does not stay ticked.
  useEffect(() => {
    if (selected.length < choice.selected.size) choose({ type: 'select', uuids: uuidsOf(selected) });
  }, [documents]);

  if (documents.length === 0 && done.length + notDone.length === 0) {
    return <NothingWaits frame={frame} send={send} heading={heading} />;
  }
  return (
    <main class={`choosing ${isBig ? 'big' : isMore ? 'many' : ''}`}>
      <Head {...{ frame, send, heading, isChoosable, isOver, print }} />
      <div class="where">
        {isChoosable && <Printers frame={frame} send={send} />}
        <StickLine frame={frame} send={send} />
      </div>
      {isChoosable && !isBig && (
        <ListTools
          {...{ choice, choose, search, setSearch }}
          rows={found}
          isLong={documents.length >= longList || search !== 'closed'}
        />
      )}
      {isSearching && <FoundLine n={found.length} />}
      <DocumentList
        {...{ listed, choice, choose, send }}
        trouble={frame.trouble}
        isAllDone={documents.length === 0 || isOver}
        isNotHere={frame.notHere === true}
        onOptions={open.options}
        {...onPreview(frame, open.preview)}
        onScroll={() => setSearch((now) => (now === 'keys' ? 'field' : now))}
      />
      {search === 'keys' && <SearchKeys query={query} choose={choose} />}
      <KeptLine frame={frame} send={send} />
      {isChoosable && <Printing {...{ frame, listed, choose, change, wish }} />}
      {question}
      {opened && <OpenPanel {...{ opened, frame, send, change, settled, picture, wish, close }} />}
      {isOver ? <SeenOff frame={frame} send={send} /> : <StillThere frame={frame} send={send} />}
    </main>
  );
}

function NothingWaits({ frame, send, heading }: ScreenProps & { readonly heading: Heading }) {
  const words = useWords();
  const howToSend = saidIn(useLook().howToSend, words.language) ?? words.say('nothingWaitsHint');
  return (
    <main class="centered">
      <h1 ref={heading} tabIndex={-1} class="huge">
        {headlineOf(frame, words)}
      </h1>
      <NotHere frame={frame} />
      {frame.notice ? <Notices frame={frame} send={send} /> : <p class="hint">{howToSend}</p>}
      <StickLine frame={frame} send={send} />
      <StillThere frame={frame} send={send} />
    </main>
  );
}

interface HeadProps extends ScreenProps {
  readonly heading: Heading;
  readonly isChoosable: boolean;
  readonly isOver: boolean;
  readonly print: Print;
}

function Head({ frame, send, heading, isChoosable, isOver, print }: HeadProps) {
  const { notice, trouble } = frame;
  // Shown over the list, so that nothing moves.
  const isNews = notice?.code === 'new-documents';
  const isInTrouble = trouble !== undefined && frame.instead?.why === 'trouble';
  return (
    <div class="head">
      <h1 ref={heading} tabIndex={-1} class={isOver ? 'huge' : isChoosable ? 'unseen' : ''}>
        {headlineOf(frame, useWords())}
      </h1>
      {isNews && <News frame={frame} />}
      <NotHere frame={frame} />
      {trouble && !frame.notHere && (
        <Trouble trouble={trouble} onAgain={print}>
          {isInTrouble && <UseInstead frame={frame} send={send} />}
        </Trouble>
      )}
      {!isInTrouble && <Instead frame={frame} send={send} />}
      {!isNews && !trouble && <Notices frame={frame} send={send} />}
    </div>
  );
}

interface PrintingProps {
  readonly frame: Frame;
  readonly listed: Listed;
  readonly choose: (step: ChoiceStep) => void;
  readonly change: DocumentChanges['change'];
  readonly wish: Wish;
}

/** The one button that prints. */
function Printing({ frame, listed, choose, change, wish }: PrintingProps) {
  const { open, selected, isSearching } = listed;
  const isChoice = selected.length > 0 || isSearching;
  const toPrint = isChoice ? selected : open;
  return (
    <SelectionBar
      documents={toPrint}
      isChoice={isChoice}
      balance={frame.balance?.balance}
      onSelect={(uuids) => choose({ type: 'select', uuids })}
      onPrint={() => wish(toPrint)}
      onPrintGrey={(document) => {
        void change(document.uuid, { ...settingsOf(document), color: false });
        wish([document]);
      }}
    />
  );
}

/** Prints the documents. If they have many pages, or no paper, it asks first. */
type Wish = (documents: readonly DocumentView[]) => void;

function useWish(
  print: Print,
  { askAbovePages }: Frame,
): { readonly wish: Wish; readonly question: ComponentChild } {
  /** The documents of the open question. Documents that come later are not among them. */
  const [askedAbout, setAskedAbout] = useState<readonly DocumentView[]>();
  return {
    wish: (documents) =>
      isAskedAbout(documents, askAbovePages) ? setAskedAbout(documents) : print(uuidsOf(documents)),
    question: askedAbout && (
      <PrintQuestion
        documents={askedAbout}
        onPrint={() => print(uuidsOf(askedAbout))}
        onClose={() => setAskedAbout(undefined)}
      />
    ),
  };
}
