/** A view as a frame, its fields picked by name: what a passer-by may see, and what only the person's own page is told. */
import type { Notice } from '../../domain/terminal/notice.ts';
import type { DocumentOptions } from '../../domain/document-changes.ts';
import type {
  BalanceView,
  DefaultsView,
  DocumentProgress,
  DocumentView,
  DoubtView,
  InsteadView,
  NamedPrinterView,
  OutageView,
  PreviewView,
  PrinterView,
  SignView,
  TerminalView,
  TroubleView,
} from '../../domain/terminal/terminal-view.ts';
import type { FrameNotice, PrivateFields, PublicFrame } from '../frame.ts';
import { accountFields } from './account-fields.ts';
import { stickFields } from './stick-fields.ts';
import { isSignedIn } from './terminal.ts';

export const publicFrame = (view: TerminalView): PublicFrame => {
  const {
    generation,
    state,
    sentence,
    waiting,
    readers,
    printer,
    printers,
    sign,
    currency,
    outage,
    offers,
    typingSeconds,
    asks,
    endsInSeconds,
    notice,
  } = view;
  return {
    ...{ generation, state, sentence, waiting },
    ...(readers && { readers }),
    ...(printer && { printer: printerFields(printer) }),
    ...(printers && { printers: printers.map(namedPrinterFields) }),
    ...(sign && { sign: signFields(sign) }),
    ...(currency !== undefined && { currency }),
    ...(outage && { outage: outageFields(outage) }),
    ...(offers && { offers }),
    ...(typingSeconds !== undefined && { typingSeconds }),
    ...(asks && { asks }),
    ...(endsInSeconds !== undefined && { endsInSeconds }),
    ...(notice && { notice: noticeFields(notice) }),
  };
};

/**
 * Nothing that could be typed is asked for where nothing can be said; and of whoever is signed in no more than that: what
 * the terminal asks them to do is not meant for the desk.
 */
export const deskFrame = (view: TerminalView): PublicFrame => {
  const { offers: _offers, typingSeconds: _seconds, asks: _asks, ...frame } = publicFrame(view);
  if (!isSignedIn(view)) return { ...frame, looksOn: true };
  const { notice: _notice, ...left } = frame;
  return { ...left, waiting: 0, sentence: 'Somebody is signed in. This page only looks on.', looksOn: true };
};

export const privateFields = (view: TerminalView): PrivateFields => {
  const { documents, fullName, balance, mayHavePrinted, progress, trouble, askAbovePages } = view;
  const { language, notHere, defaults, offersPreview, preview, offersAccount, account, stick } = view;
  const { chosenPrinter, instead } = view;
  return {
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
  ...{ documentUuid, page, stage },
  ...(why && { why }),
  ...(picture !== undefined && { picture }),
});

const printerFields = ({ lamp, needs }: PrinterView): PrinterView => ({ lamp, ...(needs && { needs }) });

const namedPrinterFields = ({ name, is }: NamedPrinterView): NamedPrinterView => ({
  name,
  ...(is && { is: printerFields(is) }),
});

const insteadFields = ({ printer, why, documentUuids }: InsteadView): InsteadView => ({
  ...{ printer, why, documentUuids },
});

const signFields = ({ printer, place }: SignView): SignView => ({
  ...(printer !== undefined && { printer }),
  ...(place !== undefined && { place }),
});

const outageFields = ({ reason, by, userCode, reference, qr: { path, size } }: OutageView): OutageView => ({
  ...{ reason, reference, qr: { path, size } },
  ...(by !== undefined && { by }),
  ...(userCode !== undefined && { userCode }),
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
    ...{ uuid, name, pages, copies, color, sides, standing },
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
    ...{ documentUuid, name, stage },
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
  ...{ balance, cost, fitting, tooDear },
  costs: costs.map((one) => ({ cost: one.cost, fits: one.fits })),
});
