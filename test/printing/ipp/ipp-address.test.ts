import { describe, expect, it } from 'vitest';
import { printerUri } from '../../../src/config/schema/printer.ts';
import { ippAddress } from '../../../src/printing/ipp/wire/ipp-address.ts';
import { socketAddress } from '../../../src/printing/raw/socket-connection.ts';

describe('the address of a printer', () => {
  it.each([
    ['ipp://10.0.0.7/ipp/print', 'http://10.0.0.7:631', '/ipp/print'],
    ['ipp://printer.example:8631/a?b=c', 'http://printer.example:8631', '/a?b=c'],
    ['ipps://[fe80::1]/ipp/print', 'https://[fe80::1]:631', '/ipp/print'],
    ['ipps://printer.example:443', 'https://printer.example:443', '/'],
  ])('%s is asked at %s, path %s (RFC 3510, RFC 7472)', (uri, origin, path) => {
    expect(ippAddress(uri)).toMatchObject({ uri, origin, path });
  });

  it.each([
    'http://10.0.0.7/ipp/print',
    'ipp:///ipp/print',
    'ipp:10.0.0.7',
    'socket://10.0.0.7',
    '10.0.0.7',
    '',
  ])('%j is refused', (uri) => {
    expect(() => ippAddress(uri)).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  });

  it.each(['ipp://[fe80::1%25eth0]/ipp/print', 'ipps://[fe80::1%eth0]:631/'])(
    '%s names a zone, which is said with what to write',
    (uri) => {
      expect(() => ippAddress(uri)).toThrow(/contains a zone.*Write the name/);
      expect(() => socketAddress(uri.replace(/^ipps?/, 'socket'))).toThrow(/contains a zone.*Write the name/);
      expect(printerUri.safeParse(uri).error?.issues.map(({ message }) => message)).toEqual([
        expect.stringMatching(/contains a zone.*Write the name/),
      ]);
    },
  );

  it('carries no credentials, and shows none in the refusal (I5)', () => {
    expect(() => ippAddress('ipp://anna:hunter2@10.0.0.7/')).toThrow(/no user name/);
    expect(() => ippAddress('ipp://anna:hunter2@10.0.0.7/')).not.toThrow(/hunter2/);
  });
});
