/**
 * What a printer says in PJL over its back-channel (PJL Technical Reference, "Status readback commands" and "Job
 * separation commands"): lines up to a form feed, made a type once. Only what Platen acts on is kept; DISPLAY, the
 * printer's own text, never is. Nothing is trusted: see the caps (INVARIANTS.md T14).
 */
export type PjlMessage =
  /** INFO STATUS, which is an answer, and USTATUS DEVICE. `online` where it was said. */
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
      /** Of END: `OK`, or why the job was cancelled; empty where it was not said. */
      readonly result: string;
    }
  /** USTATUS PAGE: so many pages of the present job are out. */
  | { readonly kind: 'page'; readonly page: number };

export interface PjlEar {
  hear(octets: Buffer): void;
  /** The other side has ended: what stands there without a form feed was its last message. */
  end(): void;
  /** What was said so far was worth it: as much again is listened to. */
  refill(): void;
}

const longestLine = 4096;
const mostLines = 32;
const mostOctets = 64 * 1024;

/** Past a cap it is deaf: a printer that says no PJL, or no end of it, says nothing. */
export function pjlEar(onMessage: (message: PjlMessage) => void): PjlEar {
  let heard = 0;
  let isDeaf = false;
  let line = '';
  let lines: string[] = [];

  function endLine(): void {
    const said = line.trim();
    line = '';
    // Some leave the form feed out, and begin anew.
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
