/**
 * Calls that the spec has and the simulated cloud has not: who makes one has made no mistake, and is told so by 501
 * with errorCode 1000 (src/cloud/README.md 12, row 50). Whatever stands in no table is a call that the spec does not know.
 */
import { errorAnswer, errorCode, Refusal } from '../call.ts';

/** The methods of each path, as the spec has them. */
const lacking: Readonly<Record<string, string>> = {
  '/account': 'PUT PATCH',
  '/account/container/<id>': 'PUT DELETE',
  '/outputports': 'PUT',
  '/outputports/<outputportid>': 'DELETE',
  '/outputports/<outputportid>/move': 'PUT',
  '/inputports': 'PUT',
  '/inputports/<inputportid>': 'DELETE',
  '/users': 'PUT',
  '/users/all': 'GET',
  '/users/<username>': 'POST DELETE',
  '/users/<username>/groups': 'PUT POST DELETE',
  '/authproviders': 'PUT',
  '/authproviders/<id>': 'DELETE',
  '/accesscontrols': 'GET PUT',
  '/accesscontrols/<id>': 'DELETE',
  '/locations': 'POST',
  '/locations/<locationid>': 'PUT DELETE',
  '/groups': 'PUT',
  '/groups/<groupid>': 'DELETE',
  '/groups/<groupid>/members': 'GET',
  '/certificate/ca': 'POST',
  '/certificate/ca/<alias>': 'DELETE',
  '/certificate/chain': 'POST',
  '/certificate/chain/<alias>': 'DELETE',
  '/logs/auditlogs': 'GET',
  '/balance/config': 'GET PUT',
  '/balance/transactions': 'GET POST',
  '/balance/policies': 'GET POST',
  '/balance/policies/order': 'PUT',
  '/balance/policies/<id>': 'GET PUT DELETE',
};

export const lackingCalls = Object.entries(lacking).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => ({ method, path })),
);

export function answerLacking(): never {
  throw new Refusal('not served here', errorAnswer(501, errorCode.notImplemented));
}
