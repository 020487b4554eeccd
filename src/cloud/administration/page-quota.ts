/**
 * Limits a guest's pages by the service's own balance (spec, Balance structures). The quota is set to the cost of so
 * many pages in black and white on normal paper. That works only if pages cost something and the user's policy counts
 * the quota; otherwise it is refused, because no other part counts the pages.
 */
import { z } from 'zod';
import type { Amount } from '../../domain/amount.ts';
import { parseAmount, printAmount, zero } from '../../domain/amount.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { GuestCall } from '../../domain/ports/guests.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground, unlessStatus } from '../http/caller.ts';
import { jsonBody } from '../http/form.ts';
import { valueOf } from '../http/json.ts';
import { readList } from '../http/pages.ts';
import type { Call } from '../http/transport.ts';

const decimal = z.string().transform((text) => parseAmount(text) ?? zero);
const balanceConfig = z.object({
  enabled: z.boolean(),
  bwNormalPage: decimal,
  bwLargePage: decimal,
  colorNormalPage: decimal,
  colorLargePage: decimal,
});
const prices = ['bwNormalPage', 'bwLargePage', 'colorNormalPage', 'colorLargePage'] as const;

const policy = z.object({
  policyName: z.string(),
  balanceType: z.enum(['free', 'quota', 'wallet', 'quota_wallet']),
  isDefault: z.boolean(),
  groupIds: z.array(z.int()),
});

const transaction = z.object({ id: z.int() });

export interface PageQuota {
  /** Rejects `guest-refused` if the service would not keep the limit. */
  costOf(pages: number, groupId: number | undefined, call: GuestCall): Promise<Amount>;
  set(
    user: { readonly userName: string; readonly providerId: number },
    quota: Amount,
    call: GuestCall,
  ): Promise<void>;
}

export function createPageQuota(deps: ResourceDeps): PageQuota {
  const ask = (call: Call, options: CallerOptions) => askAs(deps, call, inBackground(deps.clock, options));

  async function priceOfPage(call: GuestCall): Promise<Amount> {
    const asking = ask({ method: 'GET', path: '/api/v1/balance/config' }, call);
    const answer = await unlessStatus([404, 405, 501], asking);
    const config = answer && valueOf(answer, balanceConfig, { decimals: prices });
    const { enabled = false, bwNormalPage: usual = zero } = config ?? {};
    if (!config || !enabled || usual <= zero) throw uncounted('prints are not charged in this account');
    if (prices.every((one) => config[one] >= usual)) return usual;
    throw uncounted('pages in colour, or large ones, cost less than black and white on normal paper');
  }

  /**
   * Policies are in the order of their priority, the default one last. The first one for the group, or for all, counts.
   */
  async function requireQuota(groupId: number | undefined, call: GuestCall): Promise<void> {
    const list = { name: 'balance policies', path: '/api/v1/balance/policies', entry: policy };
    const policies = await readList(deps, list, call);
    const own = policies.find(
      ({ isDefault, groupIds }) => isDefault || (groupId !== undefined && groupIds.includes(groupId)),
    );
    if (own?.balanceType === 'quota' || own?.balanceType === 'quota_wallet') return;
    if (own?.balanceType === 'wallet') throw uncounted(`its policy ${own.policyName} counts no quota`);
    throw uncounted(`its policy ${own?.policyName ?? 'Default'} lets people print for nothing`);
  }

  return {
    async costOf(pages, groupId, call) {
      const price = await priceOfPage(call);
      await requireQuota(groupId, call);
      return (price * BigInt(pages)) as Amount;
    },
    async set({ userName, providerId }, quota, call) {
      const body = jsonBody({
        userName,
        providerId,
        operation: 'set',
        balanceType: 'quota',
        amount: Number(printAmount(quota)),
        description: 'Guest',
      });
      valueOf(await ask({ method: 'POST', path: '/api/v1/balance/transactions', body }, call), transaction);
    },
  };
}

const uncounted = (why: string): Problem =>
  new Problem('guest-refused', `The service counts no pages for this guest: ${why}`, {
    advice:
      'The guest has no access. Leave out --pages, or give the guests a group with a balance policy of the type quota.',
  });
