/** `POST /login` of the simulated cloud (spec, Login; api-supplement, section 6). */
import { z } from 'zod';
import type { Answer, Call } from './cloud-call.ts';
import { Deviation, errorAnswer, json, Refusal } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { formText, readForm } from './cloud-parameters.ts';
import type { CloudUser } from './cloud-state.ts';

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
  if (form.authtype === '3' || form.authtype === '4') {
    throw new Refusal('the API key does not allow unauthenticated requests', errorAnswer(403));
  }
  if (form.authtype === '0' && form.password === undefined) {
    throw new Deviation('authtype 0 without password', section, errorAnswer(400));
  }
  const user = context.state.users.find((one) => isMeant(one, form));
  if (user === undefined) {
    context.tell(`login: refused, nobody has this ${way[form.authtype]}`);
    throw new Refusal('unknown user', errorAnswer(401));
  }
  const token = context.tokens.issue({ kind: 'user', holder: user.id });
  context.tell(`login: ${user.userName} by ${way[form.authtype]}`);
  return json(200, userInfo(user, token));
}

function isMeant(user: CloudUser, form: LoginForm): boolean {
  if (form.authtype === '0') return user.userName === form.userid && user.password === form.password;
  if (form.authtype === '1') return user.cards.includes(form.userid);
  return user.shortId === form.userid;
}

/** UserInfo, field by field. */
const userInfo = (user: CloudUser, token: unknown) => ({
  id: user.id,
  providerId: user.providerId,
  accountId: user.accountId,
  userName: user.userName,
  fullName: user.fullName,
  email: user.email,
  department: user.department,
  shortId: user.shortId,
  cards: user.cards,
  createdDate: user.createdDate,
  token,
  isExpired: user.isExpired ?? null,
  groupIds: user.groupIds,
});
