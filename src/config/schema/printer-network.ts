/**
 * `printerNetwork`: the networks in which a printer may be if its address comes from the service (INVARIANTS.md D9). It
 * does not limit addresses in the configuration itself.
 */
import { isIP } from 'node:net';
import { z } from 'zod';

const cidr = z.string().refine((text) => {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}, 'must be a network, for example 10.0.0.0/24 or fd00::/8');

const portNumber = z.int().min(1).max(65_535);

const portRange = z
  .union([portNumber, z.string()], 'must be a port or a range of ports')
  .transform((ports, context) => {
    const [first = 0, last = first] = String(ports).split('-', 2).map(Number);
    const isRange = /^\d{1,5}(-\d{1,5})?$/.test(String(ports)) && first <= last;
    if (isRange && portNumber.safeParse(first).success && portNumber.safeParse(last).success) {
      return { first, last };
    }
    context.addIssue({
      code: 'custom',
      message: 'must be a port or a range of ports, for example 9100-9109',
    });
    return z.NEVER;
  });

export const printerNetwork = z.strictObject({
  allow: z
    .array(cidr)
    .default([])
    .describe(
      'If the address of a printer comes from the service, it must be in one of these networks, for example 10.0.0.0/24. []: no such address is allowed',
    ),
  ports: z
    .array(portRange)
    .prefault([631, 443, '9100-9109'])
    .describe('Ports that such an address may have: numbers, or ranges such as 9100-9109'),
  schemes: z
    .array(z.enum(['ipp', 'ipps', 'socket']))
    .default(['ipp', 'ipps', 'socket'])
    .describe('Protocols that such an address may have'),
});
