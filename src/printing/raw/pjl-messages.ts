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

export interface PjlEar {
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
