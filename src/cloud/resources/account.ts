/**
 * `GET /account`, `HEAD /account` and `GET /account/containers`: the account of a domain, whether the service knows it,
 * and its containers (spec, Account).
 */
import { z } from 'zod';
import type { CallerOptions, CallOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { query } from '../http/form.ts';
import { headerOf, nonsense, valueOf } from '../http/json.ts';
import { readList } from '../http/pages.ts';
import { optionalText, optionalTexts } from '../http/optional-fields.ts';
import { visibleText } from '../../core/text/visible-text.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly type: 'vendor' | 'customer' | 'container';
  /** The primary domain first. */
  readonly domainNames: readonly string[];
  readonly primaryDomain: string | undefined;
  /** IANA zone id. */
  readonly timezone: string | undefined;
}

export interface Container {
  readonly id: number;
  readonly name: string;
  readonly domainNames: readonly string[];
}

export interface Accounts {
  /** The account of the domain, or of the address that was called. Rejects `cloud-not-found` if there is none. */
  read(options: CallerOptions & { readonly domainName?: string }): Promise<Account>;
  containers(options: CallerOptions): Promise<readonly Container[]>;
  /** Asked without API key and token, to see whether a service with an account for the domain answers there. */
  exists(options: CallOptions & { readonly domainName?: string }): Promise<boolean>;
}

const types = { 1: 'vendor', 2: 'customer', 3: 'container' } as const;

const accountInfo = z
  .object({
    id: z.int(),
    name: z.string(),
    accountType: z.literal([1, 2, 3]),
    domainNames: optionalTexts,
    primaryDomain: optionalText,
    timezone: optionalText,
  })
  .transform(
    ({ name, accountType, ...info }): Account => ({
      ...info,
      name: visibleText(name),
      type: types[accountType],
    }),
  );

const containerInfo = z
  .object({ id: z.int(), name: z.string().catch(''), domainNames: optionalTexts })
  .transform(({ name, ...info }): Container => ({ ...info, name: visibleText(name) }));

export function createAccounts(deps: ResourceDeps): Accounts {
  const { api, clock } = deps;
  const pathFor = (domainName: string | undefined): string =>
    `/api/v1/account${query([['domainname', domainName]])}`;

  return {
    async read({ domainName, ...options }) {
      const call = { method: 'GET', path: pathFor(domainName) } as const;
      return valueOf(await askAs(deps, call, inBackground(clock, options)), accountInfo);
    },

    containers: (options) =>
      readList(
        deps,
        { name: 'containers', path: '/api/v1/account/containers', entry: containerInfo },
        options,
      ),

    async exists({ domainName, ...options }) {
      const call = { method: 'HEAD', path: pathFor(domainName), apiKey: 'withheld' } as const;
      try {
        const answer = await api.request(call, inBackground(clock, options));
        // The key would be sent there next; a web server or a login page answers any request with 200.
        const type = headerOf(answer.headers, 'content-type') ?? '';
        if (/^text\/html\b/i.test(type)) throw nonsense(answer, 'the answer is a web page');
        return true;
      } catch (error) {
        if (isProblem(error, 'cloud-not-found')) return false;
        throw error;
      }
    },
  };
}
