/**
 * Habits of devices that answer at the printer's address, and not as the printer: HTTP has the word before IPP. A table,
 * and what each says. Each source was looked up.
 */
import type { IncomingMessage } from 'node:http';
import type { HabitTable } from '../habit-table.ts';
import type { PrinterContext } from './context.ts';

const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;

export const webHabits = {
  'wants-tls': {
    does: 'requests without TLS are answered 426, every one or those with a document alone',
    who: 'CUPS with Encryption Required for all or for Send-Document',
    source: issue('apple/cups', 4125),
    value: { means: 'all or documents', form: /^(?:all|documents)$/, usual: 'all' },
  },
  'sends-elsewhere': {
    does: 'requests are answered by a redirect: to TLS, to another path or to another host',
    who: 'Kyocera ECOSYS P4060dn: 307 to a client of IPP; HP with HTTPS enforced',
    source: 'https://github.com/gmuth/ipp-client-kotlin/pull/28',
    value: { means: 'tls, path or host', form: /^(?:tls|path|host)$/, usual: 'tls' },
  },
  'other-path': {
    does: 'the printer is at this path alone, and 404 is said of every other',
    who: 'OKI C822: 404 at /ipp/print; Dell C2665dnf: /ipp; Epson ET-2550: 404 at /ipp/printer',
    source: issue('ctalkington/python-ipp', 515),
    value: { means: 'the path', form: /^\/[\w./-]*$/, usual: '/ipp' },
  },
  'missing-queue': {
    does: 'the printer is at this path alone, and client-error-not-found is said of every other',
    who: 'CUPS, of a queue that it does not have',
    source: issue('OpenPrinting/cups', 586),
    value: { means: 'the path', form: /^\/[\w./-]*$/, usual: '/printers/office' },
  },
  'no-printer': {
    does: 'there is no printer at any path: each request is answered by this status',
    who: 'Canon MF210: 404, and 406 at other paths',
    source: issue('BenoitDuffez/AndroidCupsPrint', 36),
    value: { means: '404, 405, 406, 410, 415 or 501', form: /^(?:404|405|406|410|415|501)$/, usual: '404' },
  },
  'web-page': {
    does: 'requests are answered 200 with a page of HTML, or with nothing at all',
    who: 'devices whose IPP is switched off, and networks that want a login first',
    source: issue('ctalkington/python-ipp', 96),
    value: { means: 'html or nothing', form: /^(?:html|nothing)$/, usual: 'html' },
  },
} as const satisfies HabitTable;

/** Where the printer is, if not at the usual path. */
export const ownPath = (habits: PrinterContext['habits']): string | undefined =>
  habits.value('other-path') ?? habits.value('missing-queue');

export interface WebAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const upgrade: WebAnswer = { status: 426, headers: { upgrade: 'TLS/1.2', connection: 'upgrade' } };

/** What is said before anything of the request is read; `undefined`: the printer has the word. */
export function saidByWeb({ habits, settings }: PrinterContext, { url }: IncomingMessage) {
  const { host, pathname } = new URL(settings.uri);
  const missing = habits.number('no-printer');
  const page = habits.value('web-page');
  const target = targets(host)[habits.value('sends-elsewhere') ?? ''];
  if (habits.value('wants-tls') === 'all') return upgrade;
  if (target !== undefined) return { status: 307, headers: { location: target } };
  if (missing !== undefined) return { status: missing };
  if (page !== undefined) return pages[page];
  return habits.has('other-path') && !url?.startsWith(pathname) ? { status: 404 } : undefined;
}

/** CUPS answers in IPP that it has no such queue, before it looks at more of the request. */
export const isElsewhere = ({ habits, settings }: PrinterContext, { url }: IncomingMessage): boolean =>
  habits.has('missing-queue') && !url?.startsWith(new URL(settings.uri).pathname);

/** What is said to a document. */
export const saidToDocument = ({ habits }: PrinterContext): WebAnswer | undefined =>
  habits.value('wants-tls') === 'documents' ? upgrade : undefined;

/** What is said in HTTP alone where this is asked; `closes`: the connection ends, and nothing is said. */
export function saidToQuestion(
  { habits }: PrinterContext,
  operation: string | undefined,
): WebAnswer | 'closes' | undefined {
  const refusals: Readonly<Record<string, string | undefined>> = {
    'Get-Job-Attributes': habits.value('refuses-job-questions'),
    'Validate-Job': habits.value('refuses-validation'),
  };
  const how = refusals[operation ?? ''] ?? '';
  if (how === 'closes') return how;
  return how.startsWith('http-') ? { status: Number(how.slice('http-'.length)) } : pages[how];
}

const targets = (host: string): Readonly<Record<string, string>> => ({
  tls: `https://${host}/`,
  path: '/ipp/faxout',
  host: 'http://192.0.2.1:631/ipp/print',
});

const pages: Readonly<Record<string, WebAnswer>> = {
  html: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><title>Home</title><p>Welcome.',
  },
  nothing: { status: 200 },
};
