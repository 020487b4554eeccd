import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { isProblem } from '../../src/domain/problem/problem.ts';
import type { AddressGuardOptions } from '../../src/printing/address-guard.ts';
import { createAddressGuard } from '../../src/printing/address-guard.ts';

const ports = [
  { first: 631, last: 631 },
  { first: 443, last: 443 },
  { first: 9100, last: 9109 },
];
const everywhere = ['0.0.0.0/0', '::/0'];

function guardFor(allow: readonly string[], options: Partial<AddressGuardOptions> = {}) {
  const network = { allow, ports, schemes: ['ipp', 'ipps', 'socket'] } as const;
  return createAddressGuard({ network, own: () => ['10.0.0.1', '2001:db8::1'], ...options });
}

/** The reason of the refusal, or the address as it would be used. */
function verdict(uri: string, allow: readonly string[] = everywhere): string {
  try {
    return guardFor(allow).vet(uri);
  } catch (error) {
    if (isProblem(error, 'printer-address-refused') && error.delivery === 'not-sent') return error.message;
    throw error;
  }
}

describe('a printer address from the cloud (D9, T11)', () => {
  it.each([
    ['ipp://10.0.0.7/ipp/print', 'ipp://10.0.0.7:631/ipp/print'],
    ['IPPS://Printer.Example/a?b=c', 'ipps://printer.example:631/a?b=c'],
    ['http://10.0.0.7:631/ipp/print', 'ipp://10.0.0.7:631/ipp/print'],
    ['https://10.0.0.7/ipp/print', 'ipps://10.0.0.7:443/ipp/print'],
    ['socket://10.0.0.7', 'socket://10.0.0.7:9100/'],
    ['ipp://[2001:DB8:0::7]/', 'ipp://[2001:db8::7]:631/'],
  ])('%s is used as %s', (uri, used) => {
    expect(verdict(uri)).toBe(used);
  });

  it.each([
    ['ipp://127.0.0.1/', /loopback/],
    ['ipp://127.255.1.2/', /loopback/],
    ['ipp://[::1]/', /loopback/],
    ['ipp://169.254.169.254/', /metadata/],
    ['ipp://169.254.1.1/', /link-local/],
    ['ipp://[fe80::1]/', /link-local/],
    ['ipp://224.0.0.251/', /multicast/],
    ['ipp://[ff02::fb]/', /multicast/],
    ['ipp://255.255.255.255/', /broadcast/],
    ['ipp://0.0.0.0/', /none/],
    ['ipp://0.1.2.3/', /none/],
    ['ipp://[::]/', /none/],
    ['ipp://10.0.0.1/', /own address/],
    ['ipp://[2001:db8::1]/', /own address/],
    ['ipp://[::ffff:10.0.0.7]/', /form of IPv6/],
    ['ipp://[::ffff:7f00:1]/', /form of IPv6/],
    ['ipp://[::10.0.0.7]/', /form of IPv6/],
    ['ipp://[64:ff9b::10.0.0.7]/', /form of IPv6/],
    ['ipp://[2002:a00:7::]/', /form of IPv6/],
  ])('%s is refused wherever printers may be', (uri, reason) => {
    expect(verdict(uri)).toMatch(reason);
  });

  it.each([
    'http://2130706433:631',
    'ipp://0x7f.1/',
    'ipp://0x7f000001/',
    'ipp://0177.0.0.1/',
    'ipp://10.0.7/',
    'ipp://010.0.0.7/',
    'ipp://127.0.0.1./',
    'ipp://127%2e0.0.1/',
    'ipp://%31%32%37.0.0.1/',
    'ipp://[fe80::1%25eth0]/',
    'ipp://-printer/',
    'ipp:///ipp/print',
  ])('%s is refused: no host is written so', (uri) => {
    expect(verdict(uri)).toMatch(/its host is neither|it is not an address/);
  });

  it.each([
    ['ftp://10.0.0.7/', /not an address like/],
    ['file:///etc/passwd', /not an address like/],
    ['ipp:10.0.0.7', /not an address like/],
    [' ipp://10.0.0.7/', /not an address like/],
    ['ipp://10.0.0.7/\n', /not an address like/],
    ['ipp://１２７.0.0.1/', /not an address like/],
    ['ipp://anna:hunter2@10.0.0.7/', /^it carries a user name$/],
    ['ipp://10.0.0.7\\@10.0.0.8/', /user name/],
    ['ipp://10.0.0.7/#@10.0.0.8', /fragment/],
    ['ipp://10.0.0.7:22/', /port 22 is not/],
    ['http://10.0.0.7/', /port 80 is not/],
    ['ipp://10.0.0.7:9110/', /port 9110 is not/],
  ])('%j is refused', (uri, reason) => {
    expect(verdict(uri)).toMatch(reason);
  });

  it('is allowed in the networks of the administrator only', () => {
    expect(verdict('ipp://10.1.0.7/', ['10.0.0.0/24', 'fd00::/8'])).toMatch(/in no network/);
    expect(verdict('ipp://[2001:db8::7]/', ['0.0.0.0/0'])).toMatch(/in no network/);
    expect(verdict('ipp://[fd00::7]/', ['10.0.0.0/24', 'fd00::/8'])).toBe('ipp://[fd00::7]:631/');
  });

  it('is a loopback address only where the administrator names it', () => {
    expect(verdict('ipp://127.0.0.1/', ['127.0.0.1/32'])).toBe('ipp://127.0.0.1:631/');
    expect(verdict('ipp://127.0.0.9/', ['0.0.0.0/0', '127.0.0.1/32'])).toMatch(/loopback/);
  });

  it('has a scheme the administrator allows', () => {
    const guard = createAddressGuard({ network: { allow: everywhere, ports, schemes: ['ipps'] } });
    expect(() => guard.vet('ipp://10.0.0.7/')).toThrow(/ipp is not in printerNetwork.schemes/);
  });
});

describe('a name', () => {
  const lookUp = (addresses: readonly string[], all: boolean): Promise<unknown> => {
    const resolve = async (): Promise<LookupAddress[]> =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const { lookup } = guardFor(['10.0.0.0/24'], { resolve });
    return new Promise((done, fail) =>
      lookup('printer.example', { all }, (error, found) => (error ? fail(error) : done(found))),
    );
  };

  it('leads to its addresses', async () => {
    expect(await lookUp(['10.0.0.7', '10.0.0.8'], true)).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: '10.0.0.8', family: 4 },
    ]);
    expect(await lookUp(['10.0.0.7', '10.0.0.8'], false)).toBe('10.0.0.7');
  });

  it.each([['127.0.0.1'], ['169.254.169.254'], ['10.0.1.7'], ['::ffff:10.0.0.7'], ['fe80::1%eth0']])(
    'leads nowhere when one of its addresses is %s',
    async (address) => {
      await expect(lookUp(['10.0.0.7', address], true)).rejects.toMatchObject({
        code: 'printer-address-refused',
        delivery: 'not-sent',
      });
    },
  );
});
