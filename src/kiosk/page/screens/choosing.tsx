/** The list: what waits, what it costs, and what is to be printed or deleted. */
import { useEffect, useReducer, useState } from 'preact/hooks';
import { isMany, totalOf } from '../../../domain/print-total.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import type { ChoiceStep } from '../choice.ts';
import { choose as chosen, isSelectable, noChoice } from '../choice.ts';
import { useDocumentChanges } from '../document-changes.ts';
import { lastVerdictOf } from '../progress.ts';
import { useWords } from '../languages/words.ts';
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
import { PrintQuestion } from '../list/print-question.tsx';
import { SelectionBar } from '../list/selection-bar.tsx';
import { News, NotHere, Notices } from '../parts/notice-line.tsx';
import { Instead, Printers, UseInstead } from '../parts/printers.tsx';
import { SeenOff, StillThere } from '../parts/still-there.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { StickLine } from '../stick/stick-line.tsx';
import type { Owes, Picture, ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';
import { headlineOf } from '../words/headline.ts';

/** From so many on there are search and order. */
const longList = 12;
/** As many rows as a screen as tall as a person has within everybody's reach. */
const withinReach = 10;
const nothing: readonly DocumentView[] = [];
const uuidsOf = (documents: readonly DocumentView[]): readonly string[] => documents.map(({ uuid }) => uuid);

interface ChoosingProps extends ScreenProps {
  readonly owes: Owes;
  readonly picture: Picture;
}

export function Choosing({ frame, send, owes, picture }: ChoosingProps) {
  const heading = useEntryFocus<HTMLHeadingElement>();
  const [choice, choose] = useReducer(chosen, noChoice);
  const [search, setSearch] = useState<Search>('closed');
  const { documents, change, settled } = useDocumentChanges(frame.documents ?? nothing, send);
  const listed = useListed(documents, choice, frame);
  const { deleting, query } = choice;
  const print = useListOrders({ deleting, choose, settled, send, owes });
  const { opened, open, close } = useOpenPanel(listed.open, heading);
  const { found, selected, done, notDone, isSearching } = listed;
  // What comes in meanwhile moves nothing.
  const [isMore] = useState(documents.length > withinReach);
  const isOver = lastVerdictOf(frame) !== undefined;
  const isChoosable = documents.some(isSelectable) && !frame.notHere;

  // What was ticked and is gone does not stay ticked.
  useEffect(() => {
    if (selected.length < choice.selected.size) choose({ type: 'select', uuids: uuidsOf(selected) });
  }, [documents]);

  if (documents.length === 0 && done.length + notDone.length === 0) {
    return <NothingWaits frame={frame} send={send} heading={heading} />;
  }
  return (
    <main class={isMore ? 'choosing many' : 'choosing'}>
      <Head {...{ frame, send, heading, isChoosable, isOver, print }} />
      <div class="where">
        {isChoosable && <Printers frame={frame} send={send} />}
        <StickLine frame={frame} send={send} />
      </div>
      {isChoosable && (
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
      <Printing frame={frame} listed={listed} isOffered={isChoosable} choose={choose} print={print} />
      {opened && <OpenPanel {...{ opened, frame, send, change, settled, picture, close }} />}
      {isOver ? <SeenOff frame={frame} send={send} /> : <StillThere frame={frame} send={send} />}
    </main>
  );
}

function NothingWaits({ frame, send, heading }: ScreenProps & { readonly heading: Heading }) {
  const words = useWords();
  return (
    <main class="centered">
      <h1 ref={heading} tabIndex={-1} class="huge">
        {headlineOf(frame, words)}
      </h1>
      <NotHere frame={frame} />
      {frame.notice ? (
        <Notices frame={frame} send={send} />
      ) : (
        <p class="hint">{words.say('nothingWaitsHint')}</p>
      )}
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
  // It stands above the list and pushes nothing down.
  const isNews = notice?.code === 'new-documents';
  const isTold = trouble !== undefined && frame.instead?.why === 'trouble';
  return (
    <div class="head">
      <h1 ref={heading} tabIndex={-1} class={isOver ? 'huge' : isChoosable ? 'unseen' : ''}>
        {headlineOf(frame, useWords())}
      </h1>
      {isNews && <News frame={frame} />}
      <NotHere frame={frame} />
      {trouble && !frame.notHere && (
        <Trouble trouble={trouble} onAgain={print}>
          {isTold && <UseInstead frame={frame} send={send} />}
        </Trouble>
      )}
      {!isTold && <Instead frame={frame} send={send} />}
      {!isNews && !trouble && <Notices frame={frame} send={send} />}
    </div>
  );
}

interface PrintingProps {
  readonly frame: Frame;
  readonly listed: Listed;
  readonly isOffered: boolean;
  readonly choose: (step: ChoiceStep) => void;
  readonly print: Print;
}

/** The one button that prints, and the question before many pages. */
function Printing({ frame, listed, isOffered, choose, print }: PrintingProps) {
  /** Whether they are to be printed; what comes in meanwhile is not among them. */
  const [askedAbout, setAskedAbout] = useState<readonly DocumentView[]>();
  const { open, selected, isSearching } = listed;
  const isChoice = selected.length > 0 || isSearching;
  const toPrint = isChoice ? selected : open;
  const isAsked = isMany(totalOf(toPrint), frame.askAbovePages);
  return (
    <>
      {isOffered && (
        <SelectionBar
          documents={toPrint}
          isChoice={isChoice}
          balance={frame.balance?.balance}
          onSelect={(uuids) => choose({ type: 'select', uuids })}
          onPrint={() => (isAsked ? setAskedAbout(toPrint) : print(uuidsOf(toPrint)))}
        />
      )}
      {askedAbout && (
        <PrintQuestion
          documents={askedAbout}
          onPrint={() => print(uuidsOf(askedAbout))}
          onClose={() => setAskedAbout(undefined)}
        />
      )}
    </>
  );
}
