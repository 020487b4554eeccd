/** How a person looks at the pages of a document and away again, as parts of the transitions of the list (`preview.ts`). */
import { required } from '../../core/required.ts';
import type { SaidOfPage } from '../../domain/terminal/persons-word.ts';
import type { Told } from '../endings.ts';
import { asSaid, beginsCountdown, isShown } from '../endings.ts';
import { shownOf } from '../list.ts';

/** Before anything is printed. */
export const looksAt = {
  guard: { type: 'mayLookAt', params: asSaid<SaidOfPage> },
  actions: [
    {
      type: 'lookAt',
      params: ({ context, event }: Told<SaidOfPage>) => ({
        session: required(context.session, 'session'),
        document: required(shownOf(context, event), 'document in the list'),
        page: event.page,
      }),
    },
    ...beginsCountdown,
  ],
} as const;

export const looksAway = { guard: isShown, actions: ['lookAway', ...beginsCountdown] } as const;
