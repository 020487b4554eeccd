/**
 * Plain text files as one tar archive in the ustar format (POSIX.1-2017, pax, "ustar Interchange Format"), which every
 * tar can read. Short names and small files need 40 lines here, and a gateway needs no further dependency.
 */

export interface TarFile {
  /** At most 100 octets, printable ASCII only. */
  readonly name: string;
  readonly text: string;
}

const block = 512;

export function tarOf(files: readonly TarFile[], { modifiedAt }: { readonly modifiedAt: number }): Buffer {
  const parts = files.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text);
    const padding = Buffer.alloc((block - (bytes.length % block)) % block);
    return [headerOf(name, { length: bytes.length, modifiedAt }), bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** `modifiedAt` in milliseconds since 1970. */
function headerOf(name: string, { length, modifiedAt }: { length: number; modifiedAt: number }): Buffer {
  const header = Buffer.alloc(block);
  header.write(name, 0, 100, 'latin1');
  header.write(octal(0o600, 8), 100, 'latin1');
  header.write(octal(0, 8), 108, 'latin1');
  header.write(octal(0, 8), 116, 'latin1');
  header.write(octal(length, 12), 124, 'latin1');
  header.write(octal(Math.floor(modifiedAt / 1000), 12), 136, 'latin1');
  // The checksum is computed with blanks in its own field.
  header.write(' '.repeat(8), 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, octet) => total + octet, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return header;
}

const octal = (value: number, field: number): string => `${value.toString(8).padStart(field - 1, '0')}\u0000`;
