/**
 * How a person looks at the pages of a document and away again, as parts of the transitions of the list (`preview.ts`).
 */
import { required } from '../../core/required.ts';
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { Told } from '../endings.ts';
import { asSaid, beginsCountdown, isShown } from '../endings.ts';
import { shownOf } from '../list.ts';

/** Before anything is printed. */
export const looksAt = {
  guard: { type: 'mayLookAt', params: asSaid<Said<'preview'>> },
  actions: [
    {
      type: 'lookAt',
      params: ({ context, event }: Told<Said<'preview'>>) => ({
        session: required(context.session, 'session'),
        document: required(shownOf(context, event), 'document in the list'),
        page: event.page,
      }),
    },
    ...beginsCountdown,
  ],
} as const;

export const looksAway = { guard: isShown, actions: ['lookAway', ...beginsCountdown] } as const;
