/**
 * Money in the simulated cloud (spec, Balance structures). Amounts are whole millionths inside, so that sums are exact,
 * and decimals on the wire. An amount has at most fifteen digits, which a JSON number can hold.
 */
export interface PriceList {
  /** Each is in millionths, for one page. */
  readonly bwNormalPage: number;
  readonly bwLargePage: number;
  readonly colorNormalPage: number;
  readonly colorLargePage: number;
}

/** The balance of a user, in millionths. */
export interface UserBalance {
  readonly userName: string;
  readonly providerId: number;
  readonly quota: number;
  readonly wallet: number;
  /** ISO 8601. */
  readonly lastUpdated: string;
}

export interface PricedJob {
  readonly totalPages: number;
  readonly colorPages: number;
  readonly paperSize: string;
  readonly copies: number;
}

const largeSizes = ['A3', 'LEDGER', 'TABLOID'];

/** In millionths. */
export function costOf(prices: PriceList, { totalPages, colorPages, paperSize, copies }: PricedJob): number {
  const isLarge = largeSizes.includes(paperSize.toUpperCase());
  const bw = isLarge ? prices.bwLargePage : prices.bwNormalPage;
  const color = isLarge ? prices.colorLargePage : prices.colorNormalPage;
  return copies * ((totalPages - colorPages) * bw + colorPages * color);
}

const places = 6;
const unit = 10 ** places;

/** The decimal of the API: `0.035` for 35000. */
export const decimal = (amount: number): number => amount / unit;

/** Converts by the written digits. Gives `undefined` if there are more than six decimals. */
export function millionths(written: number): number | undefined {
  const [, whole = '', digits = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(String(written)) ?? [];
  return whole === '' ? undefined : Number(`${whole}${digits.padEnd(places, '0')}`);
}

/** Throws `RangeError` if a decimal has more than six places. */
export const priceListOf = (decimals: PriceList): PriceList => ({
  bwNormalPage: exact(decimals.bwNormalPage),
  bwLargePage: exact(decimals.bwLargePage),
  colorNormalPage: exact(decimals.colorNormalPage),
  colorLargePage: exact(decimals.colorLargePage),
});

export function exact(written: number): number {
  const found = millionths(written);
  if (found === undefined) throw new RangeError(`${written} is no amount: six decimals at most`);
  return found;
}

/** The quota is used first, then the wallet. Neither falls below zero. */
export function charged(balance: UserBalance, cost: number): UserBalance {
  const fromQuota = Math.min(balance.quota, cost);
  const fromWallet = Math.min(balance.wallet, cost - fromQuota);
  return { ...balance, quota: balance.quota - fromQuota, wallet: balance.wallet - fromWallet };
}
