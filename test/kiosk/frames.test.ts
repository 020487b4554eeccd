/** What of a view goes into a frame: picked by name, and told apart by who may see it (I3, T03). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { problemKinds } from '../../src/domain/problem/problem-kinds.ts';
import type { NoticeCode } from '../../src/domain/terminal/notice.ts';
import { refusalNotice } from '../../src/domain/terminal/notice.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { deskFrame, privateFields, publicFrame } from '../../src/kiosk/server/frames.ts';

/** Whatever a view can hold, as if all of it could come at once. */
const everything: Required<TerminalView> = {
  generation: 4,
  state: 'choosing',
  sentence: 'PRIVATE',
  notice: { code: 'left-alone', params: { place: 'PRIVATE' }, sentence: 'PRIVATE' },
  waiting: 3,
  readers: 'down',
  printer: { lamp: 'needs-attention', needs: 'paper' },
  printers: [{ name: 'Lobby', is: { lamp: 'ready' } }, { name: 'Colour' }],
  chosenPrinter: 'PRIVATE',
  instead: { printer: 'PRIVATE', why: 'trouble', documentUuids: ['PRIVATE'] },
  sign: { printer: 'Lobby', place: 'Second floor' },
  currency: 'EUR',
  outage: {
    reason: 'not-approved',
    userCode: 'WDJB-MJHT',
    reference: '7K3QF2',
    qr: { path: 'M4 4h7v1h-7z', size: 29 },
  },
  mayHavePrinted: [{ documentUuid: 'PRIVATE', at: 'PRIVATE' }],
  endsInSeconds: 60,
  balance: { balance: 'PRIVATE', cost: 'PRIVATE', fitting: 1, tooDear: 0, costs: [] },
  offers: ['short-id'],
  typingSeconds: 60,
  asks: 'pin',
  documents: [
    {
      uuid: 'PRIVATE',
      name: 'PRIVATE',
      pages: 2,
      copies: 1,
      color: false,
      sides: undefined,
      standing: 'releasable',
      paper: 'PRIVATE',
      sentAt: 'PRIVATE',
      cost: 'PRIVATE',
    },
  ],
  fullName: 'PRIVATE',
  progress: [{ documentUuid: 'PRIVATE', name: 'PRIVATE', stage: 'printing', reference: 'PRIVATE' }],
  askAbovePages: 50,
  notHere: true,
  offersAccount: true,
  account: {
    stage: 'open',
    edition: 1,
    balance: { total: 'PRIVATE', quota: 'PRIVATE', wallet: 'PRIVATE' },
    transactions: [{ kind: 'deduction', amount: 'PRIVATE', description: 'PRIVATE' }],
    cards: [{ end: 'PRIVATE' }],
    may: { drop: true, register: true, shortId: true },
    notice: { code: 'card-dropped', params: { secret: 'PRIVATE' } },
    shortId: 'PRIVATE',
  },
  defaults: { kept: { grey: true, twoSided: false } },
  trouble: { code: 'printer-not-ready', needs: 'paper', documentUuids: ['PRIVATE'] },
  offersPreview: true,
  preview: { documentUuid: 'PRIVATE', page: 1, stage: 'shown', picture: 'PRIVATE' },
  stick: {
    stage: 'files',
    edition: 1,
    isMore: true,
    name: 'PRIVATE',
    percent: 7,
    why: 'locked',
    files: [{ folder: 'PRIVATE', name: 'PRIVATE', octets: 1 }],
  },
  language: 'PRIVATE',
};

const states = [
  'outOfService',
  'prompting',
  'askingPin',
  'authenticating',
  'enrolling',
  'signingIn',
  'registering',
  'relaying',
  'listing',
  'choosing',
  'releasing',
  'account',
  'leaving',
  'stopped',
];
const notices: readonly NoticeCode[] = [
  ...(Object.keys(problemKinds) as ProblemCode[]),
  ...(['pin-refused', 'card-registered', 'card-not-registered', 'card-registration-unknown'] as const),
  ...(['card-relayed', 'card-perhaps-relayed', 'service-slow', 'looking-again', 'nothing-new'] as const),
  ...([
    'new-documents',
    'more-in-portal',
    'under-other-name',
    'queued',
    'left-alone',
    'not-all-printed',
  ] as const),
  ...(['only-arrived', 'list-stale', 'not-as-asked', 'defaults-not-kept', 'card-dropped'] as const),
  ...(['card-not-dropped', 'cards-missing', 'short-id-given'] as const),
];
const outages = [
  ...(['starting', 'not-approved', 'switched-off', 'service-away', 'needs-setup', 'elsewhere'] as const),
  'engine-away' as const,
];

