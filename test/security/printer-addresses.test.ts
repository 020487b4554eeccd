/**
 * Printer addresses from a service that means this machine's surroundings (INVARIANTS.md D9, T11), with an administrator
 * who allowed every network: what is no printer's address stays refused, in whatever form it is written.
 */
import { describe, expect, it } from 'vitest';
import { isProblem } from '../../src/domain/problem/problem.ts';
import { createAddressGuard } from '../../src/printing/address-guard.ts';

const guard = createAddressGuard({
  network: { allow: ['::/0', '0.0.0.0/0'], ports: [{ first: 1, last: 65_535 }], schemes: ['ipp'] },
  own: () => [],
});

function verdict(host: string): string {
  try {
    return guard.vet(`ipp://${host}/`);
  } catch (error) {
    if (isProblem(error, 'printer-address-refused')) return error.message;
    throw error;
  }
}

describe('with allow: ::/0, refused is', () => {
  it.each([
    ['mapped', '[::ffff:127.0.0.1]'],
    ['translated', '[::ffff:0:127.0.0.1]'],
    ['compatible', '[::127.0.0.1]'],
    ['NAT64', '[64:ff9b::10.0.0.7]'],
    ['NAT64 for local use', '[64:ff9b:1::10.0.0.7]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:53aa:64c::1]'],
    ['ISATAP', '[2001:db8::5efe:10.0.0.7]'],
    ['ISATAP of a public address', '[2001:db8::200:5efe:7f00:1]'],
  ])('an IPv4 address in the form of IPv6: %s', (_, host) => {
    expect(verdict(host)).toMatch(/IPv4 address/);
  });

  it.each([
    ['most clouds', '169.254.169.254'],
    ['Alibaba', '100.100.100.200'],
    ['Azure', '168.63.129.16'],
    ['Oracle', '192.0.0.192'],
    ['AWS', '[fd00:ec2::254]'],
    ['AWS, the identity of a pod', '[fd00:ec2::23]'],
    ['Google', '[fd20:ce::254]'],
    ['Oracle by IPv6', '[fd00:c1::a9fe:a9fe]'],
    ['Akamai', '[fd00:a9fe:a9fe::1]'],
    ['Scaleway', '[fd00:42::42]'],
    ['most clouds, behind a NAT64 of one’s own', '[2001:db8:64::169.254.169.254]'],
    ['Alibaba, behind a NAT64 of one’s own', '[fd00:64::6464:64c8]'],
  ])('the metadata of %s', (_, host) => {
    expect(verdict(host)).toMatch(/metadata|holds the IPv4 address/);
  });
});

it.each(['[2001:db8::7]', '[fd00:ec3::254]', '[2001:db8::5efe:0:0:7]', '100.100.100.201'])(
  '%s is a printer’s',
  (host) => {
    expect(verdict(host)).toMatch(/^ipp:/);
  },
);
