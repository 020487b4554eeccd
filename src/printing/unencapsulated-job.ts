/**
 * Watches a document for the operators by which PostScript changes the printer for all that come after: it leaves its job
 * (PLRM 3 section 3.7.7, "unencapsulated job") or sets parameters that last (section C.3). They are looked for by their
 * names, in all of the document: what a program computes only when it runs, nobody sees from outside.
 */
export interface JobLeaving {
  see(octets: Buffer): void;
  isMet(): boolean;
}

const names = ['exitserver', 'startjob', 'setsystemparams', 'setdevparams'];
const operators = names.map((name) => Buffer.from(name));
const longest = Math.max(...operators.map(({ length }) => length));

/** `/myexitserver` and `%%BeginExitServer` are other names. */
const asName = new RegExp(`(?<=\\W)(${names.join('|')})\\b`);

export function jobLeaving(): JobLeaving {
  let isMet = false;
  /** No longer than a name: one that begins with it, and has nothing before it, was seen already. */
  let seam: Buffer = Buffer.from(' ');

  return {
    see(octets) {
      if (isMet) return;
      const part = Buffer.concat([seam, octets]);
      isMet = holdsOperator(part);
      seam = Buffer.from(part.subarray(Math.max(0, part.length - longest)));
    },
    isMet: () => isMet,
  };
}

/** Most parts hold none, which is told fast. */
const holdsOperator = (part: Buffer): boolean =>
  operators.some((name) => part.includes(name)) && asName.test(part.toString('latin1'));
