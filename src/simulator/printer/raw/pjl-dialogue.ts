/**
 * The PJL of the virtual raw printer: what it hears and what it answers (PJL Technical Reference, "Status readback
 * commands"). It answers like a real printer, or as a test orders. By default it is mute.
 */
import type { Socket } from 'node:net';

export type SocketPrinterVoice =
  /** Never answers. */
  | { readonly kind: 'mute' }
  /** Answers, counts pages and reports the job's end. `code` is its status, by default 10001 (ready). */
  | { readonly kind: 'talks'; readonly code?: number; readonly online?: boolean; readonly pages?: number }
  /** Reports jobs, but answers no question. */
  | { readonly kind: 'tells' }
  /** Answers questions, but reports no jobs. */
  | { readonly kind: 'answers' }
  /** Reports the job's start and then a jam, and nothing more. */
  | { readonly kind: 'jams' }
  /** Reports that the job was cancelled at the printer after this many pages. */
  | { readonly kind: 'cancels'; readonly pages: number }
  /** Reports the job's start and closes, without reporting its end. */
  | { readonly kind: 'leaves' }
  /** Reports only the end of another user's job. */
  | { readonly kind: 'ends-another' }
  /** Reports only jobs and pages of others. */
  | { readonly kind: 'talks-of-others' }
  /** Sends these octets `count` times. */
  | { readonly kind: 'babbles'; readonly octets: Buffer; readonly count: number };

interface Conversation {
  /** Takes the new octets of this connection. */
  hear(octets: Buffer): void;
  /** Whether the printer closes although the sender has not ended. */
  hasLeft(): boolean;
}

const message = (...lines: readonly string[]): string => `${lines.map((line) => `${line}\r\n`).join('')}\f`;

const status = (topic: string, code: number, online = code < 40_000): string =>
  message(topic, `CODE=${code}`, 'DISPLAY="as it is"', `ONLINE=${online ? 'TRUE' : 'FALSE'}`);

const job = (event: string, ...fields: readonly string[]): string =>
  message('@PJL USTATUS JOB', event, ...fields);

/** PJL comes before and after a document, so only this much of the beginning and of the latest octets is kept. */
const heardOfBeginning = 8192;
const heardOfLatest = 1024;

const jammed = 42_102;
const another = 'NAME="Other.pdf [00000000]"';

export function converse(socket: Socket, voice: SocketPrinterVoice): Conversation {
  const said = new Set<string>();
  let beginning = '';
  let latest = '';
  const say = (text: string | Buffer) => {
    if (socket.writable) socket.write(text);
  };
  /** Answers when a mark is seen for the first time. */
  const at = (text: string, mark: string, answer: () => void) => {
    if (said.has(mark) || !text.includes(mark)) return;
    said.add(mark);
    answer();
  };

  function babble({ octets, count }: SocketPrinterVoice & { kind: 'babbles' }, left = count): void {
    if (left > 0 && socket.writable)
      socket.write(octets, () => babble({ kind: 'babbles', octets, count }, left - 1));
  }

  function hear(octets: Buffer): void {
    if (voice.kind === 'mute') return;
    const come = octets.toString('latin1');
    const text = beginning + latest + come;
    const room = heardOfBeginning - beginning.length;
    beginning += come.slice(0, room);
    latest = (latest + come.slice(room)).slice(-heardOfLatest);
    if (voice.kind === 'babbles') {
      at(text, '@PJL', () => babble(voice));
      return;
    }
    const { code = 10_001, online } = voice.kind === 'talks' ? voice : {};
    if (voice.kind !== 'tells')
      at(text, '@PJL INFO STATUS', () => say(status('@PJL INFO STATUS', code, online)));
    if (voice.kind === 'answers' || !text.includes('@PJL USTATUS JOB=ON')) return;
    if (voice.kind === 'talks-of-others') {
      at(text, '@PJL ENTER LANGUAGE', () => say(job('START', another) + message('@PJL USTATUS PAGE', '1')));
      at(text, '@PJL EOJ', () => say(message('@PJL USTATUS PAGE', '2')));
      return;
    }
    const name = `NAME="${/@PJL JOB NAME="([^"]*)"/.exec(text)?.[1] ?? ''}"`;
    at(text, '@PJL ENTER LANGUAGE', () => {
      if (voice.kind !== 'ends-another') say(job('START', name));
      if (voice.kind === 'jams') say(status('@PJL USTATUS DEVICE', jammed));
      if (voice.kind === 'cancels') say(job('CANCELED', name));
    });
    at(text, '@PJL EOJ', () => tellEnd(name));
  }

  function tellEnd(name: string): void {
    switch (voice.kind) {
      case 'tells':
      case 'talks': {
        const { pages = 1 } = voice.kind === 'talks' ? voice : {};
        for (let page = 1; page <= pages; page += 1) say(message('@PJL USTATUS PAGE', String(page)));
        say(job('END', name, `PAGES=${pages}`, 'RESULT=OK'));
        return;
      }
      case 'cancels':
        say(job('END', name, `PAGES=${voice.pages}`, 'RESULT=USER_CANCELED'));
        return;
      case 'ends-another':
        say(job('END', another, 'PAGES=1', 'RESULT=OK'));
        return;
      default:
    }
  }

  return { hear, hasLeft: () => voice.kind === 'leaves' && said.has('@PJL EOJ') };
}

interface RawDocument {
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

/**
 * Splits the data of a raw connection into PJL and document. A line that does not follow the PJL Technical Reference
 * is a deviation. `isWhole`: the sender ended in order.
 */
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
