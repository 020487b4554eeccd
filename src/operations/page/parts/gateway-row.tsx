/** One gateway of the list, with the whole row as a link. It is drawn again only when one of its values has changed. */
import { useMemo } from 'preact/hooks';
import type { GatewayRowWords } from '../gateway-list.ts';
import { hrefs } from '../place.ts';
import { StandingMark } from './mark.tsx';

export function GatewayRow(row: GatewayRowWords) {
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
