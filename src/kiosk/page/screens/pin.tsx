/** Here the badge is not enough: the person must type its PIN. */
import { useWords } from '../languages/words.ts';
import type { FieldSpec } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import type { ScreenProps } from '../screen.ts';

const fields: readonly FieldSpec[] = [{ name: 'pin', label: 'pin', kind: 'secret-digits' }];

export function Pin({ frame, send }: ScreenProps) {
  const { say } = useWords();
  return (
    <TypedForm
      title={say('pinTitle')}
      hint={say('pinHint')}
      frame={frame}
      fields={fields}
      onTyped={({ pin = '' }) => send({ command: 'pin', pin })}
      onBack={() => void send({ command: 'log-out' })}
    />
  );
}
