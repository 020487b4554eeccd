/** All conditions of all gateways, by their codes: number, places, beginnings and advice. */
import type { ToldGateway } from '../../ui/answers.ts';
import { SeverityMark } from '../parts/condition-item.tsx';
import { Moment } from '../parts/facts.tsx';
import type { OwnStatus } from '../own-status.ts';
import type { ConditionGroup, ConditionPlace } from '../condition-groups.ts';
import { conditionGroups } from '../condition-groups.ts';
import { hrefs, wholeList } from '../place.ts';
import { adviceOf, counted, titleOf } from '../plain-words.ts';
import { useHeading } from '../focus.ts';
import type { Watched } from '../watching.ts';

interface ConditionsProps {
  readonly gateways: readonly ToldGateway[];
  readonly own: Watched<OwnStatus>;
}

/** More places are folded. */
const mostOpen = 5;

export function Conditions({ gateways, own }: ConditionsProps) {
  const heading = useHeading('Conditions');
  const groups = conditionGroups(gateways, own.answer);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Conditions
      </h1>
      <p>
        {groups.length === 0
          ? 'Nothing is wrong.'
          : `${counted(groups.length, 'kind')} of trouble at present`}
      </p>
      {groups.map((group) => (
        <Group key={group.code} group={group} />
      ))}
    </>
  );
}

function Group({ group: { code, severity, places } }: { readonly group: ConditionGroup }) {
  const rest = places.slice(mostOpen);
  return (
    <section class="condition">
      <h2>
        <SeverityMark severity={severity} /> <span class="title">{titleOf(code)}</span>{' '}
        <a class="hint" href={hrefs.gateways({ ...wholeList, search: titleOf(code) })}>
          {counted(places.length, 'place')}
        </a>
      </h2>
      <p class="advice">{adviceOf(code)}</p>
      <Places of={places.slice(0, mostOpen)} />
      {rest.length > 0 && (
        <details>
          <summary>{counted(rest.length, 'more place')}</summary>
          <Places of={rest} />
        </details>
      )}
    </section>
  );
}

const Places = ({ of }: { readonly of: readonly ConditionPlace[] }) => (
  <ul class="plain">
    {of.map(({ member, name, site, scope, isSelf, since, detail, isTakenOn }) => (
      <li key={`${member}/${scope}/${since}/${detail}`}>
        <a href={hrefs.gateway(member)}>{name}</a>, {site}
        {scope !== 'agent' && (
          <>
            {', '}
            {isSelf ? <a href={hrefs.terminal(scope)}>{scope}</a> : scope}
          </>
        )}
        , since <Moment at={since} />
        {isTakenOn && ', somebody has taken this on'}
        {detail !== undefined && <span class="detail">{detail}</span>}
      </li>
    ))}
  </ul>
);
