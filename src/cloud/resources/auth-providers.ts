/**
 * `GET /authproviders`: the sources of an account's users (spec, Authentication providers). The shape of the answer is
 * not published. So it is read loosely (src/cloud/README.md 12, row 38), and no feature depends on it.
 */
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { query } from '../http/form.ts';
import { nextPageToken } from '../http/list-answer.ts';
import { optionalFlag, optionalInt, optionalText, optionalTexts } from '../http/optional-fields.ts';
import type { AskPage } from '../http/pages.ts';
import { entriesOf } from '../http/pages.ts';
import { answerLimits } from '../http/transport.ts';

export interface AuthProvider {
  readonly id: number;
  readonly name: string | undefined;
  /** 0 local, 1 LDAP, 2 cloud directory, 3 cloud identity provider; others may come. */
  readonly providerType: number | undefined;
  readonly priority: number | undefined;
  readonly active: boolean | undefined;
  readonly domainNames: readonly string[];
}

export interface AuthProviders {
  list(accountId: number, options: CallerOptions): Promise<readonly AuthProvider[]>;
}

const authProvider = z.object({
  id: z.int(),
  name: optionalText,
  providerType: optionalInt,
  priority: optionalInt,
  active: optionalFlag,
  domainNames: optionalTexts,
});

/** A list, or an object with a list in any of its fields. */
const anyPage = z.union([
  z.array(z.unknown()).transform((entries) => ({ entries, nextPageToken: undefined })),
  z.looseObject({ nextPageToken }).transform(({ nextPageToken: next, ...info }) => ({
    entries: Object.values(info).flat(),
    nextPageToken: next,
  })),
]);

async function providersOf(ask: AskPage): Promise<readonly AuthProvider[]> {
  const providers: AuthProvider[] = [];
  for await (const entry of entriesOf(ask, anyPage)) {
    const { success, data } = authProvider.safeParse(entry);
    if (success) providers.push(data);
  }
  return providers;
}

export function createAuthProviders(deps: ResourceDeps): AuthProviders {
  const callFor = (accountId: number, pageToken: string | undefined) => {
    const fields = query([
      ['accountid', accountId],
      ['pagetoken', pageToken],
    ]);
    const path = `/api/v1/authproviders${fields}`;
    return { method: 'GET', path, largestAnswer: answerLimits.list } as const;
  };

  return {
    list(accountId, options) {
      const within = inBackground(deps.clock, options);
      return providersOf((pageToken) => askAs(deps, callFor(accountId, pageToken), within));
    },
  };
}
