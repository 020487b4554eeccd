/** Above the list: all or none, and, where it is long, search and order. */
import { useState } from 'preact/hooks';
import type { Choice, ChoiceStep, Order } from '../choice.ts';
import type { SentenceKey } from '../languages/message.ts';
import { useWords } from '../languages/words.ts';
import { Icon } from './icon.tsx';
import { Keyboard } from './keyboard.tsx';

interface ListToolsProps {
  readonly choice: Choice;
  readonly choose: (step: ChoiceStep) => void;
  /** Of what the list shows, those that can be ticked. */
  readonly selectable: readonly string[];
  readonly isLong: boolean;
}

const orders: Readonly<Record<Order, SentenceKey>> = {
  'as-sent': 'sortAsSent',
  name: 'sortByName',
  pages: 'sortByPages',
};

export function ListTools({ choice, choose, selectable, isLong }: ListToolsProps) {
  const { say } = useWords();
  const [isSearching, setSearching] = useState(false);
  const isAll = selectable.length > 0 && selectable.every((uuid) => choice.selected.has(uuid));
  const search = (query: string): void => choose({ type: 'search', query });
  return (
    <div class="tools">
      <button
        type="button"
        disabled={selectable.length === 0}
        onClick={() => choose({ type: 'select', uuids: isAll ? [] : selectable })}
      >
        {say(isAll ? 'selectNone' : 'selectAll')}
      </button>
      {!isLong && <p class="found">{say('waiting', { n: selectable.length })}</p>}
      {isLong && !isSearching && <OrderChoice order={choice.order} choose={choose} />}
      {isLong && (
        <div class={isSearching ? 'search open' : 'search'} role="search">
          {isSearching && (
            <input
              type="text"
              aria-label={say('searchName')}
              inputMode="none"
              autocomplete="off"
              maxLength={120}
              dir="auto"
              ref={(field) => field?.focus()}
              value={choice.query}
              onInput={({ currentTarget }) => search(currentTarget.value)}
            />
          )}
          <button
            type="button"
            class="round"
            aria-label={say(isSearching ? 'close' : 'search')}
            aria-expanded={isSearching}
            onClick={() => {
              search('');
              setSearching(!isSearching);
            }}
          >
            <Icon name={isSearching ? 'close' : 'search'} />
          </button>
        </div>
      )}
      {isSearching && (
        <Keyboard
          onKey={(text) => search(choice.query + text)}
          onErase={() => search([...choice.query].slice(0, -1).join(''))}
        />
      )}
    </div>
  );
}

function OrderChoice({
  order,
  choose,
}: {
  readonly order: Order;
  readonly choose: ListToolsProps['choose'];
}) {
  const { say } = useWords();
  return (
    <div class="order" role="group" aria-label={say('sort')}>
      {(Object.keys(orders) as Order[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === order}
          onClick={() => choose({ type: 'order', order: one })}
        >
          {say(orders[one])}
        </button>
      ))}
    </div>
  );
}
