/** Counts the page objects of a PDF while its bytes pass by, as far as they are not packed; nothing else is understood. */

export interface PdfPages {
  take(bytes: Uint8Array): void;
  /** `undefined` where none was seen: it is no PDF, or a packed one. */
  count(): number | undefined;
}

const pageObject = /\/Type\s*\/Page[^A-Za-z]$/s;
const name = '/Page';
/** Octets before and behind the name that belong to what is looked for. */
const before = 16;
const behind = 1;

export function pdfPages(): PdfPages {
  let kept = Buffer.alloc(0);
  /** Where what is kept begins in the document, and from where on names are new. */
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
