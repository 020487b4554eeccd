/** `POST /login` of the simulated cloud (spec, Login; src/cloud/README.md 6). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, Refusal, withToken } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formText, readForm } from '../../parameters.ts';
import type { CloudUser } from '../../state.ts';
import { userInfo } from './users.ts';

const section = 'spec, Login';

const loginForm = z.strictObject({
  authtype: z.enum(['0', '1', '2', '3', '4']),
  userid: formText,
  password: formText.optional(),
});
type LoginForm = z.infer<typeof loginForm>;

const way = { 0: 'password', 1: 'card', 2: 'short id', 3: 'name only', 4: 'email' } as const;

export function login(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: loginForm, section });
  const { keyAllows } = context.settings;
  // Except for a password, other people can easily know these values. They therefore need a trusted device
  // (src/cloud/README.md 12, row 45) or a key that allows unauthenticated requests.
  if (
    form.authtype !== '0' &&
    call.caller.kind !== 'device' &&
    !keyAllows.includes('unauthenticated-requests')
  ) {
    throw new Refusal('the API key does not allow unauthenticated requests', errorAnswer(403));
  }
  if (form.authtype === '0' && form.password === undefined) {
    throw new Deviation('authtype 0 without password', section, errorAnswer(400));
  }
  const user = context.state.users.find((one) => !one.isDeactivated && isMeant[form.authtype](one, form));
  if (user === undefined) {
    context.tell(`login: refused, nobody has this ${way[form.authtype]}`);
    throw new Refusal('unknown user', errorAnswer(401));
  }
  // A one-time password works once (src/cloud/README.md 6).
  if (form.authtype === '0' && form.password === user.oneTimePassword) user.oneTimePassword = undefined;
  const token = context.tokens.issue({
    kind: 'user',
    holder: user.id,
    apiKey: call.headers['x-api-key']?.toString(),
  });
  context.tell(`login: ${user.userName} by ${way[form.authtype]}`);
  return withToken(userInfo(user, token));
}

/** Whether the form belongs to this user, by its authtype. */
const isMeant: Readonly<Record<LoginForm['authtype'], (user: CloudUser, form: LoginForm) => boolean>> = {
  0: (user, { userid, password = '' }) =>
    user.userName === userid && [user.password, user.oneTimePassword].includes(password),
  1: (user, { userid, password }) =>
    user.cards.includes(userid) && [undefined, user.pin ?? password].includes(password),
  2: (user, { userid }) => user.shortId === userid,
  3: (user, { userid }) => user.userName === userid,
  4: (user, { userid }) => user.email === userid,
};
