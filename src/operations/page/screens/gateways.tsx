/**
 * All gateways, those with faults first. The list follows the events, but no row moves while a user is at it. Rows
 * change in their places, and a button sorts them again.
 */
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ToldGateway } from '../../ui/answers.ts';
import type { GatewayRowWords } from '../gateway-list.ts';
import { isSameOrder, orderedMembers, rowWordsOf, sitesOf, steadied, terminalsOf } from '../gateway-list.ts';
import { useHand, useKeptScroll } from '../hand.ts';
import { StandingMark } from '../parts/facts.tsx';
import type { GatewaysSort, GatewaysView } from '../place.ts';
import { gatewaysSorts, hrefs, replacePlace, wholeList } from '../place.ts';
import { counted, wholeNumber } from '../plain-words.ts';
import { useHeading } from '../focus.ts';
import { countedStandings } from '../gateway-standing.ts';

interface GatewaysProps {
  readonly gateways: readonly ToldGateway[];
  /** Seconds since the answer. */
  readonly since: number;
  readonly view: GatewaysView;
}

export function Gateways({ gateways, since, view }: GatewaysProps) {
  const heading = useHeading('Gateways');
  const list = useRef<HTMLDivElement>(null);
  useKeptScroll('gateways');
  const rows = useMemo(
    () => new Map(gateways.map((one) => [one.digest.member, rowWordsOf(one, since)])),
    [gateways, since],
  );
  const { shown, isBehind, catchUp } = useSteadyOrder({ gateways, rows, view, isHandThere: useHand(list) });
  const shownRows = shown.flatMap((member) => rows.get(member) ?? []);
  return (
    <>
      <div class="title-row">
        <h1 ref={heading} tabIndex={-1}>
          Gateways
        </h1>
        <button type="button" class="behind" disabled={!isBehind} onClick={catchUp}>
          Sort again
        </button>
      </div>
      <Summary rows={[...rows.values()]} view={view} />
      <ListTools view={view} found={shownRows.length} />
      <div ref={list} class={view.bySite ? 'gateways by-site' : 'gateways'}>
        {view.bySite ? <BySite rows={shownRows} /> : <Rows rows={shownRows} />}
        {shownRows.length === 0 && (
          <p class="hint">{gateways.length === 0 ? noGatewayYet : 'No gateway is like that.'}</p>
        )}
      </div>
    </>
  );
}

const noGatewayYet = 'No gateway has been in the fleet yet. One is shown as soon as it runs.';

const Rows = ({ rows }: { readonly rows: readonly GatewayRowWords[] }) => (
  <ul>
    {rows.map((row) => (
      <GatewayRow key={row.member} {...row} />
    ))}
  </ul>
);

function BySite({ rows }: { readonly rows: readonly GatewayRowWords[] }) {
  const sites = sitesOf(rows);
  const within = Map.groupBy(rows, ({ site }) => site);
  return [...sites.values()].map(({ site, gateways, inOrder, ready, served }) => (
    <section key={site}>
      <h2>
        {site}{' '}
        <span class="hint">
          {inOrder} of {counted(gateways, 'gateway')} in order, {ready} of {counted(served, 'terminal')} ready
        </span>
      </h2>
      <Rows rows={within.get(site) ?? []} />
    </section>
  ));
}

interface SummaryProps {
  readonly rows: readonly GatewayRowWords[];
  readonly view: GatewaysView;
}

function Summary({ rows, view }: SummaryProps) {
  const counts = countedStandings(rows.map(({ word }) => word));
  const { ready, served } = terminalsOf(rows);
  return (
    <>
      <p>
        {counted(rows.length, 'gateway')} at {counted(sitesOf(rows).size, 'site')},{' '}
        {wholeNumber.format(ready)} of {counted(served, 'terminal')} ready
      </p>
      <ul class="counts">
        {[...counts]
          .filter(([, count]) => count > 0)
          .map(([word, count]) => (
            <li key={word}>
              <button
                type="button"
                class="quiet"
                aria-pressed={view.like === word}
                onClick={() =>
                  replacePlace(hrefs.gateways({ ...view, like: view.like === word ? '' : word }))
                }
              >
                <StandingMark word={word} /> {wholeNumber.format(count)}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

interface SteadyOptions {
  readonly gateways: readonly ToldGateway[];
  readonly rows: ReadonlyMap<string, GatewayRowWords>;
  readonly view: GatewaysView;
  isHandThere(): boolean;
}

/** A change by the tools shows at once; other changes wait until no user is at the list. */
function useSteadyOrder({ gateways, rows, view, isHandThere }: SteadyOptions) {
  const asked = JSON.stringify(view);
  const wanted = useMemo(() => orderedMembers(gateways, rows, view), [gateways, rows, asked]);
  const [, drawAgain] = useState(0);
  const held = useRef({ asked, shown: wanted, isCaughtUp: false });
  const isKept = held.current.asked === asked && !held.current.isCaughtUp && isHandThere();
  const shown = isKept ? steadied(held.current.shown, wanted, (member) => rows.has(member)) : wanted;
  held.current = { asked, shown, isCaughtUp: false };
  return {
    shown,
    isBehind: !isSameOrder(shown, wanted),
    catchUp: () => {
      held.current.isCaughtUp = true;
      drawAgain((before) => before + 1);
    },
  };
}

/** The whole row is a link. It is drawn again only when one of its values has changed. */
function GatewayRow(row: GatewayRowWords) {
  return useMemo(() => {
    const { member, name, site, word, ready, served, fault, moreFaults, hurt, isSelf } = row;
    return (
      <li class="gateway">
        <a href={hrefs.gateway(member)}>
          <StandingMark word={word} />
          <span class="name">
            {name}
            {isSelf && ' (here)'}
          </span>
          <span class="site">{site}</span>
          <span class="ready">
            {word === 'silent' && 'was '}
            {ready} of {served} ready
            {hurt > 0 && ` · ${hurt} hurt`}
          </span>
          <span class="fault">
            {fault}
            {moreFaults > 0 && `, and ${moreFaults} more`}
          </span>
        </a>
      </li>
    );
  }, Object.values(row));
}

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

/** Search, filter and order are in the address. */
function ListTools({ view, found }: ListToolsProps) {
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
