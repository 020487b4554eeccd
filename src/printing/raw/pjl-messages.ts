/**
 * Reads what a printer sends in PJL over its back-channel (PJL Technical Reference, "Status readback commands" and "Job
 * separation commands"). Only parts that Platen acts on are kept, and never DISPLAY, the printer's own text. The input
 * is not trusted, hence the caps (INVARIANTS.md T14). A message is:
 *
 * +----------------------------------------+----------------------------------+-----------+
 * |  "@PJL" SP kind SP detail [CR] LF      |  name [ "=" value ] [CR] LF      |  FF       |
 * +----------------------------------------+----------------------------------+-----------+
 * |  INFO STATUS, USTATUS DEVICE, JOB or   |  any number of these lines, such |  1 octet  |
 * |  PAGE                                  |  as CODE=10001 or START          |           |
 */

export type PjlMessage =
  /** INFO STATUS, which is an answer, or USTATUS DEVICE. `online` is set if the printer told it. */
  | {
      readonly kind: 'device';
      readonly code: number;
      readonly online: boolean | undefined;
      readonly isAnswer?: true;
    }
  | {
      readonly kind: 'job';
      readonly event: 'START' | 'END' | 'CANCELED';
      readonly name: string;
      readonly pages: number | undefined;
      /** For END: `OK`, or why the job was cancelled; empty if the printer did not tell. */
      readonly result: string;
    }
  /** USTATUS PAGE: this many pages of the present job are out. */
  | { readonly kind: 'page'; readonly page: number };

interface PjlEar {
  hear(octets: Buffer): void;
  /** The other side has ended: text without a form feed was its last message. */
  end(): void;
  /** The messages so far were useful, so the cap begins anew. */
  refill(): void;
}

const longestLine = 4096;
const mostLines = 32;
const mostOctets = 64 * 1024;

/** After a cap everything is ignored: such a printer sends no PJL, or does not end its message. */
export function pjlEar(onMessage: (message: PjlMessage) => void): PjlEar {
  let heard = 0;
  let isDeaf = false;
  let line = '';
  let lines: string[] = [];

  function endLine(): void {
    const said = line.trim();
    line = '';
    // Some printers leave the form feed out and begin the next message.
    if (said.startsWith('@PJL')) endMessage();
    if (said !== '' && lines.length < mostLines) lines.push(said);
  }

  function endMessage(): void {
    const message = messageOf(lines);
    lines = [];
    if (message) onMessage(message);
  }

  function hear(octets: Buffer): void {
    heard += octets.length;
    isDeaf ||= heard > mostOctets;
    if (isDeaf) return;
    for (const piece of octets.toString('latin1').split(/([\r\n\f])/)) {
      if (piece === '\r' || piece === '\n') endLine();
      else if (piece === '\f') {
        endLine();
        endMessage();
      } else line += piece;
      isDeaf ||= line.length > longestLine;
    }
  }

  return {
    hear,
    end() {
      if (isDeaf) return;
      endLine();
      endMessage();
    },
    refill() {
      heard = 0;
    },
  };
}

function messageOf([first = '', ...lines]: readonly string[]): PjlMessage | undefined {
  const fields = new Map(lines.map(fieldOf));
  switch (first.replaceAll(/\s/g, ' ')) {
    case '@PJL INFO STATUS':
    case '@PJL USTATUS DEVICE': {
      const code = count(fields.get('CODE'));
      const online = fields.get('ONLINE')?.toUpperCase();
      return code === undefined
        ? undefined
        : {
            kind: 'device',
            code,
            online: online === undefined ? undefined : online === 'TRUE',
            ...(first.includes('INFO') ? { isAnswer: true } : {}),
          };
    }
    case '@PJL USTATUS JOB': {
      const event = (['START', 'END', 'CANCELED'] as const).find((word) => fields.has(word));
      if (event === undefined) return undefined;
      const name = /^"(.*)"$/.exec(fields.get('NAME') ?? '')?.[1] ?? '';
      return {
        kind: 'job',
        event,
        name,
        pages: count(fields.get('PAGES')),
        result: fields.get('RESULT') ?? '',
      };
    }
    case '@PJL USTATUS PAGE': {
      const page = count(lines[0]);
      return page === undefined ? undefined : { kind: 'page', page };
    }
    default:
      return undefined;
  }
}

function fieldOf(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0
    ? [line.toUpperCase(), '']
    : [line.slice(0, at).trim().toUpperCase(), line.slice(at + 1).trim()];
}

const count = (text = ''): number | undefined => (/^\d{1,7}$/.test(text) ? Number(text) : undefined);

export interface PjlDevice {
  readonly state: 'idle' | 'processing' | 'stopped';
  /** What keeps a page from coming out; empty when the printer is ready. */
  readonly obstacles: readonly string[];
  /**
   * It may print in spite of this: the message contradicts itself (it needs a person, but is online), or is about
   * something that the next document may not need.
   */
  readonly isDoubtful?: true;
}

/** 10xxx: the printer is well; in these states it prints. */
const printing: ReadonlySet<number> = new Set([10_022, 10_023, 10_024, 10_028, 10_029]);

/** 40xxx: a person is needed. A code with several causes stands for the most common one. */
const attendance: Readonly<Record<number, readonly string[]>> = {
  // Asleep; a job wakes it.
  40_000: [],
  40_010: ['marker-supply-missing'],
  40_017: ['marker-supply-missing'],
  40_019: ['output-area-full'],
  40_020: ['input-tray-missing'],
  40_021: ['cover-open'],
  40_022: ['media-jam'],
  40_027: ['input-tray-missing'],
  40_028: ['input-tray-missing'],
  40_029: ['output-tray-missing'],
  40_038: ['toner-empty'],
  40_050: ['marker-fuser-missing'],
  40_079: ['offline'],
  40_096: ['door-open'],
};

/** By the thousands of the code; below 40 it prints or goes on by itself. */
const ranges: Readonly<Record<number, readonly string[]>> = {
  // Foreground paper loading: no other source has the paper.
  41: ['media-needed'],
  42: ['media-jam'],
  // External paper handling.
  43: ['output-tray-missing'],
  44: ['media-jam'],
};

const readyOffline = 10_002;

/**
 * Translates a PJL status code into printer-state-reasons (RFC 8011 section 5.4.12, PWG 5100.9), so that people read
 * the same sentences as for IPP. Codes and ranges: PJL Technical Reference, Appendix D, "PJL Status Codes", and
 * further codes on which manufacturers agree.
 */
export function pjlDevice(code: number, online: boolean | undefined): PjlDevice {
  const obstacles = obstaclesOf(code, online);
  const isDoubtful = online === true || code < 40_000 || Math.floor(code / 1000) === 41;
  if (obstacles.length > 0) {
    return { state: 'stopped', obstacles, ...(isDoubtful && code !== readyOffline ? { isDoubtful } : {}) };
  }
  return { state: printing.has(code) ? 'processing' : 'idle', obstacles };
}

function obstaclesOf(code: number, online: boolean | undefined): readonly string[] {
  const thousands = Math.floor(code / 1000);
  if (code === readyOffline) return ['offline'];
  // The printer says that it is ready, although some always add that they are not online.
  if (thousands <= 10) return [];
  // 11xxx, 12xxx: one of several paper sources · 20xxx…27xxx: the parser · 30xxx: continues by itself · 35xxx: may need
  // a person. As long as it is online, it prints.
  if (thousands < 40) return online === false ? ['offline'] : [];
  // It wants paper for one tray, and still prints on the paper that it has.
  if (thousands === 41 && online === true) return [];
  return attendance[code] ?? ranges[thousands] ?? ['other'];
}
