/**
 * The part of a release between its document and the printer: it waits until the printer is its own. It may have come
 * here while another release was still printing, so what the service said of the balance is asked again when it is
 * too old by now, or does not know of what was printed since (reliability.md B.4, 4 Balance); so it is before the
 * intent of a document that took long to be made ready. Last of all comes a look at the list: another gateway may have
 * released the document meanwhile (I1).
 */
import { isProblem } from '../domain/problem/problem.ts';
import { errorOf, givesUp, noteBalance, releaseSetup, required, settles, watchesDocument } from './setup.ts';

const goesOn = [{ guard: 'isTheServices', target: 'lookingAgain' }, { target: 'preparing' }] as const;
const [delivers, prints] = goesOn;
const intends = [{ guard: 'isTheServices', target: 'intendingDelivery' }, { target: 'intending' }] as const;

export const turnStates = {
  awaitingTurn: releaseSetup.createStateConfig({
    tags: 'waiting',
    description: 'All is ready, and the printer may still be busy with another release of ours.',
    on: { STOP: givesUp },
    invoke: [
      {
        src: 'takeTurn',
        onDone: [{ guard: 'isBalanceStale', target: 'checkingBalanceAgain' }, ...goesOn],
        onError: settles,
      },
      watchesDocument,
    ],
  }),

  checkingBalanceAgain: releaseSetup.createStateConfig({
    description: 'The answer is old: whether the user may print this is asked once more (I9).',
    on: { STOP: givesUp },
    invoke: {
      src: 'checkBalance',
      input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
      onDone: [
        // It is planned already: getting it ready took too long.
        {
          guard: ({ context }) => context.plan !== undefined,
          target: 'lookingAgain',
          actions: noteBalance,
        },
        { ...delivers, actions: noteBalance },
        { ...prints, actions: noteBalance },
      ],
      onError: settles,
    },
  }),

  lookingAgain: releaseSetup.createStateConfig({
    description:
      'Right before the intent: the document has to be READY still, by a look that is no older than 2 s.',
    on: { STOP: givesUp },
    invoke: [
      {
        src: 'lookAgain',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: intends,
        onError: [
          { guard: ({ event }) => isProblem(event.error, 'document-not-waiting'), ...settles },
          // Nobody can look now. The list that it was chosen from stands, as it did until now.
          ...intends.map((way) => ({
            ...way,
            actions: { type: 'tellNotLookedAt', params: errorOf } as const,
          })),
        ],
      },
      watchesDocument,
    ],
  }),
};
