/** What a terminal shows in each of its situations. */
import type { AccountView } from '../../src/domain/terminal/account-view.ts';
import type {
  DocumentView,
  NamedPrinterView,
  OutageView,
  PrinterView,
} from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { qrOf } from '../../src/kiosk/server/qr.ts';

export const idle: Frame = {
  generation: 1,
  state: 'prompting',
  sentence: 'Hold your card to the reader.',
  waiting: 0,
  printer: { lamp: 'ready' },
  sign: { printer: 'Lobby', place: 'Second floor, beside the lifts' },
  offers: ['short-id', 'password'],
};

export const documentOf = (place: number, more: Partial<DocumentView> = {}): DocumentView => ({
  uuid: `document-${place}`,
  name: `Document ${place}`,
  pages: (place % 7) + 1,
  copies: 1,
  color: place % 2 === 0,
  sides: 'two-sided-long-edge',
  standing: 'releasable',
  ...more,
});

const documents: readonly DocumentView[] = [
  documentOf(1, { name: 'Travel request March.pdf', cost: '0.40', fits: true }),
  documentOf(2, { name: 'Minutes of the safety committee.docx', copies: 12, cost: '6.00', fits: false }),
  documentOf(3, { name: 'Boarding pass.pdf', sides: 'one-sided', standing: 'may-have-printed' }),
  documentOf(4, { name: 'Quarterly figures.xlsx', standing: 'unavailable' }),
  documentOf(5, { name: 'Lecture 7, Thermodynamics.pdf', pages: 48, cost: '2.40', fits: true }),
];

const session: Frame = {
  generation: 3,
  state: 'choosing',
  sentence: 'Your documents.',
  waiting: 3,
  printer: { lamp: 'ready' },
  fullName: 'Ada Lovelace',
  endsInSeconds: 60,
  askAbovePages: 50,
};

export const choosing: Frame = {
  ...session,
  documents,
  balance: { balance: '3.20', cost: '2.80', fitting: 2, tooDear: 1, costs: [] },
  mayHavePrinted: [{ documentUuid: 'document-3', at: '2026-03-02T08:41:00Z' }],
};

const away: PrinterView = { lamp: 'unreachable' };
const others: readonly NamedPrinterView[] = [
  { name: 'Color, A3', is: { lamp: 'ready' } },
  { name: 'Second floor, in the kitchen beside the lifts', is: { lamp: 'needs-attention', needs: 'paper' } },
];
const named: readonly NamedPrinterView[] = [{ name: 'Lobby', is: { lamp: 'ready' } }, ...others];
const atSeveral: Frame = { ...choosing, printers: named };

export const longList = (count: number): Frame => ({
  ...session,
  waiting: count,
  documents: Array.from({ length: count }, (_, place) => documentOf(place + 1)),
});

export const releasing: Frame = {
  ...session,
  state: 'releasing',
  documents: [
    documentOf(1, { name: 'Travel request March.pdf', standing: 'printing' }),
    documentOf(2, { name: 'Lecture 7, Thermodynamics.pdf', standing: 'printing' }),
    documentOf(3, { name: 'Boarding pass.pdf', standing: 'printing' }),
    documentOf(4, { name: 'Poster A0.pdf', standing: 'printing' }),
    documentOf(5, { name: 'Old contract.pdf', standing: 'may-have-printed' }),
  ],
  progress: [
    { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: 'printed' },
    {
      documentUuid: 'document-2',
      name: 'Lecture 7, Thermodynamics.pdf',
      stage: 'printing',
      page: 17,
      pages: 48,
    },
    { documentUuid: 'document-3', name: 'Boarding pass.pdf', stage: 'unknown', code: 'transfer-broken' },
    { documentUuid: 'document-4', name: 'Poster A0.pdf', stage: 'failed', code: 'document-not-printable' },
  ],
};

