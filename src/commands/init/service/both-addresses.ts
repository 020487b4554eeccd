/** The second address of a service: the one that was answered, else that of the file, else whichever of the usual ones answers. */
import { authUrlsFor } from '../answers.ts';
import type { Present } from '../config.ts';
import type { ServiceAnswers, TryService } from '../interview.ts';
import type { ServiceLook } from './service-look.ts';

interface Tried {
  readonly authUrl: string;
  /** `undefined`: it may not be tried. */
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
    // Where not even the first address answers, the second cannot be told.
    const isService = look?.faults.every(({ about }) => about !== 'baseUrl') ?? true;
    if (!isElsewhere) return { authUrl: one, look };
    if (!isService) return first;
  }
  return first ?? { authUrl: baseUrl, look: undefined };
}
