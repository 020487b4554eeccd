/** The links that every screen has, the search for a release by its code, and the warnings about the whole page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { every, now } from '../../../listener/page/clock.ts';
import type { FleetAnswer } from '../../ui/answers.ts';
import type { Place } from '../place.ts';
import { hrefs } from '../place.ts';
import { spanText } from '../plain-words.ts';
import type { Watched } from '../watching.ts';

interface HeaderProps {
  readonly place: Place;
  /** The member that serves this page. */
  readonly self: string | undefined;
  /** When the last answer about the gateways came, by the page's clock. */
  readonly heardAt: number | undefined;
  readonly onForget: (() => void) | undefined;
}

export function Header({ place, self, heardAt, onForget }: HeaderProps) {
  const isOwn = place.screen === 'gateway' && place.member === self;
  return (
    <header>
      <nav aria-label="Screens">
        <a href={hrefs.gateways()} {...current(place.screen === 'gateways')}>
          Gateways
        </a>
        <a href={hrefs.conditions} {...current(place.screen === 'conditions')}>
          Conditions
        </a>
        <a href={hrefs.unsettled} {...current(place.screen === 'unsettled')}>
          Unknown prints
        </a>
        {self !== undefined && (
          <a href={hrefs.gateway(self)} {...current(isOwn)}>
            This gateway
          </a>
        )}
      </nav>
      {heardAt !== undefined && <Updated heardAt={heardAt} />}
      <CodeForm />
      {onForget && (
        <button type="button" class="quiet" onClick={onForget}>
          Forget the token
        </button>
      )}
    </header>
  );
}

const current = (isHere: boolean) => (isHere ? { 'aria-current': 'page' as const } : {});

function CodeForm() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      class="code"
      role="search"
      aria-label="Release"
      onSubmit={(event) => {
        event.preventDefault();
        const code = codeIn(input.current?.value ?? '');
        if (code !== '') location.hash = hrefs.release(code);
      }}
    >
      <label for="code">Code from a screen</label>
      <input id="code" ref={input} type="text" autocomplete="off" spellcheck={false} maxLength={40} />
      <button type="submit">Find</button>
    </form>
  );
}

/** Brackets, dashes, blanks and capitals are accepted. */
const codeIn = (typed: string): string => typed.replace(/[^0-9a-z]/gi, '').toLowerCase();

/** How old the shown data is. `heardAt`: milliseconds of the page's clock. */
function Updated({ heardAt }: { readonly heardAt: number }) {
  const [time, setTime] = useState(now);
  useEffect(() => every(1_000, () => setTime(now())), []);
  return <span class="hint updated">updated {spanText(Math.max(0, (time - heardAt) / 1000))} ago</span>;
}

/** The engine is away, or this gateway. A screen reader reads changes out. */
export function Warnings({ fleet: { answer, last, age } }: { readonly fleet: Watched<FleetAnswer> }) {
  const problem = answer?.problem;
  return (
    <div role="status" class="warnings">
      {last === 'away' && (
        <p>
          <strong>This gateway does not answer.</strong> What you see is {spanText(age)} old.
        </p>
      )}
      {problem && (
        <p>
          <strong>The other gateways cannot be seen</strong>: {problem.detail}. {problem.advice}
        </p>
      )}
    </div>
  );
}
