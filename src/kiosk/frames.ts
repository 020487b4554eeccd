/** A view as a frame, its fields picked by name: what a passer-by may see, and what only the person's own page is told. */
import type { Notice } from '../domain/notice.ts';
import type { BalanceView, DocumentView, TerminalView } from '../domain/terminal-view.ts';
import type { FrameNotice, PrivateFields, PublicFrame } from './frame.ts';

export const publicFrame = (view: TerminalView): PublicFrame => {
  const { generation, state, sentence, waiting, readers, offers, asks, endsInSeconds, notice } = view;
  return {
    ...{ generation, state, sentence, waiting },
    ...(readers && { readers }),
    ...(offers && { offers }),
    ...(asks && { asks }),
    ...(endsInSeconds !== undefined && { endsInSeconds }),
    ...(notice && { notice: noticeFields(notice) }),
  };
};

export const privateFields = (view: TerminalView): PrivateFields => {
  const { documents, fullName, balance, mayHavePrinted } = view;
  return {
    ...(documents && { documents: documents.map(documentFields) }),
    ...(fullName !== undefined && { fullName }),
    ...(balance && { balance: balanceFields(balance) }),
    ...(mayHavePrinted && {
      mayHavePrinted: mayHavePrinted.map(({ documentUuid, at }) => ({ documentUuid, ...(at && { at }) })),
    }),
  };
};

const noticeFields = ({ code, params }: Notice): FrameNotice => ({ code, ...(params && { params }) });

function documentFields(document: DocumentView): DocumentView {
  const { uuid, name, pages, copies, color, sides, standing, cost, fits } = document;
  return {
    ...{ uuid, name, pages, copies, color, sides, standing },
    ...(cost !== undefined && { cost }),
    ...(fits !== undefined && { fits }),
  };
}

const balanceFields = ({ balance, cost, fitting, tooDear, costs }: BalanceView): BalanceView => ({
  ...{ balance, cost, fitting, tooDear },
  costs: costs.map((one) => ({ cost: one.cost, fits: one.fits })),
});
