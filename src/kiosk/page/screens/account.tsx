/** The person's own account: balance, transactions and cards; or the wait for a change of it. */
import { useState } from 'preact/hooks';
import type { AccountView } from '../../../domain/terminal/account-view.ts';
import { MoneySections } from '../account/money-sections.tsx';
import { CardSection } from '../account/card-section.tsx';
import { DropQuestion } from '../account/drop-question.tsx';
import type { FieldSpec } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import { useWords } from '../languages/words.ts';
import { CardPicture } from '../parts/card-picture.tsx';
import { Dots } from '../parts/dots.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import { StillThere } from '../parts/still-there.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

const fields: readonly FieldSpec[] = [{ name: 'password', label: 'password', kind: 'secret' }];

export function Account({ frame: given, send }: ScreenProps) {
  const { account } = given;
  if (!account) return null;
  // Only this page shows the result of the last change.
  const frame = { ...given, ...(account.notice && { notice: account.notice }) };
  const props = { frame, send };
  return (
    <>
      {account.stage === 'proving' && <Prove {...props} />}
      {account.stage === 'awaiting-card' && <HoldCard {...props} />}
      {(account.stage === 'open' || account.stage === 'busy') && <Opened {...props} account={account} />}
      <StillThere frame={frame} send={send} />
    </>
  );
}

function Prove({ frame, send }: ScreenProps) {
  const { say } = useWords();
  return (
    <TypedForm
      title={say('provePassword')}
      hint={say('proveHint')}
      frame={frame}
      fields={fields}
      onTyped={({ password = '' }) => send({ command: 'prove', password })}
      onBack={() => void send({ command: 'step-back' })}
    />
  );
}

function HoldCard({ send }: ScreenProps) {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <CardPicture isOut={false} />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('holdNewCard')}
      </h1>
      <button type="button" class="quiet" onClick={() => void send({ command: 'step-back' })}>
        {say('back')}
      </button>
    </main>
  );
}

function Opened({ frame, send, account }: ScreenProps & { readonly account: AccountView }) {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  /** The place of the card to drop, after the confirmation. */
  const [dropping, setDropping] = useState<number>();
  const { stage, edition, shortId, isIncomplete, may, cards = [] } = account;
  const isBusy = stage === 'busy';
  return (
    <main class="account" aria-busy={isBusy}>
      <div class="head">
        <h1 ref={heading} tabIndex={-1}>
          {say('myAccount')}
        </h1>
        <button type="button" onClick={() => void send({ command: 'close-account' })}>
          {say('toTheList')}
        </button>
      </div>
      <NoticeLine frame={frame} />
      {isBusy && <Dots />}
      {/* The keyboard can scroll it too, even if it has no buttons. */}
      <div class="sections" role="region" tabIndex={0} aria-label={say('myAccount')}>
        {shortId !== undefined && (
          <section>
            <p class="code">{say('yourShortId', { code: shortId })}</p>
            <p>{say('rememberShortId')}</p>
          </section>
        )}
        {isIncomplete && <p class="warning">{say('accountIncomplete')}</p>}
        <MoneySections account={account} />
        <CardSection account={account} isBusy={isBusy} send={send} onDrop={setDropping} />
        {may.shortId && (
          // A disabled element would lose the focus.
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => !isBusy && void send({ command: 'new-short-id' })}
          >
            {say('newShortId')}
          </button>
        )}
      </div>
      {dropping !== undefined && (
        <DropQuestion
          end={cards[dropping]?.end ?? ''}
          onDrop={() => void send({ command: 'drop-card', card: dropping, edition })}
          onClose={() => setDropping(undefined)}
        />
      )}
    </main>
  );
}