/** Of any view at all: whatever state, notice and outage come together, with and without each of the other fields. */
const anyView = fc.record({
  state: fc.constantFrom(...states),
  notice: fc.constantFrom(...notices),
  reason: fc.constantFrom(...outages),
  left: fc.subarray(
    Object.keys(everything).filter((key) => !['generation', 'state', 'sentence'].includes(key)),
  ),
});
const viewOf = ({
  state,
  notice,
  reason,
  left,
}: typeof anyView extends fc.Arbitrary<infer View> ? View : never) => ({
  ...Object.fromEntries(Object.entries(everything).filter(([key]) => !left.includes(key))),
  generation: 4,
  state,
  sentence: 'PRIVATE',
  waiting: 0,
  ...(!left.includes('notice') && { notice: { ...everything.notice, code: notice } }),
  ...(!left.includes('outage') && { outage: { ...everything.outage, reason } }),
});

it('nothing of a person is in any frame of a passer-by or a desk, whatever the view has (I3)', () => {
  const toldToAll = /^(cloud-unreachable|service-slow|login-refused|card-relayed|card-perhaps-relayed)$/;
  fc.assert(
    fc.property(anyView, (made) => {
      for (const frame of [publicFrame(viewOf(made)), deskFrame(viewOf(made))]) {
        expect(JSON.stringify(frame)).not.toMatch(/PRIVATE|waiting|endsInSeconds|params/);
        expect(frame.notice?.code ?? 'login-refused').toMatch(toldToAll);
        expect(frame.sentence).not.toBe('');
      }
    }),
    { numRuns: 2_000 },
  );
});

it('a passer-by reads of each state, and of each notice that is for all, what it says of nobody', () => {
  const read = (view: Partial<TerminalView>) =>
    publicFrame({ generation: 1, state: 'prompting', sentence: 'PRIVATE', waiting: 2, ...view }).sentence;
  expect(['askingPin', 'choosing', 'releasing', 'account'].map((state) => read({ state }))).toEqual([
    'Please type the PIN of your card.',
    'Somebody is signed in.',
    'Printing. Please wait for your pages.',
    'Somebody is signed in.',
  ]);
  expect(read({ readers: 'down', offers: ['short-id'] })).toBe(
    'The card reader does not answer. Please sign in by typing.',
  );
  expect(read({ notice: { code: 'login-refused', sentence: 'PRIVATE' } })).toBe(refusalNotice.sentence);
  expect(read({ notice: { code: 'not-all-printed', sentence: 'PRIVATE' } })).toBe(
    'Hold your card to the reader.',
  );
});

it('a notice of one person is not in the frame of a passer-by', () => {
  const view = {
    generation: 1,
    state: 'prompting',
    sentence: 'PRIVATE',
    waiting: 2,
    notice: everything.notice,
  };
  expect(publicFrame(view)).toEqual({
    generation: 1,
    state: 'prompting',
    sentence: 'Hold your card to the reader.',
  });
});

it('the page of the person has all of a view, and what is theirs in place of what is for all', () => {
  const [open, own] = [publicFrame(everything), privateFields(everything)];
  expect(Object.keys({ ...open, ...own }).toSorted()).toEqual(Object.keys(everything).toSorted());
  expect(own).toMatchObject({ sentence: 'PRIVATE', waiting: 3, notice: { params: { place: 'PRIVATE' } } });
});

it('a passer-by is shown the printer, and why nobody can be served', () => {
  const { printer, outage } = everything;
  expect(publicFrame(everything)).toMatchObject({ printer, outage });
});

it('the language of a badge is for the page in front of which it was held', () => {
  expect(privateFields({ ...everything, language: 'ja' })).toMatchObject({ language: 'ja' });
});

it('what else hangs on a printer or an outage stays behind', () => {
  const printer = { ...everything.printer, uri: 'LEAK' };
  const outage = { ...everything.outage, deviceCode: 'LEAK', qr: { ...everything.outage.qr, text: 'LEAK' } };
  expect(JSON.stringify(publicFrame({ ...everything, printer, outage }))).not.toContain('LEAK');
});

it('what keeps a document waiting goes with its progress, and to nobody else', () => {
  const progress = [{ documentUuid: 'PRIVATE', name: 'PRIVATE', stage: 'waiting', wait: 'busy' }] as const;
  expect(privateFields({ ...everything, progress })).toMatchObject({ progress });
  expect(publicFrame({ ...everything, progress })).not.toHaveProperty('progress');
});

it('a desk reads that somebody is signed in, and no more', () => {
  for (const state of ['listing', 'choosing', 'releasing', 'account'])
    expect(deskFrame({ ...everything, state })).toMatchObject({
      sentence: 'Somebody is signed in. This page only looks on.',
      looksOn: true,
    });
});

it('a frame has nothing of what was shown before it (I3)', () => {
  privateFields(everything);
  const { generation, state, sentence, waiting } = everything;
  expect(privateFields({ generation, state, sentence, waiting })).toEqual({ sentence, waiting });
});
