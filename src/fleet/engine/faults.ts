/**
 * Turns the failures of an engine into a `Problem`: PostgreSQL's SQLSTATE (appendix A), the system's error, or our
 * deadline.
 */
import { DatabaseError } from 'pg';
import type { Delivery } from '../../domain/problem/problem.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { WireRefusal } from './wire-watch.ts';

const keepsNoStatements =
  'it does not keep the statements of a session. Write the address of the server itself into fleet.engine.url, not of a pooler (PgBouncer)';
/** A person has to change something: the access, the database, or the permissions of its user. */
const refusals: Readonly<Record<string, string>> = {
  '26000': keepsNoStatements,
  '42P05': keepsNoStatements,
  '08P01':
    'it does not answer like PostgreSQL. Write the address of the server itself into fleet.engine.url, not of a pooler (PgBouncer)',
  '28000': 'the server does not let this user in; see its pg_hba.conf',
  '28P01': 'the user name or the password is wrong',
  '3D000': 'there is no such database',
  '42501': 'the user lacks a permission',
  '42P01': 'a table of the fleet is not there, or has another name',
  '53100': 'its disk is full. Make room there',
};

/** The server ends: the statement may have been done (classes 57P and 08, and 40003). */
const isEnding = (code: string): boolean => /^(?:57P|08|40003)/.test(code);
/**
 * The server's fault, which passes by itself: it has no room, is read-only, or two statements were in each other's way.
 */
const isPassing = (code: string): boolean => /^(?:53|57|58|40|25006|55P03)/.test(code);
/** It answers, but refuses until a person has changed something: a permission, a table, a value, its disk. */
const isLasting = (code: string): boolean => /^(?:42|XX|22008|53100)/.test(code);
/** The line is still there, but useless. */
export const isOverWith = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(?:57P|08|25006)/.test(error.code ?? '');

/** For a failure while a connection to `place` was made. */
export function connectProblem(error: unknown, place: string): Problem {
  if (error instanceof Problem) return error;
  const { message, code } = error as Error & { code?: string };
  if (error instanceof DatabaseError) {
    const said =
      refusals[code ?? ''] ?? (isLasting(code ?? '') ? 'it cannot do what it is asked' : undefined);
    return said === undefined
      ? new Problem('fleet-engine-away', `${place}: ${message}`, { cause: error, delivery: 'not-sent' })
      : new Problem('fleet-engine-refused', `${place}: ${said} (${inServersWords(error)})`, { cause: error });
  }
  const refused =
    error instanceof WireRefusal ? error.message : ourRefusal(error as Error & { code?: string });
  if (refused !== undefined)
    return new Problem('fleet-engine-refused', `${place}: ${refused}`, { cause: error });
  return new Problem('fleet-engine-away', `${place}: ${inWords(error as Error)}`, {
    cause: error,
    delivery: 'not-sent',
  });
}

/** The server answers, but does not prove its identity, or asks for something that we do not support. */
function ourRefusal({ code = '', message }: Error & { code?: string }): string | undefined {
  if (/does not support SSL/.test(message)) return 'the server speaks no TLS; set ssl = on there';
  if (/^(?:DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_)/.test(code)) {
    return `its certificate is not believed (${withoutAdvice(message)}); name its authority by sslrootcert in the address`;
  }
  if (/^(?:ERR_TLS_|CERT_)/.test(code)) return `its certificate is not believed (${message})`;
  return /^(?:SASL|SCRAM)/.test(message) ? `it cannot be signed in to (${message})` : undefined;
}

/** Node's own advice is about its command line. */
const withoutAdvice = (message: string): string => message.replace(/; if the root CA.*$/s, '');

/** For a statement that was sent and brought no rows. */
export function statementProblem(error: unknown, name: string): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof DatabaseError)) {
    return away(`${name}: ${inWords(error as Error)}`, { cause: error, delivery: 'perhaps' });
  }
  const { code = '', message } = error;
  if (isEnding(code)) return away(`${name}: ${message}`, { cause: error, delivery: 'perhaps' });
  if (isPassing(code)) return away(`${name}: ${message}`, { cause: error, delivery: 'not-sent' });
  if (isLasting(code)) {
    return new Problem('fleet-engine-refused', `${name}: ${inServersWords(error)}`, { cause: error });
  }
  return new Problem('internal', `the engine refused ${name}: ${message}`, { cause: error });
}

/** For people: a refusal that lasts; `undefined` for all other failures. */
export function lastingRefusal(error: unknown, name: string, place: string): Problem | undefined {
  if (!(error instanceof DatabaseError) || !isLasting(error.code ?? '')) return undefined;
  return connectProblem(error, `${place}, ${name}`);
}

/** The message names tables and files. The detail may hold a value, and is left out. */
const inServersWords = ({ message, code }: DatabaseError): string => `${message}, SQLSTATE ${code}`;

const away = (message: string, options: { cause: unknown; delivery: Delivery }): Problem =>
  new Problem('fleet-engine-away', message, options);

const inWords = ({ name, message, ...rest }: Error): string =>
  name === 'TimeoutError' ? 'no answer in time' : message || ((rest as { code?: string }).code ?? name);
