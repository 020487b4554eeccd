/** Checks the form of a request strictly against RFC 8011. `operations.ts` carries the request out. */
import type { Attribute, Message } from '../../ipp/message.ts';
import { group, groups, integer, string } from '../../ipp/message.ts';
import type { Operation, Status } from '../../ipp/registry.ts';
import { operations } from '../../ipp/registry.ts';
import type { KnownOperation } from './rules.ts';
import { longest, operationRules, setsOfValues, supportedOperations, syntaxes } from './rules.ts';

export interface CheckedRequest {
  readonly operation: KnownOperation;
  readonly message: Message;
  readonly attributes: readonly Attribute[];
  /** Taken from job-id or job-uri. */
  readonly jobId: number | undefined;
}

/** The request violates the standard. `status` is the answer that the standard requires. */
export class Misformed extends Error {
  override readonly name = 'Misformed';
  readonly section: string;
  readonly status: Status;

  constructor(what: string, section: string, status: Status = 'client-error-bad-request') {
    super(what);
    this.section = section.startsWith('PWG') ? section : `RFC 8011 ${section}`;
    this.status = status;
  }
}

export const operationName = (code: number): Operation | undefined =>
  Object.entries(operations).flatMap(([name, number]) =>
    number === code && isOperation(name) ? [name] : [],
  )[0];

const isOperation = (name: string): name is Operation => name in operations;
const isKnown = (name: string | undefined): name is KnownOperation =>
  supportedOperations.some((one) => one === name);

/** Throws `Misformed`. */
export function checkRequest(
  message: Message,
  printer: { uri: string; versions: readonly string[] },
): CheckedRequest {
  const version = message.version.join('.');
  if (!printer.versions.includes(version)) {
    throw new Misformed(`version ${version}`, '4.1.8', 'server-error-version-not-supported');
  }
  if (message.requestId < 1) throw new Misformed(`request-id ${message.requestId}`, '4.1.2');
  const operation = operationName(message.code);
  if (!isKnown(operation)) {
    throw new Misformed('an operation not supported', '4.1.8', 'server-error-operation-not-supported');
  }
  checkGroups(message, operation);
  const attributes = group(message, 'operation-attributes');
  checkOperationAttributes(attributes, operation);
  const jobId = checkTarget(attributes, operation, printer);
  for (const one of [...attributes, ...group(message, 'job-attributes')]) checkValues(one);
  if (operation === 'Send-Document' && !attributes.some((one) => one.name === 'last-document')) {
    throw new Misformed('last-document is missing', '4.3.1');
  }
  return { operation, message, attributes, jobId };
}

/** Section 4.1.1: the operation group is first, and each group comes once. */
function checkGroups(message: Message, operation: KnownOperation): void {
  const rule = operationRules[operation];
  const [first, ...others] = message.groups.map((one) => one.tag);
  if (first !== 'operation-attributes') {
    throw new Misformed('operation-attributes is not the first group', '4.1.1');
  }
  for (const tag of others) {
    if (tag !== 'job-attributes' || rule.template === 'none') {
      throw new Misformed(`the group ${tag} does not belong in ${operation}`, rule.section);
    }
  }
  if (groups(message, 'job-attributes').length > 1)
    throw new Misformed('job-attributes comes twice', '4.1.1');
  for (const { attributes } of message.groups) {
    const names = attributes.map((one) => one.name);
    const doubled = names.find((one, index) => names.indexOf(one) !== index);
    if (doubled !== undefined) throw new Misformed(`the attribute ${doubled} comes twice`, '4.1.3');
  }
}

function checkOperationAttributes(attributes: readonly Attribute[], operation: KnownOperation): void {
  const [charset, language] = attributes;
  if (charset?.name !== 'attributes-charset') {
    throw new Misformed('attributes-charset is not the first attribute', '4.1.4');
  }
  if (language?.name !== 'attributes-natural-language') {
    throw new Misformed('attributes-natural-language is not the second attribute', '4.1.4');
  }
  if (string(attributes, 'attributes-charset') !== 'utf-8') {
    throw new Misformed('attributes-charset is not utf-8', '4.1.4', 'client-error-charset-not-supported');
  }
  const rule = operationRules[operation];
  const target = rule.target === 'printer' ? ['printer-uri'] : ['printer-uri', 'job-id', 'job-uri'];
  const allowed = new Set([...target, 'requesting-user-name', ...rule.attributes]);
  for (const { name } of attributes.slice(2)) {
    if (!allowed.has(name)) {
      throw new Misformed(`${name} is no operation attribute of ${operation}`, rule.section);
    }
  }
}

/** Section 4.1.5: the target follows the charset and the language. Gives the job id if the target is a job. */
function checkTarget(
  attributes: readonly Attribute[],
  operation: KnownOperation,
  printer: { uri: string },
): number | undefined {
  const [third, fourth] = attributes.slice(2, 4).map((one) => one.name);
  const isForJob = operationRules[operation].target === 'job';
  if (isForJob && third === 'job-uri') {
    const uri = string(attributes, 'job-uri') ?? '';
    const [, own, id] = /^(.*)\/(\d+)$/.exec(uri) ?? [];
    if (own === undefined || !isSamePrinter(own, printer.uri))
      throw new Misformed(`${uri} is no job here`, '4.1.5', 'client-error-not-found');
    return Number(id);
  }
  if (third !== 'printer-uri') throw new Misformed('the target is not the third attribute', '4.1.5');
  const uri = string(attributes, 'printer-uri') ?? '';
  if (!isSamePrinter(uri, printer.uri)) {
    throw new Misformed(`${uri} is no printer here`, '4.1.5', 'client-error-not-found');
  }
  if (!isForJob) return undefined;
  if (fourth !== 'job-id') throw new Misformed('job-id is not the fourth attribute', '4.1.5');
  return integer(attributes, 'job-id');
}

/** Only scheme, port and path are compared, because a printer has many host names. */
function isSamePrinter(given: string, own: string): boolean {
  if (!URL.canParse(given)) return false;
  const [one, other] = [new URL(given), new URL(own)];
  return one.protocol === other.protocol && one.port === other.port && one.pathname === other.pathname;
}

function checkValues({ name, values }: Attribute): void {
  const tags = syntaxes[name];
  for (const value of values) {
    if (value.tag === 'raw') throw new Misformed(`${name} has a value that is not of its syntax`, '5.1');
    if (tags !== undefined && !tags.includes(value.tag)) {
      throw new Misformed(`${name} is written as ${value.tag}, not as ${tags.join(' or ')}`, '5.1');
    }
    const octets = 'text' in value ? Buffer.byteLength(value.text) : 0;
    if (octets > (longest[value.tag] ?? octets)) {
      throw new Misformed(`${name} has ${octets} octets`, '5.1', 'client-error-request-value-too-long');
    }
  }
  if (tags !== undefined && values.length > 1 && !setsOfValues.includes(name)) {
    throw new Misformed(`${name} has ${values.length} values`, '5.1');
  }
}
