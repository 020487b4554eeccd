/** One gateway: its digest, and every terminal if it is the gateway that serves this page. */
import type { GatewayDigest, Hurt as HurtDay, HurtCounts } from '../../../domain/gateway-digest.ts';
import type { ToldGateway } from '../../ui/answers.ts';
import { pageOf } from '../gateway-list.ts';
import type { OwnStatus } from '../own-status.ts';
import { ConditionItem } from '../parts/condition-item.tsx';
import { Facts, Moment, StandingMark } from '../parts/facts.tsx';
import { TakenOn } from '../parts/taken-on.tsx';
import { TerminalTable } from '../parts/terminal-table.tsx';
import { hrefs } from '../place.ts';
import { counted, endText, spanText, titleOf } from '../plain-words.ts';
import { useHeading } from '../focus.ts';
import { lastHeard, standingOf } from '../gateway-standing.ts';
import type { Watched } from '../watching.ts';

interface GatewayProps {
  readonly seen: ToldGateway;
  /** Seconds since the answer. */
  readonly since: number;
  readonly own: Watched<OwnStatus>;
}

export function Gateway({ seen, since, own }: GatewayProps) {
  const { digest, isSelf, isBeating, hasTold } = seen;
  const heading = useHeading(digest.name);
  const { word, faults } = standingOf(seen, since);
  // For a silent gateway the line above them already has the first fault.
  const shownFaults = isBeating ? faults : faults.slice(1);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {digest.name}
      </h1>
      <p class="lead">
        <StandingMark word={word} /> {digest.site}
        {isSelf ? ' · this gateway' : ` · last heard ${spanText(lastHeard(seen, since))} ago`}
      </p>
      {shownFaults.length > 0 && (
        <ul class="faults">
          {shownFaults.map((fault, nth) => (
            <li key={nth}>{fault}</li>
          ))}
        </ul>
      )}
      {!isBeating && hasTold && <p>What follows is what it told before that.</p>}
      {hasTold && <Report seen={seen} own={own} />}
    </>
  );
}

function Report({ seen, own }: Omit<GatewayProps, 'since'>) {
  const { digest, isSelf } = seen;
  return (
    <>
      <GatewayFacts {...{ digest, isSelf }} />
      <h2>Terminals</h2>
      {isSelf ? <OwnTerminals own={own} /> : <OtherTerminals digest={digest} />}
      <h2>Conditions</h2>
      {isSelf && own.answer ? (
        <OwnConditions conditions={own.answer.conditions} />
      ) : (
        <DigestedConditions digest={digest} />
      )}
    </>
  );
}

function GatewayFacts({ digest, isSelf }: { readonly digest: GatewayDigest; readonly isSelf: boolean }) {
  const { terminals, outbox, config, certificateDays, unknownOutcomes, hurt } = digest;
  return (
    <Facts
      of={[
        ['Terminals', `${terminals.ready} of ${terminals.served} ready, ${terminals.configured} configured`],
        ['History', historyText(outbox)],
        ['Oldest record', outbox.oldest === null ? null : <Moment at={outbox.oldest} />],
        [
          'May have printed',
          <>
            {counted(unknownOutcomes, 'release')} of the last day
            {unknownOutcomes > 0 && isSelf && (
              <>
                {': '}
                <a href={hrefs.unsettled}>look at them</a>
              </>
            )}
          </>,
        ],
        ['Hurt within the last day', hurt && <Hurt key="hurt" hurt={hurt} />],
        ['First certificate to end', certificateDays === null ? null : endText(certificateDays)],
        ['Version', digest.version],
        ['Started', <Moment key="started" at={digest.startedAt} />],
        ['Configuration', configText(config)],
        ['Refused configuration', config.refused && `${config.refused.version}: ${config.refused.why}`],
      ]}
    />
  );
}

function historyText({ waiting, deadLetters }: GatewayDigest['outbox']): string {
  if (waiting === 0 && deadLetters === 0) return 'no record waits';
  return `${counted(waiting, 'record')} waiting, ${deadLetters} refused for good`;
}

function configText({ version, wanted }: GatewayDigest['config']): string {
  const now = version === null ? 'its own file alone' : `version ${version} of the fleet`;
  return wanted === null ? now : `${now}, to become ${wanted}`;
}

