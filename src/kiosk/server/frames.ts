/** A view as a frame, its fields picked by name: what a passer-by may see, and what only the person's own page is told (I3). */
import { z } from 'zod';
import type { TypedWay } from '../../domain/login.ts';
import type { PrinterNeed } from '../../domain/problem/printer-reasons.ts';
import type { Notice, NoticeCode } from '../../domain/terminal/notice.ts';
import { publicNotice, publicSentence } from '../../domain/terminal/public-words.ts';
import type { DocumentOptions } from '../../domain/document-changes.ts';
import type {
  BalanceView,
  DefaultsView,
  DocumentProgress,
  DocumentView,
  DoubtView,
  InsteadView,
  OutageView,
  PreviewView,
  PrinterView,
  TerminalView,
  TroubleView,
} from '../../domain/terminal/terminal-view.ts';
import type { FrameNotice, PrivateFields, PublicFrame } from '../frame.ts';
import type { AccountView, TransactionView } from '../../domain/terminal/account-view.ts';
import type { StickView } from '../../domain/terminal/stick-view.ts';
import { isSignedIn } from './terminal.ts';

const text = z.string().exactOptional();
/** A word of our own code. */
const word = <Word extends string>() => z.custom<Word>((given) => typeof given === 'string');
const printerShown: z.ZodType<PrinterView> = z.object({
  lamp: word<PrinterView['lamp']>(),
  needs: word<PrinterNeed>().exactOptional(),
});

/** All that a passer-by is told, and no key more, at any depth. */
export const publicFields: z.ZodType<PublicFrame> = z.object({
  generation: z.number(),
  state: z.string(),
  sentence: z.string(),
  readers: z.literal('down').exactOptional(),
  printer: printerShown.exactOptional(),
  printers: z.array(z.object({ name: z.string(), is: printerShown.exactOptional() })).exactOptional(),
  sign: z.object({ printer: text, place: text }).exactOptional(),
  currency: text,
  outage: z
    .object({
      reason: word<OutageView['reason']>(),
      reference: z.string(),
      qr: z.object({ path: z.string(), size: z.number() }),
      by: text,
      userCode: text,
    })
    .exactOptional(),
  offers: z.array(word<TypedWay>()).exactOptional(),
  typingSeconds: z.number().exactOptional(),
  asks: z.enum(['pin', 'enrollment']).exactOptional(),
  notice: z.object({ code: word<NoticeCode>() }).exactOptional(),
});

export function publicFrame(view: TerminalView): PublicFrame {
  const { notice: _notice, ...rest } = view;
  const notice = publicNotice(view);
  return publicFields.parse({ ...rest, sentence: publicSentence(view), ...(notice && { notice }) });
}

/** Nothing that could be typed is asked for where nothing can be said. */
export function deskFrame(view: TerminalView): PublicFrame {
  const { offers: _offers, typingSeconds: _seconds, asks: _asks, ...frame } = publicFrame(view);
  if (!isSignedIn(view)) return { ...frame, looksOn: true };
  return { ...frame, sentence: 'Somebody is signed in. This page only looks on.', looksOn: true };
}

export const privateFields = (view: TerminalView): PrivateFields => {
  const { documents, fullName, balance, mayHavePrinted, progress, trouble, askAbovePages } = view;
  const { language, notHere, defaults, offersPreview, preview, offersAccount, account, stick } = view;
  const { chosenPrinter, instead, sentence, notice, waiting, endsInSeconds } = view;
  return {
    sentence,
    waiting,
    ...(notice && { notice: noticeFields(notice) }),
    ...(endsInSeconds !== undefined && { endsInSeconds }),
    ...(documents && { documents: documents.map(documentFields) }),
    ...(fullName !== undefined && { fullName }),
    ...(balance && { balance: balanceFields(balance) }),
    ...(language !== undefined && { language }),
    ...(progress && { progress: progress.map(progressFields) }),
    ...(trouble && { trouble: troubleFields(trouble) }),
    ...(chosenPrinter !== undefined && { chosenPrinter }),
    ...(instead && { instead: insteadFields(instead) }),
    ...(askAbovePages !== undefined && { askAbovePages }),
    ...(notHere && { notHere }),
    ...(offersAccount && { offersAccount }),
    ...(account && { account: accountFields(account) }),
    ...(defaults && { defaults: defaultsFields(defaults) }),
    ...(offersPreview && { offersPreview }),
    ...(preview && { preview: previewFields(preview) }),
    ...(stick && { stick: stickFields(stick) }),
    ...(mayHavePrinted && {
      mayHavePrinted: mayHavePrinted.map(doubtFields),
    }),
  };
};

