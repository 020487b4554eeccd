/** What the person asks of the terminal from the list: printing, and the deletions that may still be undone. */
import { useEffect } from 'preact/hooks';
import { after } from '../../../listener/page/clock.ts';
import type { Choice, ChoiceStep } from '../choice.ts';
import type { DocumentChanges } from '../document-changes.ts';
import type { Owes, ScreenProps } from '../screen.ts';

/** Documents a command names. */
const mostAtOnce = 80;

/** To think better of a deletion. Milliseconds. */
const timeToUndo = 7_000;

/** Deletes first what may still be undone. */
export type Print = (documentUuids: readonly string[]) => void;

interface ListOrdersOptions {
  readonly deleting: Choice['deleting'];
  readonly choose: (step: ChoiceStep) => void;
  readonly settled: DocumentChanges['settled'];
  readonly send: ScreenProps['send'];
  readonly owes: Owes;
}

export function useListOrders({ deleting, choose, settled, send, owes }: ListOrdersOptions): Print {
  async function reallyDelete(): Promise<void> {
    if (deleting.length === 0) return;
    choose({ type: 'delete-sent', uuids: deleting });
    const sent = await send({ command: 'delete', documentUuids: deleting });
    if (sent !== 'done') choose({ type: 'delete-refused', uuids: deleting });
  }
  useEffect(() => {
    owes(deleting.length > 0 ? reallyDelete : undefined);
    return () => owes(undefined);
  }, [deleting]);
  // Another deletion, or one that is undone, gives the others the whole time.
  useEffect(
    () => (deleting.length > 0 ? after(timeToUndo, () => void reallyDelete()) : undefined),
    [deleting],
  );

  async function print(documentUuids: readonly string[]): Promise<void> {
    await reallyDelete();
    // What is printed otherwise than it is shown would be printed in vain.
    if (!(await settled())) return;
    // A command holds some hundred of them (INVARIANTS.md T28); the terminal takes more while it prints.
    for (let from = 0; from < documentUuids.length; from += mostAtOnce) {
      await send({ command: 'release', documentUuids: documentUuids.slice(from, from + mostAtOnce) });
    }
  }
  return (uuids) => void print(uuids);
}
