/** The orders from the list to the terminal: prints, and deletions that can still be undone. */
import { useEffect } from 'preact/hooks';
import { after } from '../../../listener/page/clock.ts';
import type { Choice, ChoiceStep } from '../choice.ts';
import type { DocumentChanges } from '../document-changes.ts';
import type { KeepTask, ScreenProps } from '../screen.ts';

/** The largest number of documents in one command. */
const mostAtOnce = 80;

/** The time for undo. Milliseconds. */
const timeToUndo = 7_000;

/** First carries out the deletions that can still be undone. */
export type Print = (documentUuids: readonly string[]) => void;

interface ListOrdersOptions {
  readonly deleting: Choice['deleting'];
  readonly choose: (step: ChoiceStep) => void;
  readonly settled: DocumentChanges['settled'];
  readonly send: ScreenProps['send'];
  readonly keepTask: KeepTask;
}

export function useListOrders({ deleting, choose, settled, send, keepTask }: ListOrdersOptions): Print {
  async function reallyDelete(): Promise<void> {
    if (deleting.length === 0) return;
    choose({ type: 'delete-sent', uuids: deleting });
    const sent = await send({ command: 'delete', documentUuids: deleting });
    if (sent !== 'done') choose({ type: 'delete-refused', uuids: deleting });
  }
  useEffect(() => {
    keepTask(deleting.length > 0 ? reallyDelete : undefined);
    return () => keepTask(undefined);
  }, [deleting]);
  // After another deletion or an undo, the whole time begins again.
  useEffect(
    () => (deleting.length > 0 ? after(timeToUndo, () => void reallyDelete()) : undefined),
    [deleting],
  );

  async function print(documentUuids: readonly string[]): Promise<void> {
    await reallyDelete();
    // A print with other settings than the shown ones would be useless.
    if (!(await settled())) return;
    // A command has room for about a hundred documents (INVARIANTS.md T28). The terminal accepts more while it prints.
    for (let from = 0; from < documentUuids.length; from += mostAtOnce) {
      await send({ command: 'release', documentUuids: documentUuids.slice(from, from + mostAtOnce) });
    }
  }
  return (uuids) => void print(uuids);
}
