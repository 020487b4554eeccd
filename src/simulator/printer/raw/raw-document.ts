/**
 * Splits the data of a raw connection into PJL and document. A line that does not follow the PJL Technical Reference is
 * a deviation.
 */
export interface RawDocument {
  /** The PJL lines before and after the document. */
  readonly pjl: readonly string[];
  /** From `JOB NAME`; empty if there was none. */
  readonly jobName: string;
  readonly document: Buffer;
  /** One sentence each. */
  readonly deviations: readonly string[];
}

const universalExit = '\u001b%-12345X';

const lineShapes = [
  /^@PJL$/,
  /^@PJL USTATUS (JOB|PAGE|DEVICE)=ON$/,
  /^@PJL USTATUSOFF$/,
  /^@PJL INFO STATUS$/,
  /^@PJL (JOB|EOJ) NAME="[ !#-~]{1,80}"$/,
  /^@PJL SET COPIES=[1-9]\d{0,2}$/,
  /^@PJL SET DUPLEX=(ON|OFF)$/,
  /^@PJL SET BINDING=(LONGEDGE|SHORTEDGE)$/,
  /^@PJL SET RENDERMODE=GRAYSCALE$/,
  /^@PJL ENTER LANGUAGE=(PDF|PCLXL|POSTSCRIPT)$/,
];

const telling = '@PJL USTATUS JOB=ON\r\n@PJL USTATUS PAGE=ON\r\n@PJL USTATUS DEVICE=ON\r\n';
const inquiries = ['', telling].flatMap((echo) =>
  ['', '@PJL USTATUSOFF\r\n'].map(
    (end) => `${universalExit}@PJL\r\n${echo}@PJL INFO STATUS\r\n${end}${universalExit}`,
  ),
);
const longestInquiry = 200;

/** A status question or its beginning, without a document. */
export const isInquiry = (received: Buffer): boolean =>
  received.length > 0 &&
  inquiries.some((one) => one.startsWith(received.toString('latin1', 0, longestInquiry)));

/** With PJL, the job ends at EOJ. Without PJL, it ends at the document's own end mark. */
export function hasJobEnded(received: Buffer): boolean {
  const begins = received.toString('latin1', 0, universalExit.length).startsWith(universalExit);
  const end = received.toString('latin1', Math.max(0, received.length - longestInquiry));
  return begins ? /@PJL EOJ NAME="[^"]*"\r\n$/.test(end) : /%%EOF\s*$/.test(end);
}

/** `isWhole`: the sender ended in order. */
export function readRawDocument(received: Buffer, isWhole: boolean): RawDocument {
  if (!received.toString('latin1', 0, universalExit.length).startsWith(universalExit)) {
    return { pjl: [], jobName: '', document: received, deviations: [] };
  }
  const text = received.toString('latin1');
  const entered = /@PJL ENTER LANGUAGE=[^\n]*\n/.exec(text);
  const begin = entered ? entered.index + entered[0].length : text.length;
  const exit = text.indexOf(universalExit, begin);
  const end = exit < 0 ? text.length : exit;
  const before = text.slice(universalExit.length, begin);
  const after = text.slice(end + universalExit.length);
  const pjl = [...before.split('\r\n'), ...after.split('\r\n')].filter((line) => line !== '');
  const jobName = /^@PJL JOB NAME="(.*)"$/m.exec(before.replaceAll('\r', ''))?.[1] ?? '';
  return {
    pjl,
    jobName,
    document: received.subarray(begin, end),
    deviations: isWhole ? deviationsOf(pjl, { isEntered: entered !== null, exits: countExits(text) }) : [],
  };
}

const countExits = (text: string): number => text.split(universalExit).length - 1;

function deviationsOf(pjl: readonly string[], { isEntered, exits }: { isEntered: boolean; exits: number }) {
  const odd = pjl.filter((line) => !lineShapes.some((shape) => shape.test(line)));
  return [
    ...odd.map((line) => `a line that is no PJL of a print job: ${JSON.stringify(line)}`),
    ...(isEntered ? [] : ['PJL that enters no language']),
    ...(exits === 2 ? [] : [`${exits} UEL where one before and one after the document belong`]),
  ];
}
