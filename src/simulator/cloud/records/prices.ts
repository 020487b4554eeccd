/**
 * Money in the simulated cloud (spec, Balance structures): whole millionths inside, so that nothing is lost in adding up,
 * and decimals on the wire. All that an amount may be has at most fifteen digits, which a number of JSON keeps.
 */
export interface PriceList {
  /** Each in millionths, for one page. */
  readonly bwNormalPage: number;
  readonly bwLargePage: number;
  readonly colorNormalPage: number;
  readonly colorLargePage: number;
}

/** What one user has; both in millionths. */
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

/** The decimal of the API: `0.035` of 35000. */
export const decimal = (amount: number): number => amount / unit;

/** By its digits as they are written; `undefined` where there are more than six behind the point. */
export function millionths(written: number): number | undefined {
  const [, whole = '', digits = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(String(written)) ?? [];
  return whole === '' ? undefined : Number(`${whole}${digits.padEnd(places, '0')}`);
}

/** Of decimals; throws `RangeError` where one has more than six places. */
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

/** The quota goes first, then the wallet; neither falls below zero. */
export function charged(balance: UserBalance, cost: number): UserBalance {
  const fromQuota = Math.min(balance.quota, cost);
  const fromWallet = Math.min(balance.wallet, cost - fromQuota);
  return { ...balance, quota: balance.quota - fromQuota, wallet: balance.wallet - fromWallet };
}
