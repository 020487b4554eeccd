/** The cards with which the person can sign in. Of each only the last characters are shown. */
import type { AccountView } from '../../../domain/terminal/account-view.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';

interface CardSectionProps extends Pick<ScreenProps, 'send'> {
  readonly account: AccountView;
  readonly isBusy: boolean;
  readonly onDrop: (place: number) => void;
}

export function CardSection({ account: { cards, may }, isBusy, send, onDrop }: CardSectionProps) {
  const { say } = useWords();
  if (!cards) return null;
  return (
    <section>
      <h2>{say('myCards')}</h2>
      {cards.length === 0 && <p>{say('noCards')}</p>}
      <ul>
        {cards.map(({ end, isHeld }, place) => (
          <li key={`${end} ${place}`}>
            <span>
              {say('cardEnding', { end })}
              {isHeld && <small>{say('cardInUse')}</small>}
            </span>
            {/* The card that is in use now is not lost. */}
            {may.drop && !isHeld && (
              <button
                type="button"
                aria-disabled={isBusy}
                aria-label={`${say('dropCard')}: ${say('cardEnding', { end })}`}
                onClick={() => !isBusy && onDrop(place)}
              >
                {say('dropCard')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {may.register && (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => !isBusy && void send({ command: 'register-card' })}
        >
          {say('registerAnother')}
        </button>
      )}
    </section>
  );
}
