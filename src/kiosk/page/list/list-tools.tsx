/** The tools above the list: select all or none and, for a long list, search and order. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { Choice, ChoiceStep, Order } from '../choice.ts';
import { isSelectable } from '../choice.ts';
import { Keyboard } from '../keys/keyboard.tsx';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';

/** `keys`: the keyboard on the screen is open. `field`: the search text stays, but the keyboard is closed. */
export type Search = 'closed' | 'keys' | 'field';

interface ListToolsProps {
  readonly choice: Choice;
  readonly choose: (step: ChoiceStep) => void;
  readonly search: Search;
  readonly setSearch: (search: Search) => void;
  /** As the list shows them. */
  readonly rows: readonly DocumentView[];
  readonly isLong: boolean;
}

const orders: Readonly<Record<Order, SentenceKey>> = {
  'as-sent': 'sortAsSent',
  newest: 'sortNewest',
  name: 'sortByName',
  pages: 'sortByPages',
};

export function ListTools({ choice, choose, search, setSearch, rows, isLong }: ListToolsProps) {
  const { say } = useWords();
  const selectable = rows.filter(isSelectable).map(({ uuid }) => uuid);
  const isAll = selectable.length > 0 && selectable.every((uuid) => choice.selected.has(uuid));
  const isOpen = search !== 'closed';
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    choose({ type: 'search', query: '' });
    setSearch('closed');
    opener.current?.focus();
  };
  return (
    <div class="tools">
      <button
        type="button"
        disabled={selectable.length === 0}
        onClick={() => choose({ type: isAll ? 'untick' : 'tick', uuids: selectable })}
      >
        {say(isAll ? 'selectNone' : 'selectAll')}
      </button>
      {!isLong && <p class="found">{say('waiting', { n: selectable.length })}</p>}
      {isLong && !isOpen && <OrderChoice order={choice.order} choose={choose} rows={rows} />}
      {isLong && (
        <div class={isOpen ? 'search open' : 'search'} role="search">
          {isOpen && <SearchField {...{ choice, choose, search, setSearch, close }} />}
          <button
            ref={opener}
            type="button"
            class="round"
            aria-label={say(isOpen ? 'close' : 'search')}
            aria-expanded={isOpen}
            onClick={() => (isOpen ? close() : setSearch('keys'))}
          >
            <Icon name={isOpen ? 'close' : 'search'} />
          </button>
        </div>
      )}
    </div>
  );
}

type SearchFieldProps = Pick<ListToolsProps, 'choice' | 'choose' | 'search' | 'setSearch'> & {
  readonly close: () => void;
};

function SearchField({ choice, choose, search, setSearch, close }: SearchFieldProps) {
  const { say } = useWords();
  const field = useRef<HTMLInputElement>(null);
  // The focus moves in the same event as the touch, so that the next key goes into the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const done = (): void => {
    setSearch('field');
    field.current?.focus();
  };
  return (
    <>
      <input
        type="text"
        aria-label={say('searchName')}
        inputMode="none"
        autocomplete="off"
        maxLength={120}
        dir="auto"
        ref={field}
        value={choice.query}
        onClick={() => setSearch('keys')}
        onInput={({ currentTarget }) => choose({ type: 'search', query: currentTarget.value })}
        onKeyDown={({ key }) => {
          if (key === 'Enter') done();
          if (key === 'Escape') close();
        }}
      />
      {search === 'keys' && (
        <button type="button" onClick={done}>
          {say('done')}
        </button>
      )}
    </>
  );
}

/** The keys for the search text, if there is no keyboard. */
export function SearchKeys({ query, choose }: Pick<Choice, 'query'> & Pick<ListToolsProps, 'choose'>) {
  const type = (text: string): void => choose({ type: 'search', query: text });
  return (
    <Keyboard onKey={(text) => type(query + text)} onErase={() => type([...query].slice(0, -1).join(''))} />
  );
}

type OrderChoiceProps = Pick<ListToolsProps, 'choose' | 'rows'> & { readonly order: Order };

function OrderChoice({ order, choose, rows }: OrderChoiceProps) {
  const { say } = useWords();
  const isTimed = rows.some(({ sentAt }) => sentAt !== undefined);
  const offered = (Object.keys(orders) as Order[]).filter((one) => isTimed || one !== 'newest');
  return (
    <div class="order" role="group" aria-label={say('sort')}>
      {offered.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === order}
          onClick={() => choose({ type: 'order', order: one })}
        >
          {say(isTimed && one === 'as-sent' ? 'sortOldest' : orders[one])}
        </button>
      ))}
    </div>
  );
}
