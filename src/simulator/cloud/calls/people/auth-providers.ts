/**
 * `GET /authproviders` of the simulated cloud (spec, Authentication providers). Secrets are for a user who may see them;
 * for who has the API key alone only where that is enough for everything (spec, Authentication 3).
 */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, errorCode, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formInteger } from '../../parameters.ts';

const schema = z.strictObject({ accountid: formInteger(0, 2 ** 31 - 1) });

export function listAuthProviders(context: CloudContext, call: Call): Answer {
  const { state, settings } = context;
  const hasKey = call.headers['x-api-key'] !== undefined;
  const isEnough = settings.keyAllows.includes('unauthenticated-requests');
  const seesSecrets = hasKey && (call.caller.kind === 'user' || isEnough);
  return answerList(context, call, {
    schema,
    section: 'spec, Authentication providers',
    find({ accountid }) {
      if (!state.accounts.some((one) => one.id === accountid)) {
        throw new Refusal('no such account', errorAnswer(400, errorCode.accountNotFound));
      }
      return state.authProviders
        .filter((one) => one.accountId === accountid)
        .map(({ typeConfiguration, ...provider }) => ({
          ...provider,
          typeConfiguration: JSON.stringify(
            seesSecrets ? typeConfiguration : withoutSecrets(typeConfiguration),
          ),
        }));
    },
  });
}

const withoutSecrets = (configuration: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(configuration).filter(([name]) => !/secret|password/i.test(name)));
