/** What of a view goes into a frame: picked by name, and told apart by who may see it (I3, T03). */
import { expect, it } from 'vitest';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { deskFrame, privateFields, publicFrame } from '../../src/kiosk/server/frames.ts';

/** Whatever a view can hold, as if all of it could come at once. */
const everything: Required<TerminalView> = {
  generation: 4,
  state: 'choosing',
  sentence: 'Three documents wait.',
  notice: { code: 'left-alone', params: { n: 1 }, sentence: 'One document was left alone.' },
  waiting: 3,
  readers: 'down',
  printer: { lamp: 'needs-attention', needs: 'paper' },
  printers: [{ name: 'Lobby', is: { lamp: 'ready' } }, { name: 'Colour' }],
  chosenPrinter: 'PRIVATE',
  instead: { printer: 'PRIVATE', why: 'trouble', documentUuids: ['PRIVATE'] },
  sign: { printer: 'Lobby', place: 'Second floor' },
  currency: 'EUR',
  outage: {
    ...{ reason: 'not-approved', userCode: 'WDJB-MJHT', reference: '7K3QF2' },
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
      ...{ uuid: 'PRIVATE', name: 'PRIVATE', pages: 2, copies: 1, color: false, sides: undefined },
      ...{ standing: 'releasable', paper: 'PRIVATE', sentAt: 'PRIVATE', cost: 'PRIVATE' },
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
    ...{ stage: 'files', edition: 1, isMore: true, name: 'PRIVATE', percent: 7, why: 'locked' },
    files: [{ folder: 'PRIVATE', name: 'PRIVATE', octets: 1 }],
  },
  language: 'PRIVATE',
};

it('no private field is in a public frame, and none is in both', () => {
  expect(JSON.stringify(publicFrame(everything))).not.toContain('PRIVATE');
  const [open, own] = [publicFrame(everything), privateFields(everything)];
  expect(Object.keys(own).filter((key) => key in open)).toEqual([]);
  expect(Object.keys({ ...open, ...own }).toSorted()).toEqual(Object.keys(everything).toSorted());
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

it('nothing that is said to whoever is signed in is for a desk, and what is said to all is (I3)', () => {
  for (const state of ['listing', 'choosing', 'releasing', 'account']) {
    const frame = deskFrame({ ...everything, state });
    expect(frame).not.toHaveProperty('notice');
    expect(frame).toMatchObject({ waiting: 0, sentence: 'Somebody is signed in. This page only looks on.' });
  }
  expect(deskFrame({ ...everything, state: 'prompting' })).toMatchObject({ notice: { code: 'left-alone' } });
});

it('a frame has nothing of what was shown before it (I3)', () => {
  privateFields(everything);
  const { generation, state, sentence, waiting } = everything;
  expect(privateFields({ generation, state, sentence, waiting })).toEqual({});
});
