/** `GET /authproviders` of the simulated cloud (spec, Authentication providers): without API key no secrets. */
import { z } from 'zod';
import type { Answer, Call } from './cloud-call.ts';
import { errorAnswer, errorCode, Refusal } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { answerList } from './cloud-paging.ts';
import { formInteger } from './cloud-parameters.ts';

const schema = z.strictObject({ accountid: formInteger(0, 2 ** 31 - 1) });

export function listAuthProviders(context: CloudContext, call: Call): Answer {
  const { state } = context;
  const hasKey = call.headers['x-api-key'] !== undefined;
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
          typeConfiguration: JSON.stringify(hasKey ? typeConfiguration : withoutSecrets(typeConfiguration)),
        }));
    },
  });
}

const withoutSecrets = (configuration: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(configuration).filter(([name]) => !/secret|password/i.test(name)));