function OwnTerminals({ own }: { readonly own: Watched<OwnStatus> }) {
  if (!own.answer) return <p class="hint">One moment…</p>;
  return <TerminalTable terminals={own.answer.terminals} />;
}

function OtherTerminals({ digest }: { readonly digest: GatewayDigest }) {
  const { troubled, served } = digest.terminals;
  const page = pageOf(digest);
  const [first] = troubled;
  return (
    <>
      {first ? (
        <ul class="plain">
          {troubled.map(({ id, state }) => (
            <li key={id}>
              {page === undefined ? <b>{id}</b> : <a href={page + hrefs.terminal(id)}>{id}</a>}:{' '}
              {titleOf(state)}
            </li>
          ))}
        </ul>
      ) : (
        <p>{served === 0 ? 'It serves none at present.' : 'All that it serves are ready.'}</p>
      )}
      <p class="hint">
        Each terminal in detail is on that gateway’s own page
        {page === undefined ? (
          ', which listens on that machine alone.'
        ) : (
          <>
            : <a href={page}>{page}</a>
          </>
        )}
      </p>
    </>
  );
}

const OwnConditions = ({ conditions }: { readonly conditions: OwnStatus['conditions'] }) =>
  conditions.length === 0 ? (
    <p>Nothing is wrong.</p>
  ) : (
    <ul class="conditions">
      {conditions.map((condition) => {
        const { scope, subject } = condition;
        return (
          <ConditionItem
            key={`${scope}/${subject}`}
            where={
              scope === 'agent' ? (
                'The whole gateway'
              ) : (
                <>
                  Terminal <a href={hrefs.terminal(scope)}>{scope}</a>, {subject}
                </>
              )
            }
            {...condition}
          >
            <TakenOn condition={condition} />
          </ConditionItem>
        );
      })}
    </ul>
  );

const DigestedConditions = ({
  digest: { conditions, moreConditions },
}: {
  readonly digest: GatewayDigest;
}) =>
  conditions.length === 0 ? (
    <p>Nothing is wrong.</p>
  ) : (
    <>
      <ul class="conditions">
        {conditions.map(({ code, severity, scope, since, acknowledged }) => (
          <ConditionItem
            key={`${scope}/${code}/${since}`}
            where={scope === 'agent' ? 'The whole gateway' : `Terminal ${scope}`}
            {...{ code, severity, since }}
          >
            {acknowledged && <p class="taken-on">Somebody has taken this on.</p>}
          </ConditionItem>
        ))}
      </ul>
      {moreConditions > 0 && (
        <p class="hint">{counted(moreConditions, 'more condition')} had no room here.</p>
      )}
    </>
  );

/** Failed prints and refused badges of the last day: in numbers, and hour by hour. */
function Hurt({ hurt: { hour, day, line } }: { readonly hurt: HurtDay }) {
  return (
    <>
      {hurtText(day)}
      <span class="detail">this hour: {hurtText(hour)}</span>
      <DayLine line={line} />
    </>
  );
}

function hurtText({ failed, unknown, refused }: HurtCounts): string {
  const told = [
    failed > 0 && `${counted(failed, 'print')} failed`,
    unknown > 0 && `${counted(unknown, 'print')} unknown`,
    refused > 0 && `${counted(refused, 'badge')} refused`,
  ].filter(Boolean);
  return told.length === 0 ? 'nobody' : told.join(', ');
}

/** A bar for each hour, the last one on the right. The height is in proportion to the worst hour. */
function DayLine({ line }: { readonly line: readonly number[] }) {
  const worst = Math.max(1, ...line);
  const height = (count: number) => (count === 0 ? 0.5 : Math.max(3, (count / worst) * 16));
  return (
    <svg
      class="day-line"
      preserveAspectRatio="xMinYMid"
      viewBox={`0 0 ${line.length * 4} 16`}
      role="img"
      aria-label={`The last ${line.length} hours: ${line.join(', ')}`}
    >
      {line.map((count, nth) => (
        <rect key={nth} x={nth * 4} y={16 - height(count)} width={3} height={height(count)} />
      ))}
    </svg>
  );
}
