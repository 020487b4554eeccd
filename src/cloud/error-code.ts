/**
 * The error words of the service as closed lists, so that an answer's own text never reaches a message (I5): the
 * `errorCode` of ErrorCodeInfo (spec, Errors 3) with the problem it is when it comes with a 200, and the `error` of
 * OAuth-like answers.
 */
import { oauthCodes } from '../domain/device.ts';
import type { ProblemCode } from '../domain/problem-kinds.ts';

interface ErrorCodeMeaning {
  readonly says: string;
  readonly code: ProblemCode;
}

const rejected = (says: string): ErrorCodeMeaning => ({ says, code: 'cloud-rejected' });
const denied = (says: string): ErrorCodeMeaning => ({ says, code: 'cloud-denied' });

const meanings: Readonly<Record<number, ErrorCodeMeaning>> = {
  1000: { says: 'not implemented', code: 'cloud-feature-off' },
  1001: rejected('output document error'),
  1002: rejected('delete document error'),
  1003: rejected('create user error'),
  1004: rejected('delete user error'),
  1005: rejected('enroll card error'),
  1006: rejected('account not found'),
  1007: rejected('object tree error'),
  1008: rejected('create account error'),
  1009: rejected('create output port error'),
  1010: rejected('create trigger error'),
  1011: rejected('delete trigger error'),
  1012: rejected('run automation error'),
  1013: rejected('update user error'),
  1014: rejected('register server error'),
  1015: rejected('create input port error'),
  1016: rejected('delete input port error'),
  1017: rejected('delete output port error'),
  1030: rejected('delete authentication provider error'),
  1031: rejected('save authentication provider error'),
  1032: rejected('no services for authentication provider'),
  1040: rejected('save access control error'),
  1041: rejected('delete access control error'),
  1042: { says: 'output not ready', code: 'printer-not-ready' },
  1043: rejected('create group error'),
  1044: rejected('delete group error'),
  1050: denied('license count exceeded'),
  1051: denied('license expired'),
  1052: denied('license group not found'),
  1060: rejected('import users error'),
  1070: rejected('create terminal configuration error'),
  1080: rejected('delete account error'),
  1090: rejected('update account error'),
  10000: { says: 'unknown error', code: 'cloud-busy' },
};

export const meaningOf = (errorCode: number): ErrorCodeMeaning =>
  meanings[errorCode] ?? rejected('not in the published list');

/** RFC 6749 section 5.2, RFC 6750 section 3.1; the service's own codes are in `domain/device.ts`. */
const standardErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_token',
  'insufficient_scope',
  'server_error',
  'temporarily_unavailable',
  ...oauthCodes,
]);

export const isKnownError = (word: string): boolean => standardErrors.has(word);
