/** Adds and removes certificates of the simulated cloud (spec, Certificates): authorities and whole chains. */
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ServiceCertificate } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, empty, errorAnswer, errorCode, json, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { readBytes, readMultipart, requireNoParameters } from '../../parameters.ts';
import type { OwnChain } from '../../../own-chain.ts';
import type { CloudState } from '../../state.ts';
import { certificateInfo, requireCertificates } from './certificates.ts';

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
