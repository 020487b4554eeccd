/**
 * The second address of a service: the answer, or else the address in the file, or else the first usual address that
 * answers.
 */
import { authUrlsFor } from '../answers.ts';
import type { Present } from '../config.ts';
import type { ServiceAnswers, TryService } from '../interview.ts';
import type { ServiceLook } from './service-look.ts';

interface Tried {
  readonly authUrl: string;
  /** `undefined`: the service may not be called. */
  readonly look: ServiceLook | undefined;
}

export async function tryAddresses(
  { present, tryService }: { readonly present: Present; readonly tryService: TryService },
  { baseUrl, authUrl, key }: Omit<ServiceAnswers, 'authUrl'> & { readonly authUrl: string | undefined },
): Promise<Tried> {
  const known = authUrl ?? (present.baseUrl === baseUrl ? present.authUrl : undefined);
  const candidates = known === undefined ? authUrlsFor(baseUrl) : [known];
  let first: Tried | undefined;
  for (const one of candidates) {
    const look = await tryService({ baseUrl, authUrl: one, key });
    first ??= { authUrl: one, look };
    const isElsewhere = look?.faults.some(({ about }) => about === 'authUrl') ?? false;
    // If even the first address does not answer, the second one cannot be found out.
    const isService = look?.faults.every(({ about }) => about !== 'baseUrl') ?? true;
    if (!isElsewhere) return { authUrl: one, look };
    if (!isService) return first;
  }
  return first ?? { authUrl: baseUrl, look: undefined };
}
