/**
 * UserInfo of the spec as far as Platen keeps it. `cards` and `shortId` are left out: data that opens a session is not
 * kept.
 */
import { z } from 'zod';
import type { User } from '../../domain/user.ts';
import { visibleText } from '../../core/text/visible-text.ts';

export const userInfo = z.object({
  id: z.int(),
  providerId: z.int(),
  userName: z.string().min(1).max(1024),
  fullName: z.string().nullish().catch(undefined),
  email: z.string().min(1).optional().catch(undefined),
  groupIds: z.array(z.int()).optional().catch(undefined),
});

export const userOf = ({ id, providerId, userName, ...info }: z.infer<typeof userInfo>): User => ({
  id,
  providerId,
  userName,
  fullName: visibleText(info.fullName ?? '') || userName,
  ...(info.email === undefined ? {} : { email: info.email }),
  ...(info.groupIds === undefined ? {} : { groupIds: info.groupIds }),
});
