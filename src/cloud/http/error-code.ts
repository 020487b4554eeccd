/**
 * The error words of the service as closed lists, so that an answer's own text never reaches a message (I5). They are
 * the `errorCode` of ErrorCodeInfo (spec, Errors 3 and 4), each with a problem, a name and a sentence, and the `error`
 * of OAuth-like answers.
 */
import { oauthCodes } from '../../domain/device.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';

interface ErrorCodeMeaning {
  /** The code of the problem if it comes with a 200. */
  readonly code: ProblemCode;
  /** The spec's words, joined: for scripts. */
  readonly name: string;
  readonly says: string;
}

const meaning = (code: ProblemCode, name: string, says: string): ErrorCodeMeaning => ({ code, name, says });
const rejected = (name: string, says: string) => meaning('cloud-rejected', name, says);
const denied = (name: string, says: string) => meaning('cloud-denied', name, says);

/** The service's own code for an error without another code. */
export const unknownError = 10_000;

/** For 1130 to 1135 the spec names only the calls that they belong to (Errors 4). */
const meanings: Readonly<Record<number, ErrorCodeMeaning>> = {
  0: rejected('ok', 'The service refused the request without a reason.'),
  1000: meaning(
    'cloud-feature-off',
    'not-implemented',
    'The service does not have this function. Update the service.',
  ),
  1001: rejected(
    'output-document-error',
    'The document could not be sent to its printer. Check the output port and the printer.',
  ),
  1002: rejected('delete-document-error', 'The document could not be deleted. It stays until it expires.'),
  1003: rejected('create-user-error', 'The user could not be created. The name may be taken or not allowed.'),
  1004: rejected(
    'delete-user-error',
    'The user could not be deleted. Check whether the user comes from a directory.',
  ),
  1005: rejected('enroll-card-error', 'The card could not be registered. It may belong to somebody else.'),
  1006: rejected(
    'account-not-found',
    'No account has this domain. Compare the domain with the account in the service.',
  ),
  1007: rejected(
    'object-tree-error',
    'The object has no place in the account tree. Check the account and the container.',
  ),
  1008: rejected('create-account-error', 'The account could not be created. Check its name and domains.'),
  1009: rejected(
    'create-output-port-error',
    'The output port could not be created. Check its name, address and account.',
  ),
  1010: rejected('create-trigger-error', 'The trigger could not be created. Check the service.'),
  1011: rejected('delete-trigger-error', 'The trigger could not be deleted. Check the service.'),
  1012: rejected('run-automation-error', 'The automation could not be run. Check the service.'),
  1013: rejected(
    'update-user-error',
    'The user could not be changed. Check whether the user comes from a directory.',
  ),
  1014: rejected('register-server-error', 'The server could not be registered. Check the service.'),
  1015: rejected('create-input-port-error', 'The queue could not be created. Check its name and account.'),
  1016: rejected('delete-input-port-error', 'The queue could not be deleted. It may still be in use.'),
  1017: rejected('delete-output-port-error', 'The output port could not be deleted. It may still be in use.'),
  1030: rejected(
    'delete-authentication-provider-error',
    'The authentication provider could not be deleted. It may still have users.',
  ),
  1031: rejected(
    'save-authentication-provider-error',
    'The authentication provider could not be saved. Check its settings.',
  ),
  1032: rejected(
    'no-services-for-authentication-provider-error',
    'No server works for this authentication provider. Check that one is running.',
  ),
  1040: rejected(
    'save-access-control-error',
    'The access control could not be saved. Check its role, user and group.',
  ),
  1041: rejected(
    'delete-access-control-error',
    'The access control could not be deleted. Read the list again and retry.',
  ),
  1042: meaning(
    'printer-not-ready',
    'output-not-ready',
    'The printer of the output port is not ready. It may be busy, or need attention.',
  ),
  1043: rejected('create-group-error', 'The group could not be created. The name may be taken.'),
  1044: rejected('delete-group-error', 'The group could not be deleted. Check the service.'),
  1050: denied('license-count-exceeded', 'All licenses are in use. Free one or buy more.'),
  1051: denied('license-expired', 'The license of the service has expired. Renew it.'),
  1052: denied(
    'license-group-not-found',
    'The license group does not exist. Correct the groupNo of the output port.',
  ),
  1060: rejected('import-users-error', 'The users could not be imported. Check the columns of the file.'),
  1070: rejected(
    'create-terminal-configuration-error',
    'The terminal configuration could not be created. Check the domain, vendor and devices.',
  ),
  1080: rejected('delete-account-error', 'The account could not be deleted. It may not be empty.'),
  1090: rejected('update-account-error', 'The account could not be changed. Check its domains.'),
  1130: rejected(
    'delete-ca-certificate-error',
    'The certificate of the authority could not be deleted. Check the service.',
  ),
  1131: rejected(
    'delete-certificate-chain-error',
    'The certificate chain could not be deleted. Check the service.',
  ),
  1134: rejected(
    'delete-ca-certificate-error',
    'The certificate of the authority could not be deleted. Check the service.',
  ),
  1135: rejected(
    'delete-certificate-chain-error',
    'The certificate chain could not be deleted. Check the service.',
  ),
  [unknownError]: meaning(
    'cloud-busy',
    'unknown-error',
    'The service gives no reason. See the log of the service.',
  ),
};

const unlisted = rejected(
  'unlisted-error',
  'The service reports an error that is not in its published list.',
);

export const meaningOf = (errorCode: number): ErrorCodeMeaning => meanings[errorCode] ?? unlisted;

/** `error 1042 (output-not-ready): The printer …` */
export function sentenceOf(errorCode: number): string {
  const { name, says } = meaningOf(errorCode);
  return `error ${errorCode} (${name}): ${says}`;
}

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
