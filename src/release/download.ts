/**
 * The part of a release that brings the document into the spool. Nothing is on its way to a printer yet, so what the
 * service could not give is asked for again, within limits (reliability.md B.4, 5 Download).
 */
import { assign } from 'xstate';
import { isProblem } from '../domain/problem/problem.ts';
import {
  asReleaseProblem,
  downloadPatience,
  givesUp,
  noteProblem,
  releaseSetup,
  required,
  settles,
} from './setup.ts';

/** The service, or the way to it, was at fault, and does not ask for more patience than a person has. */
export const mayPass = (error: unknown): boolean =>
  isProblem(error, 'cloud-busy', 'cloud-unreachable', 'cloud-protocol') &&
  (error.retryAfter ?? 0) < downloadPatience;

export const downloadStates = {
  fetching: releaseSetup.createStateConfig({
    tags: 'downloading',
    description: 'The document comes into the encrypted spool and stays in the cloud (D6, D7).',
    initial: 'downloading',
    on: { STOP: givesUp },
    after: { downloadPatience: { actions: assign({ triesLeft: 0 }) } },
    states: {
      downloading: {
        description: 'The bytes come in, from the first one.',
        invoke: {
          src: 'download',
          input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
          onDone: {
            target: '#release.awaitingTurn',
            actions: assign(({ event }) => ({ document: event.output, problem: undefined })),
          },
          onError: [
            {
              guard: ({ context, event }) => context.triesLeft > 1 && mayPass(event.error),
              target: 'waitingToDownload',
              actions: [
                noteProblem,
                assign({ triesLeft: ({ context }) => context.triesLeft - 1 }),
                'tellDownloadAgain',
              ],
            },
            {
              guard: ({ context, event }) =>
                context.restartsLeft > 0 && asReleaseProblem(event.error).code === 'document-cut',
              target: 'downloading',
              reenter: true,
              actions: [
                noteProblem,
                assign({ restartsLeft: ({ context }) => context.restartsLeft - 1 }),
                'tellDownloadAgain',
              ],
            },
            settles,
          ],
        },
      },

      waitingToDownload: {
        description: 'The service is given time before it is asked again.',
        always: { guard: ({ context }) => context.triesLeft === 0, target: '#release.settling' },
        after: { downloadAgain: 'downloading' },
      },
    },
  }),
};
