/** The person's balance, the prices of a page, and the last transactions. */
import type { AccountView, PricesView, TransactionView } from '../../../domain/terminal/account-view.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';

const priceWords = {
  bwNormal: 'priceBwNormal',
  bwLarge: 'priceBwLarge',
  colorNormal: 'priceColorNormal',
  colorLarge: 'priceColorLarge',
} as const satisfies Record<keyof PricesView, SentenceKey>;

const kindWords = {
  'top-up': 'kindTopUp',
  deduction: 'kindDeduction',
  adjustment: 'kindAdjustment',
  reservation: 'kindReservation',
  'reservation-release': 'kindReservationRelease',
  initial: 'kindInitial',
  withdraw: 'kindWithdraw',
  renew: 'kindRenew',
  other: 'kindOther',
} as const satisfies Record<TransactionView['kind'], SentenceKey>;

export function MoneySections({
  account: { balance, prices, transactions },
}: {
  readonly account: AccountView;
}) {
  const { say, money } = useWords();
  const names = Object.keys(priceWords) as (keyof PricesView)[];
  return (
    <>
      {balance && (
        <section>
          <h2>{say('accountBalance')}</h2>
          <p class="total">{money(balance.total)}</p>
          <p>
            {say('accountQuota', { amount: money(balance.quota) })} ·{' '}
            {say('accountWallet', { amount: money(balance.wallet) })}
          </p>
        </section>
      )}
      {transactions && (
        <section>
          <h2>{say('lastTransactions')}</h2>
          {transactions.length === 0 && <p>{say('noTransactions')}</p>}
          <ul>
            {transactions.map((one, place) => (
              <Transaction key={place} transaction={one} />
            ))}
          </ul>
        </section>
      )}
      {prices && (
        <section>
          <h2>{say('accountPrices')}</h2>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <span>{say(priceWords[name])}</span>
                <b>{money(prices[name])}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Transaction({ transaction }: { readonly transaction: TransactionView }) {
  const { say, money, sent } = useWords();
  const { at, kind, amount, description } = transaction;
  return (
    <li>
      <span>
        {say(kindWords[kind])}
        <small>
          {at !== undefined && `${sent(at)} `}
          <bdi>{description}</bdi>
        </small>
      </span>
      <b>{money(amount)}</b>
    </li>
  );
}