const defaultsFields = ({ kept }: DefaultsView): DefaultsView =>
  kept ? { kept: { grey: kept.grey, twoSided: kept.twoSided } } : {};

const doubtFields = ({ documentUuid, at, place, missing, isPrinted, isAskedFor }: DoubtView): DoubtView => ({
  documentUuid,
  ...(at && { at }),
  ...(place !== undefined && { place }),
  ...(missing && { missing: { from: missing.from, to: missing.to } }),
  ...(isPrinted && { isPrinted }),
  ...(isAskedFor && { isAskedFor }),
});

const previewFields = ({ documentUuid, page, stage, why, picture }: PreviewView): PreviewView => ({
  documentUuid,
  page,
  stage,
  ...(why && { why }),
  ...(picture !== undefined && { picture }),
});

const insteadFields = ({ printer, why, documentUuids }: InsteadView): InsteadView => ({
  printer,
  why,
  documentUuids,
});

const noticeFields = ({ code, params, needs }: Notice): FrameNotice => ({
  code,
  ...(params && { params }),
  ...(needs && { needs }),
});

const troubleFields = ({ code, needs, documentUuids }: TroubleView): TroubleView => ({
  code,
  ...(needs && { needs }),
  documentUuids,
});

function documentFields(document: DocumentView): DocumentView {
  const { uuid, name, pages, copies, color, sides, standing, cost, fits, fitsInGrey } = document;
  const { why, place, paper, sentAt, options } = document;
  return {
    uuid,
    name,
    pages,
    copies,
    color,
    sides,
    standing,
    ...(why && { why }),
    ...(place !== undefined && { place }),
    ...(paper !== undefined && { paper }),
    ...(sentAt !== undefined && { sentAt }),
    ...(options && { options: optionFields(options) }),
    ...(cost !== undefined && { cost }),
    ...(fits !== undefined && { fits }),
    ...(fitsInGrey && { fitsInGrey }),
  };
}

const optionFields = ({ grey, twoSided, mostCopies }: DocumentOptions): DocumentOptions => ({
  grey,
  twoSided,
  mostCopies,
});

function progressFields(progress: DocumentProgress): DocumentProgress {
  const { documentUuid, name, printer, stage, wait, page, pages, code, needs, reference } = progress;
  return {
    documentUuid,
    name,
    stage,
    ...(printer !== undefined && { printer }),
    ...(wait && { wait }),
    ...(page !== undefined && { page }),
    ...(pages !== undefined && { pages }),
    ...(code && { code }),
    ...(needs && { needs }),
    ...(reference !== undefined && { reference }),
  };
}

const balanceFields = ({ balance, cost, fitting, tooDear, costs }: BalanceView): BalanceView => ({
  balance,
  cost,
  fitting,
  tooDear,
  costs: costs.map((one) => ({ cost: one.cost, fits: one.fits })),
});

/** The account of the person in front as their own page is told of it, its fields picked by name (I3). */
function accountFields(view: AccountView): AccountView {
  const { stage, edition, balance, transactions, prices, cards, isIncomplete, may, notice, shortId } = view;
  return {
    stage,
    edition,
    ...(balance && { balance: { total: balance.total, quota: balance.quota, wallet: balance.wallet } }),
    ...(transactions && { transactions: transactions.map(transactionFields) }),
    ...(prices && {
      prices: {
        bwNormal: prices.bwNormal,
        bwLarge: prices.bwLarge,
        colorNormal: prices.colorNormal,
        colorLarge: prices.colorLarge,
      },
    }),
    ...(cards && { cards: cards.map(({ end, isHeld }) => ({ end, ...(isHeld && { isHeld }) })) }),
    ...(isIncomplete && { isIncomplete }),
    may: { drop: may.drop, register: may.register, shortId: may.shortId },
    ...(notice && {
      notice: {
        code: notice.code,
        ...(notice.params && { params: notice.params }),
        ...(notice.needs && { needs: notice.needs }),
      },
    }),
    ...(shortId !== undefined && { shortId }),
  };
}

const transactionFields = ({ at, kind, amount, description }: TransactionView): TransactionView => ({
  kind,
  amount,
  description,
  ...(at !== undefined && { at }),
});

/** The stick of the person in front as their own page is told of it, its fields picked by name (I3). */
const stickFields = ({ stage, edition, files, isMore, name, percent, why }: StickView): StickView => ({
  stage,
  edition,
  ...(files && {
    files: files.map((file) => ({ folder: file.folder, name: file.name, octets: file.octets })),
  }),
  ...(isMore && { isMore }),
  ...(name !== undefined && { name }),
  ...(percent !== undefined && { percent }),
  ...(why && { why }),
});
