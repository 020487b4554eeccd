/** `GET /users/<USERNAME>/groups`: the local groups of a local user (spec, Users; GroupInfo). */
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceParts } from '../http/caller.ts';
import { pathSegment } from '../http/form.ts';
import { optionalText } from '../http/optional-fields.ts';
import { readList } from '../http/pages.ts';
import { visibleText } from '../http/visible-text.ts';

export interface Group {
  readonly id: number;
  readonly name: string;
  /** The group's textual id: a distinguished name, or what the service made up. */
  readonly dn: string | undefined;
}

export interface Groups {
  ofUser(userName: string, options: CallerOptions): Promise<readonly Group[]>;
}

const groupInfo = z
  .object({ id: z.int(), groupName: z.string(), groupDN: optionalText })
  .transform(({ id, groupName, groupDN }): Group => ({ id, name: visibleText(groupName), dn: groupDN }));

export const createGroups = (parts: ResourceParts): Groups => ({
  ofUser: (userName, options) =>
    readList(
      parts,
      {
        name: 'groups of a user',
        path: `/api/v1/users/${pathSegment(userName)}/groups`,
        shownPath: '/api/v1/users/<USERNAME>/groups',
        entry: groupInfo,
      },
      options,
    ),
});
