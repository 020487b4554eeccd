/**
 * The part of a release between its document and the printer: it waits until the printer is its own. It may have come
 * here while another release was still printing, so what the service said of the balance is asked again when it is
 * too old by now, or does not know of what was printed since (reliability.md B.4, 4 Balance); so it is before the
 * intent of a document that took long to be made ready.
 */
import { givesUp, noteBalance, releaseSetup, required, settles, watchesDocument } from './release-setup.ts';

const goesOn = [{ guard: 'isTheServices', target: 'intendingDelivery' }, { target: 'preparing' }] as const;
const [delivers, prints] = goesOn;

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
          target: 'intending',
          actions: noteBalance,
        },
        { ...delivers, actions: noteBalance },
        { ...prints, actions: noteBalance },
      ],
      onError: settles,
    },
  }),
};
