/** Lists the certificates of the simulated cloud (spec, Certificates): CA, chains and roots. A gateway has none. */
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import { hours } from '../../../../core/duration.ts';
import type { ServiceCertificate } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formInteger, formText } from '../../parameters.ts';

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

export function requireCertificates({ settings }: CloudContext): void {
  if (settings.role === 'gateway') throw refused('not on gateways', 400);
}

export const listAuthorities = list('ca', filters);
export const listChains = list('chain', filters);
export const listRoots = list('root', z.strictObject({}));

export function certificateInfo({ alias, pem, store }: ServiceCertificate) {
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
