/** The administrator who has taken a condition on, with the note for the others; and the form to do so. */
import { useId, useRef, useState } from 'preact/hooks';
import type { OwnCondition } from '../own-status.ts';
import { ownName, OwnName, refusalIn, useTelling } from '../gateway-messages.tsx';
import { Moment } from './facts.tsx';

export function TakenOn({ condition }: { readonly condition: OwnCondition }) {
  const { mayTell } = useTelling();
  const { acknowledged } = condition;
  return (
    <>
      {acknowledged && (
        <p class="taken-on">
          <b>{acknowledged.name}</b> has taken this on, <Moment at={acknowledged.at} />
          {acknowledged.note !== '' && `: ${acknowledged.note}`}
        </p>
      )}
      {mayTell && <TakeOn condition={condition} />}
    </>
  );
}

function TakeOn({ condition: { code, scope, subject, acknowledged } }: { readonly condition: OwnCondition }) {
  const { tell } = useTelling();
  const [refusal, setRefusal] = useState('');
  const note = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const id = useId();
  async function take(): Promise<void> {
    const name = ownName().trim();
    if (name === '') return setRefusal('Type your name, so that the others know.');
    const wish = { code, scope, subject, note: note.current?.value.trim() ?? '', name };
    const refused = refusalIn(await tell('/conditions/acknowledge', wish));
    setRefusal(refused ?? '');
    if (refused === undefined) details.current?.removeAttribute('open');
  }
  return (
    <details ref={details}>
      <summary>{acknowledged ? 'Change the note' : 'Take this on'}</summary>
      <form
        class="telling"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <OwnName id={`${id}-name`} />
        <label for={`${id}-note`}>Note for the others</label>
        <input
          id={`${id}-note`}
          ref={note}
          type="text"
          maxLength={200}
          defaultValue={acknowledged?.note ?? ''}
        />
        <button type="submit" class="primary">
          Take this on
        </button>
      </form>
      <p role="status" class="refusal">
        {refusal}
      </p>
    </details>
  );
}
