/**
 * The part of a release that makes of the document what the printer takes, where it must. Nothing is on its way to the
 * printer yet: whatever goes wrong, the document still waits in the cloud (reliability.md D10; B.4, 6 Convert).
 */
import { assign } from 'xstate';
import { givesUp, releaseSetup, required, settles } from './setup.ts';

export const conversionStates = {
  converting: releaseSetup.createStateConfig({
    tags: 'converting',
    description: 'The document becomes what the printer takes, in a sandbox; the original is put away.',
    on: { STOP: givesUp },
    invoke: {
      src: 'convert',
      input: ({ context }) => ({
        document: required(context.document, 'document'),
        conversion: required(context.plan?.conversion, 'conversion'),
      }),
      onDone: [
        {
          guard: 'isBalanceOld',
          target: 'checkingBalanceAgain',
          actions: ['forgetDocument', assign(({ event }) => ({ document: event.output }))],
        },
        {
          target: 'lookingAgain',
          actions: ['forgetDocument', assign(({ event }) => ({ document: event.output }))],
        },
      ],
      onError: settles,
    },
  }),
};
