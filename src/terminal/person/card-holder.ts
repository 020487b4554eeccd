/** Finds the person whom a card signs in. The service tells that only by a login. */
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Logins } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { User } from '../../domain/user.ts';

/** `undefined` if the card has no known holder. */
export async function holderOf(
  card: CardNumber,
  logins: Logins,
  options: CallOptions,
): Promise<User | undefined> {
  try {
    return (await logins.login({ kind: 'card', card }, options)).user;
  } catch (error) {
    if (isProblem(error, 'login-refused')) return undefined;
    throw error;
  }
}
