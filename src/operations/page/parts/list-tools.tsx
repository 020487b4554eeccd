/** The tools above the list of gateways: search, filter and order. All of these are in the address. */
import { useId } from 'preact/hooks';
import type { GatewaysSort, GatewaysView } from '../place.ts';
import { gatewaysSorts, hrefs, replacePlace, wholeList } from '../place.ts';
import { counted } from '../plain-words.ts';

const sortWords: Readonly<Record<GatewaysSort, string>> = {
  wrong: 'problems',
  hurt: 'failed prints and badges',
  waiting: 'waiting records',
  name: 'name',
};

interface ListToolsProps {
  readonly view: GatewaysView;
  readonly found: number;
}

export function ListTools({ view, found }: ListToolsProps) {
  const id = useId();
  const change = (changed: Partial<GatewaysView>) => replacePlace(hrefs.gateways({ ...view, ...changed }));
  const isFiltered = view.search !== '' || view.onlyTroubled || view.like !== '';
  return (
    <div class="tools" role="search" aria-label="Gateways">
      <label for={id} class="unseen">
        Search by gateway, site, terminal or problem
      </label>
      <input
        id={id}
        type="search"
        placeholder="Gateway, site, terminal or problem"
        value={view.search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={view.onlyTroubled}
          onChange={({ currentTarget }) => change({ onlyTroubled: currentTarget.checked })}
        />
        Only what is wrong
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={view.bySite}
          onChange={({ currentTarget }) => change({ bySite: currentTarget.checked })}
        />
        By site
      </label>
      <label class="choice">
        Sort by
        <select
          value={view.sort}
          onChange={({ currentTarget }) =>
            change({ sort: gatewaysSorts[currentTarget.selectedIndex] ?? wholeList.sort })
          }
        >
          {gatewaysSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortWords[sort]}
            </option>
          ))}
        </select>
      </label>
      <span role="status" class="found">
        {isFiltered && `${counted(found, 'gateway')} found`}
      </span>
    </div>
  );
}
