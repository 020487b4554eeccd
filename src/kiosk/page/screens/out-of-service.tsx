/**
 * The terminal is out of service: the reason, what to do instead, and two codes for support. One approves the terminal,
 * the other finds the reason in the log. They can be read, heard or scanned.
 */
import type { OutageView } from '../../../domain/terminal/terminal-view.ts';
import { headlineOf } from '../../../phrases/headline.ts';
import { useWords } from '../languages/words.ts';
import { outageWords } from '../../../phrases/notice-words.ts';
import { Icon } from '../parts/icon.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';
import { spelled } from '../../../phrases/announcement.ts';

export function OutOfService({ frame }: ScreenProps) {
  const words = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  const { outage, state } = frame;
  return (
    <main class={outage ? 'outage' : 'centered'}>
      <div class="why">
        <Icon name="closed" size="large" />
        <h1 ref={heading} tabIndex={-1} class="huge">
          {headlineOf(frame, words)}
        </h1>
        {outage ? (
          <p>{words.say(outageWords[outage.reason], { gateway: outage.by ?? '' })}</p>
        ) : (
          <NoticeLine frame={frame} />
        )}
        {state !== 'stopped' && <p class="hint">{words.say('useAnother')}</p>}
      </div>
      {outage && <Codes outage={outage} />}
    </main>
  );
}

function Codes({ outage: { userCode, reference, qr } }: { readonly outage: OutageView }) {
  const { say } = useWords();
  return (
    <div class="codes">
      {userCode !== undefined && (
        <div>
          <p>{say('approveWith')}</p>
          <Code code={userCode} />
        </div>
      )}
      <svg class="qr" viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={say('qrAlt')}>
        <rect width={qr.size} height={qr.size} fill="#fff" />
        <path d={qr.path} fill="#000" />
      </svg>
      <div>
        <p>{say('reference', { code: '' }).replace(/\s*[:：]\s*$/, '')}</p>
        <Code code={reference} />
      </div>
    </div>
  );
}

/** Read aloud, the code is spelled, because it is no word. */
const Code = ({ code }: { readonly code: string }) => (
  <p class="code" dir="ltr">
    <span aria-hidden="true">{code}</span>
    <span class="unseen">{spelled(code)}</span>
  </p>
);
