/** A release by its code: what became of it, where, when, and where its time went. Nothing of whose it was, or of what. */
import type { ReleaseAnswer } from '../../ui/answers.ts';
import type { AgentLink } from '../agent-link.ts';
import { Facts } from '../parts/facts.tsx';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { StageBars } from '../parts/stage-bars.tsx';
import type { OwnStatus } from '../own-status.ts';
import { hrefs } from '../place.ts';
import { tookText } from '../plain-words.ts';
import { eventText, historyText, nextText, outcomeText, outcomeTone, pagesText } from '../release-words.ts';
import { useHeading } from '../screen.ts';
import type { Watched } from '../watching.ts';
import { useWatched } from '../watching.ts';
import { Message } from './message.tsx';

interface ReleaseProps {
  readonly code: string;
  readonly link: AgentLink;
  readonly own: Watched<OwnStatus>;
}

export function Release({ code, link, own }: ReleaseProps) {
  const { answer, last } = useWatched<ReleaseAnswer>(link, `/releases/${encodeURIComponent(code)}`);
  if (answer) return <Known release={answer} />;
  const outage = own.answer?.terminals.find(({ outage: one }) => one?.reference.toLowerCase() === code);
  if (outage) {
    return (
      <Message title={`Reference ${code.toUpperCase()}`}>
        It is the outage of terminal <a href={hrefs.terminal(outage.id)}>{outage.id}</a>.
      </Message>
    );
  }
  if (last !== 'missing') return <p class="hint">One moment…</p>;
  return (
    <Message title={`No release ${code}`}>
      This gateway’s ledger has no release of this code. A release’s code has eight digits (0 to 9, a to f).
      If the document came out at another gateway, look at that gateway’s page. What is older than a month may
      be gone.
    </Message>
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
