/**
 * Certificates of the simulated cloud (spec, Certificates): authorities, chains and roots, listed, added and removed.
 */
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import { hours } from '../../../../core/duration.ts';
import type { OwnChain } from '../../../own-chain.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, empty, errorAnswer, errorCode, json, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formInteger, formText, readBytes, readMultipart, requireNoParameters } from '../../parameters.ts';
import type { ServiceCertificate } from '../../records/account-records.ts';
import type { CloudState } from '../../state.ts';

const filters = z.strictObject({
  /** A part of the subject. */
  subject: formText.optional(),
  serial: z.string().regex(/^\d+$/, 'expected a whole number').optional(),
  alias: formText.optional(),
  issuer: formText.optional(),
  /** In days. */
  expiresin: formInteger(0, 100_000).optional(),
});
type Filters = z.infer<typeof filters>;

const list =
  (store: ServiceCertificate['store'], schema: z.ZodType<Filters>) =>
  (context: CloudContext, call: Call): Answer => {
    const { state, clock } = context;
    requireCertificates(context);
    return answerList(context, call, {
      schema,
      section: 'spec, Certificates',
      find: (asked) =>
        state.certificates
          .filter((one) => one.store === store)
          .map(certificateInfo)
          .filter((info) => fits(info, asked, clock.now()))
          .map(({ expiresAt: _, ...info }) => info),
    });
  };

function requireCertificates({ settings }: CloudContext): void {
  if (settings.role === 'gateway') throw refused('not on gateways', 400);
}

export const listAuthorities = list('ca', filters);
export const listChains = list('chain', filters);
export const listRoots = list('root', z.strictObject({}));

function certificateInfo({ alias, pem, store }: ServiceCertificate) {
  const certificate = new X509Certificate(pem);
  const { serialNumber, validFromDate, validToDate, subject, issuer, raw } = certificate;
  const expiresAt = validToDate.getTime();
  return {
    alias,
    serial: BigInt(`0x${serialNumber}`).toString(),
    subject: inOneLine(subject),
    issuer: inOneLine(issuer),
    notBefore: isoInstant(validFromDate.getTime()),
    notAfter: isoInstant(expiresAt),
    // Roots are base64 DER (spec). For the others, the spec only says that it is the public part.
    body: store === 'root' ? raw.toString('base64') : certificate.toString(),
    expiresAt,
  };
}

const inOneLine = (name: string): string => name.split('\n').join(', ');

function fits(
  info: ReturnType<typeof certificateInfo>,
  { subject, serial, alias, issuer, expiresin }: Filters,
  now: number,
): boolean {
  return (
    (subject === undefined || info.subject.includes(subject)) &&
    (serial === undefined || info.serial === serial) &&
    (alias === undefined || info.alias === alias) &&
    (issuer === undefined || info.issuer === issuer) &&
    (expiresin === undefined || info.expiresAt <= now + hours(24 * expiresin))
  );
}

const section = 'spec, Certificates';

/** Takes an authority's certificate in PEM or DER. */
export function addAuthority(context: CloudContext, call: Call): Answer {
  requireCertificates(context);
  const certificate = certificateFrom(readBytes(call, section));
  if (!certificate?.ca) throw new Deviation('no certificate of an authority', section, errorAnswer(400));
  const [kept] = keep(context, 'ca', [certificate]);
  return json(200, kept);
}

const chainForm = z.strictObject({ password: z.string() });

export async function addChain(context: CloudContext, call: Call): Promise<Answer> {
  requireCertificates(context);
  const { fields, data } = await readMultipart(call, { schema: chainForm, section });
  // Loaded when the first file comes, because it starts a program.
  const { certificatesIn } = await import('./pkcs12.ts');
  const pems = await certificatesIn(Buffer.from(await data.arrayBuffer()), fields.password);
  const chain = pems.map((pem) => new X509Certificate(pem));
  return json(200, keep(context, 'chain', chain));
}

/** Stores a chain under one free alias, made from the common name of the first certificate. */
function keep(
  context: CloudContext,
  store: 'ca' | 'chain',
  chain: readonly X509Certificate[],
): readonly object[] {
  const { certificates } = context.state;
  const [, name = 'certificate'] = /^CN=(.+)$/m.exec(chain[0]?.subject ?? '') ?? [];
  const taken = certificates.filter((one) => one.store === store).map(({ alias }) => alias);
  const wanted = [name, ...taken.map((_, index) => `${name} ${index + 2}`)];
  const alias = wanted.find((one) => !taken.includes(one)) ?? name;
  const kept = chain.map((one): ServiceCertificate => ({ store, alias, pem: one.toString() }));
  certificates.push(...kept);
  context.tell(`certificate: “${alias}” is new`);
  return kept.map(certificateInfo).map(({ expiresAt: _, ...info }) => info);
}

const ownAlias = 'simulated-cloud';

/** Replaces the chain of the previous start by the chain of this start. */
export function keepOwnChain(state: CloudState, { authority, server }: OwnChain): void {
  state.certificates = [
    ...state.certificates.filter(({ alias }) => alias !== ownAlias),
    { store: 'root', alias: ownAlias, pem: authority },
    { store: 'chain', alias: ownAlias, pem: server },
    { store: 'chain', alias: ownAlias, pem: authority },
  ];
}

const remove =
  (store: 'ca' | 'chain', code: number) =>
  (context: CloudContext, call: Call): Answer => {
    requireCertificates(context);
    requireNoParameters(call, section);
    const { state } = context;
    const isMeant = (one: ServiceCertificate) => one.store === store && one.alias === call.parts['alias'];
    if (!state.certificates.some(isMeant)) throw refused('no such certificate', 404, code);
    state.certificates = state.certificates.filter((one) => !isMeant(one));
    return empty(200);
  };

export const deleteAuthority = remove('ca', errorCode.deleteAuthority);
export const deleteChain = remove('chain', errorCode.deleteChain);

function certificateFrom(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
