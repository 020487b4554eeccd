/**
 * Turns a view into a frame by two lists of allowed fields: one for a passer-by, one only for the person's own page
 * (I3). A new field of a view does not compile until it is in one of the lists.
 */
import { isSignedIn } from '../../domain/terminal/persons-word.ts';
import type { PaperWork } from '../../domain/printer/paper-work.ts';
import { publicNotice, publicSentence } from '../../domain/terminal/public-words.ts';
import type { PrinterView, TerminalView } from '../../domain/terminal/terminal-view.ts';
import type { FrameNotice, PrivateFields, PublicFrame } from '../frame.ts';

/** The allowed fields of a view by name, at any depth. */
type AllowList<View> = { readonly [Key in keyof View]-?: Allowed<NonNullable<View[Key]>> };
type Allowed<Value> = Value extends readonly (infer One)[]
  ? Allowed<One>
  : Value extends object
    ? string extends keyof Value
      ? true
      : AllowList<Value>
    : true;

const printer: AllowList<PrinterView> = { lamp: true, needs: true };
const noticed: AllowList<FrameNotice> = { code: true, params: true, needs: true };

const worked: AllowList<PaperWork> = {
  staple: true,
  punch: true,
  fold: true,
  bind: true,
  'media-source': true,
  'media-type': true,
  'output-bin': true,
  'print-quality': true,
};

const forAll: AllowList<Omit<PublicFrame, 'looksOn'>> = {
  generation: true,
  state: true,
  sentence: true,
  readers: true,
  printer,
  printers: { name: true, is: printer },
  sign: { printer: true, place: true },
  currency: true,
  outage: { reason: true, reference: true, qr: { path: true, size: true }, by: true, userCode: true },
  offers: true,
  typingSeconds: true,
  asks: true,
  notice: noticed,
};

const forThePerson: AllowList<PrivateFields> = {
  sentence: true,
  waiting: true,
  notice: noticed,
  endsInSeconds: true,
  fullName: true,
  language: true,
  documents: {
    uuid: true,
    name: true,
    pages: true,
    copies: true,
    color: true,
    sides: true,
    work: worked,
    chosenPages: { from: true, to: true },
    onPaper: true,
    lacksPaper: true,
    standing: true,
    why: true,
    place: true,
    paper: true,
    sentAt: true,
    options: { grey: true, twoSided: true, mostCopies: true, work: worked, pages: true, otherPaper: true },
    cost: true,
    fits: true,
    fitsInGrey: true,
  },
  balance: { balance: true, cost: true, fitting: true, tooDear: true, costs: { cost: true, fits: true } },
  progress: {
    documentUuid: true,
    name: true,
    printer: true,
    stage: true,
    wait: true,
    page: true,
    pages: true,
    code: true,
    needs: true,
    reference: true,
  },
  trouble: { code: true, needs: true, documentUuids: true },
  mayHavePrinted: {
    documentUuid: true,
    at: true,
    place: true,
    missing: { from: true, to: true },
    isPrinted: true,
    isAskedFor: true,
  },
  chosenPrinter: true,
  instead: { printer: true, why: true, documentUuids: true },
  askAbovePages: true,
  notHere: true,
  offersPreview: true,
  preview: { documentUuid: true, page: true, stage: true, why: true, picture: true },
  defaults: { kept: { grey: true, twoSided: true, work: worked } },
  offersAccount: true,
  account: {
    stage: true,
    edition: true,
    balance: { total: true, quota: true, wallet: true },
    transactions: { at: true, kind: true, amount: true, description: true },
    prices: { bwNormal: true, bwLarge: true, colorNormal: true, colorLarge: true },
    cards: { end: true, isHeld: true },
    isIncomplete: true,
    may: { drop: true, register: true, shortId: true },
    notice: noticed,
    shortId: true,
  },
  stick: {
    stage: true,
    edition: true,
    files: { folder: true, name: true, octets: true },
    isMore: true,
    name: true,
    percent: true,
    why: true,
  },
};

export function publicFrame(view: TerminalView): PublicFrame {
  const { notice: _notice, ...rest } = view;
  const notice = publicNotice(view);
  const picked = {
    ...rest,
    sentence: publicSentence(view),
    ...(notice && { notice: { code: notice.code } }),
  };
  return through<PublicFrame>(picked, forAll);
}

/** A desk cannot send commands, so fields that ask for input are removed. */
export function deskFrame(view: TerminalView): PublicFrame {
  const { offers: _offers, typingSeconds: _seconds, asks: _asks, ...frame } = publicFrame(view);
  if (!isSignedIn(view)) return { ...frame, looksOn: true };
  return { ...frame, sentence: 'Somebody is signed in. This page only looks on.', looksOn: true };
}

export const privateFields = (view: TerminalView): PrivateFields =>
  through<PrivateFields>(view, forThePerson);

/** Simple values pass unchanged. Objects, also in lists, keep only the fields of their list. */
function through<Frame extends object>(view: Frame, allowed: object): Frame {
  return passed(view, allowed) as Frame;
}

function passed(value: unknown, allowed: unknown): unknown {
  if (allowed === true || value === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => passed(one, allowed));
  const fields = value as Readonly<Record<string, unknown>>;
  const picked: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(allowed as object)) {
    const field = passed(fields[name], inner);
    if (field !== undefined) picked[name] = field;
  }
  return picked;
}
