/**
 * Habits of devices that answer in HTTP at the printer's address, before IPP. The answers are in `../web-answers.ts`.
 * Each source was checked.
 */
import type { HabitTable } from '../../habit-table.ts';

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