export const ownAccount: AccountView = {
  stage: 'open',
  edition: 1,
  balance: { total: '13.20', quota: '3.20', wallet: '10.00' },
  transactions: [
    {
      kind: 'deduction',
      amount: '-0.40',
      description: 'Travel request March.pdf',
      at: '2026-03-02T08:41:00Z',
    },
    { kind: 'top-up', amount: '10.00', description: '' },
  ],
  prices: { bwNormal: '0.05', bwLarge: '0.10', colorNormal: '0.20', colorLarge: '0.40' },
  cards: [{ end: 'C3D4', isHeld: true }, { end: '77F0' }],
  may: { drop: true, register: true, shortId: true },
};

export const account: Frame = { ...session, state: 'account', account: ownAccount };

const outOfService: Frame = {
  generation: 0,
  state: 'outOfService',
  sentence: 'This terminal is not signed in. Please use another one.',
  waiting: 0,
};

const outage: Omit<OutageView, 'reason'> = { reference: 'K7Q2FM', qr: qrOf('lobby K7Q2FM') };

/** Every screen, by the name of its picture. */
export const screens: Readonly<Record<string, Frame>> = {
  idle,
  'idle-notice': {
    ...idle,
    offers: ['short-id', 'password', 'name', 'email'],
    notice: { code: 'login-refused' },
  },
  'idle-reader-down': {
    ...idle,
    readers: 'down',
    printer: { lamp: 'needs-attention', needs: 'paper' },
    notice: { code: 'reader-unavailable' },
  },
  'idle-needs': { ...idle, printer: { lamp: 'needs-attention', needs: 'jam' } },
  'idle-away': {
    ...idle,
    printer: { lamp: 'unreachable' },
    notice: { code: 'cloud-unreachable' },
    offers: ['short-id', 'password', 'name', 'email'],
  },
  'idle-printers': { ...idle, printer: away, printers: [{ name: 'Lobby', is: away }, ...others] },
  pin: { ...idle, generation: 2, state: 'askingPin', asks: 'pin' },
  'pin-refused': {
    ...idle,
    generation: 3,
    state: 'askingPin',
    asks: 'pin',
    notice: { code: 'pin-refused', params: { n: 2 } },
  },
  enrolment: { ...idle, generation: 2, state: 'enrolling', asks: 'enrollment' },
  busy: { ...idle, generation: 2, state: 'authenticating', notice: { code: 'service-slow' } },
  listing: { ...session, state: 'listing' },
  choosing,
  'choosing-long': { ...longList(14), notice: { code: 'more-in-portal', params: { n: 14 } } },
  'choosing-not-here': { ...choosing, notHere: true },
  'choosing-printers': { ...atSeveral, chosenPrinter: 'Lobby' },
  'choosing-instead': {
    ...atSeveral,
    printer: away,
    printers: [{ name: 'Lobby', is: away }, ...others],
    chosenPrinter: 'Lobby',
    instead: { printer: 'Color, A3', why: 'trouble', documentUuids: ['document-1'] },
    trouble: { code: 'printer-unreachable', documentUuids: ['document-1', 'document-5'] },
  },
  'choosing-instead-color': {
    ...atSeveral,
    chosenPrinter: 'Lobby',
    instead: { printer: 'Color, A3', why: 'color', documentUuids: ['document-5'] },
  },
  'choosing-kept': { ...choosing, offersAccount: true, defaults: { kept: { grey: true, twoSided: true } } },
  'choosing-stick': {
    ...choosing,
    stick: {
      stage: 'files',
      edition: 1,
      why: 'locked',
      files: Array.from({ length: 9 }, (_, at) => ({
        folder: 'Scans',
        name: `Scan ${at}.pdf`,
        octets: 1_000_000,
      })),
    },
  },
  account,
  'account-read': {
    ...account,
    account: { ...ownAccount, may: { drop: false, register: false, shortId: false } },
  },
  'account-proving': { ...account, account: { ...ownAccount, stage: 'proving' } },
  'account-card': { ...account, account: { ...ownAccount, stage: 'awaiting-card' } },
  'account-short-id': {
    ...account,
    account: { ...ownAccount, notice: { code: 'short-id-given' }, shortId: '480215', isIncomplete: true },
  },
  'choosing-none': { ...session, waiting: 0, documents: [] },
  'still-there': { ...choosing, endsInSeconds: 12 },
  releasing: { ...releasing, notice: { code: 'queued', params: { n: 2 } } },
  'releasing-printers': {
    ...releasing,
    printers: named,
    chosenPrinter: 'Color, A3',
    progress: (releasing.progress ?? []).map((one, place) => ({
      ...one,
      ...(place > 1 && { printer: 'Color, A3' }),
    })),
  },
  'releasing-over': {
    ...releasing,
    progress: [
      { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: 'printed' },
      { documentUuid: 'document-2', name: 'Lecture 7, Thermodynamics.pdf', stage: 'printed' },
    ],
  },
  'releasing-needs': {
    ...releasing,
    printer: { lamp: 'needs-attention', needs: 'paper' },
    trouble: { code: 'printer-not-ready', needs: 'paper', documentUuids: [] },
    documents: [],
    progress: [
      { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: 'printing' },
      { documentUuid: 'document-2', name: 'Lecture 7, Thermodynamics.pdf', stage: 'downloading' },
      { documentUuid: 'document-3', name: 'Boarding pass.pdf', stage: 'converting' },
      { documentUuid: 'document-4', name: 'Poster A0.pdf', stage: 'waiting' },
    ],
  },
  'releasing-ends': {
    ...releasing,
    documents: [],
    progress: [
      { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: 'printed' },
      { documentUuid: 'document-2', name: 'Lecture 7, Thermodynamics.pdf', stage: 'handed-over' },
      {
        documentUuid: 'document-3',
        name: 'Boarding pass.pdf',
        stage: 'unknown',
        code: 'outcome-unknown',
        reference: '3f2a91c7',
      },
      {
        documentUuid: 'document-4',
        name: 'Poster A0.pdf',
        stage: 'failed',
        code: 'printer-aborted-job',
        reference: '88d01b4e',
      },
    ],
  },
  'choosing-trouble': {
    ...longList(3),
    printer: { lamp: 'needs-attention', needs: 'jam' },
    notice: { code: 'printer-not-ready', needs: 'paper' },
    trouble: { code: 'printer-not-ready', needs: 'jam', documentUuids: ['document-2', 'document-3'] },
    progress: [
      { documentUuid: 'document-8', name: 'Document 8', stage: 'printed' },
      { documentUuid: 'document-9', name: 'Document 9', stage: 'printed' },
      {
        documentUuid: 'document-2',
        name: 'Document 2',
        stage: 'failed',
        reference: '88d01b4e',
        code: 'printer-not-ready',
        needs: 'paper',
      },
      {
        documentUuid: 'document-3',
        name: 'Document 3',
        stage: 'failed',
        reference: '88d01b4f',
        code: 'printer-not-ready',
        needs: 'paper',
      },
    ],
  },
  passerby: {
    ...idle,
    generation: 3,
    state: 'choosing',
    sentence: 'Hold your card to the reader again to print.',
    waiting: 3,
  },
  'out-of-service': {
    ...outOfService,
    notice: { code: 'trust-withdrawn' },
    outage: { ...outage, reason: 'not-approved', userCode: 'WDJB-MJHT' },
  },
  'out-of-service-away': {
    ...outOfService,
    printer: { lamp: 'unreachable' },
    notice: { code: 'cloud-unreachable' },
    outage: { ...outage, reason: 'service-away' },
  },
  'out-of-service-off': { ...outOfService, outage: { ...outage, reason: 'switched-off' } },
  'out-of-service-setup': { ...outOfService, outage: { ...outage, reason: 'needs-setup' } },
  stopped: { ...idle, state: 'stopped', sentence: 'This terminal is being restarted.' },
};
