/** Counts the page objects of a PDF while its bytes pass by. Page objects in compressed streams are not seen. */

export interface PdfPages {
  take(bytes: Uint8Array): void;
  /** Gives `undefined` if no page was seen: the file is not a PDF, or it is compressed. */
  count(): number | undefined;
}

const pageObject = /\/Type\s*\/Page[^A-Za-z]$/s;
const name = '/Page';
/** Octets before and after the name that the pattern needs. */
const before = 16;
const behind = 1;

export function pdfPages(): PdfPages {
  let kept = Buffer.alloc(0);
  /** `offset` is the place of the kept bytes in the document. `unread` is the place where the search continues. */
  let offset = 0;
  let unread = 0;
  let count = 0;
  return {
    take(bytes) {
      const all = Buffer.concat([kept, bytes]);
      const last = all.length - name.length - behind;
      for (
        let at = all.indexOf(name, unread - offset);
        at >= 0 && at <= last;
        at = all.indexOf(name, at + 1)
      ) {
        const around = all.subarray(Math.max(0, at - before), at + name.length + behind);
        if (pageObject.test(around.toString('latin1'))) count += 1;
      }
      unread = Math.max(unread, offset + last + 1);
      const keptFrom = Math.max(0, last + 1 - before);
      offset += keptFrom;
      kept = all.subarray(keptFrom);
    },
    count: () => (count === 0 ? undefined : count),
  };
}
