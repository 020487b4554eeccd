/**
 * Money in the simulated cloud (spec, Balance structures): whole cents inside, so that nothing is lost in adding up.
 * A cent count divided by 100 is the nearest number to that decimal, and JSON writes it in just those digits.
 */
export interface PriceList {
  /** Each a whole number of cents for one page. */
  readonly bwNormalPage: number;
  readonly bwLargePage: number;
  readonly colorNormalPage: number;
  readonly colorLargePage: number;
}

/** What one user has; both in cents. */
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

/** In cents. */
export function costOf(prices: PriceList, { totalPages, colorPages, paperSize, copies }: PricedJob): number {
  const isLarge = largeSizes.includes(paperSize.toUpperCase());
  const bw = isLarge ? prices.bwLargePage : prices.bwNormalPage;
  const color = isLarge ? prices.colorLargePage : prices.colorNormalPage;
  return copies * ((totalPages - colorPages) * bw + colorPages * color);
}

/** The decimal of the API. */
export const decimal = (cents: number): number => cents / 100;

/** The quota goes first, then the wallet; neither falls below zero. */
export function charged(balance: UserBalance, cents: number): UserBalance {
  const fromQuota = Math.min(balance.quota, cents);
  const fromWallet = Math.min(balance.wallet, cents - fromQuota);
  return { ...balance, quota: balance.quota - fromQuota, wallet: balance.wallet - fromWallet };
}
