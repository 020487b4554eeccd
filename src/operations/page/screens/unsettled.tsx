/**
 * Prints that may or may not have come out, by their printers. An administrator at the printer tells the result, for
 * one or for all of them. A decision cannot be taken back, so prints are chosen first and decided then.
 */
import { useId, useState } from 'preact/hooks';
import type { UnsettledAnswer } from '../../ui/answers.ts';
import type { AgentLink } from '../agent-link.ts';
import { Moment } from '../parts/facts.tsx';
import { OwnName, ownName, refusalIn, useTelling } from '../gateway-messages.tsx';
import { hrefs } from '../place.ts';
import { counted, titleOf, wholeNumber } from '../plain-words.ts';
import { useHeading } from '../focus.ts';
import { useWatched } from '../watching.ts';

type Unsettled = UnsettledAnswer['releases'][number];
type Word = 'came-out' | 'did-not-come-out';

export function UnsettledPrints({ link }: { readonly link: AgentLink }) {
  const heading = useHeading('Unknown prints');
  const { answer, askNow } = useWatched<UnsettledAnswer>(link, '/unsettled');
  const [said, setSaid] = useState('');
  const printers = Map.groupBy(answer?.releases ?? [], ({ printer }) => printer ?? '');
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Unknown prints
      </h1>
      {answer && <Introduction count={answer.releases.length} />}
      <p role="status">{said}</p>
      {[...printers].map(([printer, releases]) => (
        <AtPrinter
          key={printer}
          {...{ printer, releases }}
          onSaid={(text) => {
            setSaid(text);
            askNow();
          }}
        />
      ))}
      {!answer && <p class="hint">One moment…</p>}
    </>
  );
}

function Introduction({ count }: { readonly count: number }) {
  const { mayTell } = useTelling();
  if (count === 0) return <p>Platen knows of each print whether it came out.</p>;
  return (
    <>
      <p>
        Nobody knows whether {count === 1 ? 'this print' : `these ${wholeNumber.format(count)} prints`} came
        out. If you are at the printer, say what you see. Each owner is asked at the next sign-in, too.
      </p>
      <ul class="points">
        <li>
          <b>It came out</b>: its record goes to the service now, and the document leaves the owner’s list at
          the next sign-in.
        </li>
        <li>
          <b>It did not come out</b>: no record goes to the service. The owner is asked before it prints
          again.
        </li>
      </ul>
      {!mayTell && (
        <p class="hint">
          This gateway takes no word from its page, because its listener has neither a token nor certificates
          (operations.token). On the gateway itself: platen releases settle CODE --came-out
        </p>
      )}
    </>
  );
}

interface AtPrinterProps {
  readonly printer: string;
  readonly releases: readonly Unsettled[];
  readonly onSaid: (text: string) => void;
}

function AtPrinter({ printer, releases, onSaid }: AtPrinterProps) {
  const { mayTell, tell } = useTelling();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState('');
  const id = useId();
  const wanted = releases.filter(({ releaseId }) => chosen.has(releaseId));
  const chosenText = wanted.length === 0 ? 'They' : counted(wanted.length, 'print');
  const isAll = wanted.length === releases.length;
  const turn = (ids: readonly string[], isOn: boolean) =>
    setChosen(
      (before) => new Set(isOn ? [...before, ...ids] : [...before].filter((one) => !ids.includes(one))),
    );

  async function say(word: Word): Promise<void> {
    const name = ownName().trim();
    if (name === '') return setRefusal('Type your name, so that the others know.');
    const releaseIds = wanted.map(({ releaseId }) => releaseId);
    const refused = refusalIn(await tell('/unsettled', { releaseIds, word, name }));
    setRefusal(refused ?? '');
    if (refused !== undefined) return;
    setChosen(new Set());
    onSaid(`${counted(wanted.length, 'print')}: ${word === 'came-out' ? 'came out' : 'did not come out'}.`);
  }

  return (
    <section class="condition">
      <h2>{printer === '' ? 'Printed by the service' : printer}</h2>
      <table>
        <thead>
          <tr>
            {mayTell && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label={`All of ${printer}`}
                  checked={isAll}
                  onChange={({ currentTarget }) =>
                    turn(
                      releases.map(({ releaseId }) => releaseId),
                      currentTarget.checked,
                    )
                  }
                />
              </th>
            )}
            <th scope="col">Code</th>
            <th scope="col">Place</th>
            <th scope="col">Ended</th>
            <th scope="col">Pages</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {releases.map(({ releaseId, code, place, endedAt, pages, isPartial, problem, hasRecord }) => (
            <tr key={releaseId}>
              {mayTell && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={code}
                    checked={chosen.has(releaseId)}
                    onChange={({ currentTarget }) => turn([releaseId], currentTarget.checked)}
                  />
                </td>
              )}
              <th scope="row">
                <a href={hrefs.release(code)}>{code}</a>
              </th>
              <td>{place}</td>
              <td>
                <Moment at={endedAt} />
              </td>
              <td>{pages ?? ''}</td>
              <td>
                {isPartial ? 'a part of it came out' : problem === null ? '' : titleOf(problem)}
                {!hasRecord && <span class="detail">its record may be with the service already</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {mayTell && (
        <div class="telling">
          <OwnName id={id} />
          <button type="button" disabled={wanted.length === 0} onClick={() => void say('came-out')}>
            {chosenText} came out
          </button>
          <button type="button" disabled={wanted.length === 0} onClick={() => void say('did-not-come-out')}>
            {chosenText} did not come out
          </button>
        </div>
      )}
      <p role="status" class="refusal">
        {refusal}
      </p>
    </section>
  );
}
