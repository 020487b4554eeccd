/** What an answer of the service that is none means to the person who set the address and the key. */
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';

const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'The service does not understand this version of Platen, or something between them changes the requests.',
  401: 'The service does not accept the API key. Correct cloud.apiKey.',
  403: 'The API key is wrong, expired or disabled, or may not be used from this address.',
  404: 'There is no print service at this address. Correct cloud.baseUrl; it ends before /api/v1.',
  405: 'This is not the print service. Correct cloud.baseUrl.',
  408: 'The service waited too long for the request. Check the network.',
  425: 'The service has just started. Try again in a minute.',
  429: 'The service gets too many requests from here. Lower cloud.limits, or ask its operator.',
  500: 'The service has a fault. Its operator finds the reason in its log.',
  501: 'This is not the print service. Correct cloud.baseUrl.',
  502: 'A gateway or load balancer answers, but it does not reach the print service.',
  503: 'The service is overloaded or under maintenance. Platen continues automatically when it is back.',
  504: 'A gateway or load balancer answers, but the print service behind it is too slow.',
};

const redirected =
  'The address redirects to another one, perhaps a login page. Platen does not follow. Correct cloud.baseUrl, or check for a captive portal.';

/** The API key alone was refused, and what became of the device token tells what else it may be. */
const orTheToken = (error: Problem): string => {
  const { cause } = error;
  if (isProblem(cause, 'device-token-refused'))
    return ' Or the account needs a device token, and the service no longer accepts the stored token. Start the agent; it renews the token.';
  if (isProblem(cause, 'cloud-denied'))
    return ' The device token did not help. Check whether the service still trusts this endpoint.';
  if (isProblem(cause))
    return ' Or the account needs a device token, and there is none yet. Start the agent, get this device approved, and check again.';
  return '';
};

/** `isProven`: something at the address has said already that it is the service. */
export function inPlainWords(error: unknown, isProven: boolean): unknown {
  if (!isProblem(error) || error.status === undefined) return error;
  const isRedirect = error.status >= 300 && error.status < 400;
  const known = isRedirect ? redirected : adviceByStatus[error.status];
  if (known === undefined) return error;
  const address = isProven && [401, 403].includes(error.status) ? ' The address is right.' : '';
  return new Error(`${error.message}.${address} ${known}${orTheToken(error)}`, { cause: error });
}
