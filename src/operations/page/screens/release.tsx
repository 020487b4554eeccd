/**
 * A release by its code: its result, place and time, and the duration of its stages. It shows neither the owner nor the
 * document.
 */
import type { ComponentChildren } from 'preact';
import { stageWords } from '../../../domain/release-trace.ts';
import { outageReason } from '../../../domain/terminal/outage-words.ts';
import type { CodeAnswer, ReleaseAnswer, ToldGateway, ToldOutage } from '../../ui/answers.ts';
import type { AgentLink } from '../agent-link.ts';
import { pageOf } from '../gateway-list.ts';
import { Facts, Mark, Moment } from '../parts/facts.tsx';
import { hrefs } from '../place.ts';
import { sentence, tookText } from '../plain-words.ts';
import { eventText, historyText, nextText, outcomeText, outcomeTone, pagesText } from '../release-words.ts';
import { useHeading } from '../focus.ts';
import { useWatched } from '../watching.ts';
import { Message } from './message.tsx';

interface ReleaseProps {
  /** As the user typed it: of a release, or of an outage. */
  readonly code: string;
  readonly link: AgentLink;
  readonly gateways: readonly ToldGateway[];
}

export function Release({ code, link, gateways }: ReleaseProps) {
  const { answer, last } = useWatched<CodeAnswer>(link, `/codes/${encodeURIComponent(code)}`);
  if (answer?.is === 'release') return <Known release={answer.release} />;
  if (answer?.is === 'outage') return <Outage outage={answer.outage} />;
  if (answer) {
    const { member, outage } = answer;
    const seen = gateways.find(({ digest }) => digest.member === member);
    if (outage) return <Outage outage={outage} at={<At member={member} seen={seen} code={code} />} />;
    return (
      <Message title={`Release ${code}`}>
        Another gateway has this release: <At member={member} seen={seen} code={code} />.
      </Message>
    );
  }
  if (last !== 'missing') return <p class="hint">One moment…</p>;
  return (
    <Message title={`No release ${code}`}>
      No gateway that can be seen from here has a release or an outage of this code. A release’s code has
      eight digits (0 to 9, a to f), the reference of an outage six letters and digits. What is older than a
      month may be gone; of an outage at another gateway only the last day is known here.
    </Message>
  );
}

interface AtProps {
  readonly member: string;
  readonly seen: ToldGateway | undefined;
  readonly code: string;
}

/** The gateway, with a link to its own page if another machine can reach it. */
function At({ member, seen, code }: AtProps) {
  const page = seen && pageOf(seen.digest);
  return (
    <>
      <a href={hrefs.gateway(member)}>{seen?.digest.name ?? member}</a>
      {page && (
        <>
          {' '}
          (<a href={page + hrefs.release(code)}>on its own page</a>)
        </>
      )}
    </>
  );
}

function Outage({ outage, at }: { readonly outage: ToldOutage; readonly at?: ComponentChildren }) {
  const { reference, terminal, since, over, reason } = outage;
  const title = `Outage ${reference}`;
  const heading = useHeading(title);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p class="lead">
        <Mark tone={over === null ? 'bad' : 'good'}>{over === null ? 'Out of service' : 'Over'}</Mark>{' '}
        {reason !== null && sentence(outageReason(reason))}
      </p>
      <Facts
        of={[
          ['Terminal', at ? terminal : <a href={hrefs.terminal(terminal)}>{terminal}</a>],
          ['Gateway', at],
          ['Since', since && <Moment key="since" at={since} />],
          ['Until', over && <Moment key="over" at={over} />],
        ]}
      />
    </>
  );
}

function Known({ release }: { readonly release: ReleaseAnswer }) {
  const heading = useHeading(`Release ${release.code}`);
  const { terminal, printer, startedAt, endedAt, tookMs, pages, problem, events, stages } = release;
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Release {release.code}
      </h1>
      <p class="lead">
        <Mark tone={outcomeTone(release)}>{release.outcome ?? 'under way'}</Mark> {outcomeText(release)}
      </p>
      {problem && (
        <p>
          <b>{problem.code}</b>: {problem.advice}
        </p>
      )}
      {nextText(release) !== '' && <p>{nextText(release)}</p>}
      <Facts
        of={[
          [
            'Terminal',
            <a key="terminal" href={hrefs.terminal(terminal)}>
              {terminal}
            </a>,
          ],
          ['Printer', printer],
          ['Wanted', <Moment key="wanted" at={startedAt} />],
          ['Ended', endedAt === null ? null : <Moment key="ended" at={endedAt} />],
          ['Took', tookMs === null ? null : tookText(tookMs)],
          ['Pages', pages && pagesText(pages)],
          ['History', historyText(release)],
          ['Whole id', release.releaseId],
        ]}
      />
      <h2>What happened</h2>
      <ol class="plain">
        {events.map(({ state, at }, nth) => (
          <li key={nth}>
            <Moment at={at} /> {eventText(state)}
          </li>
        ))}
      </ol>
      {stages.length > 0 && (
        <>
          <h2>Where the time went</h2>
          <StageBars stages={stages} />
        </>
      )}
    </>
  );
}

/** The time of a release by its stages: a row for each stage, with a bar at its place in the whole. */
function StageBars({ stages }: { readonly stages: ReleaseAnswer['stages'] }) {
  const whole = Math.max(1, ...stages.map(({ at, took }) => at + took));
  const share = (span: number): number => (span / whole) * 100;
  return (
    <table class="stages">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">After</th>
          <th scope="col">Took</th>
          <th scope="col" aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stage, at, took }, nth) => (
          <tr key={nth}>
            <th scope="row">{stageWords[stage]}</th>
            <td>{tookText(at)}</td>
            <td>{tookText(took)}</td>
            <td aria-hidden="true">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none">
                <rect x={Math.min(99, share(at))} width={Math.max(1, share(took))} height="4" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
