/** Nobody knows whose the badge is: whoever signs in with it in hand, it becomes theirs. */
import { useWords } from '../languages/words.ts';
import type { FieldSpec } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import type { ScreenProps } from '../screen.ts';

const fields: readonly FieldSpec[] = [
  { name: 'userName', label: 'userName', kind: 'text' },
  { name: 'password', label: 'password', kind: 'secret' },
];

export function Enrolment({ frame, send }: ScreenProps) {
  const { say } = useWords();
  return (
    <TypedForm
      title={say('enrolTitle')}
      hint={say('enrolHint')}
      frame={frame}
      fields={fields}
      onTyped={({ userName = '', password = '' }) => send({ command: 'enrol', userName, password })}
      onBack={() => void send({ command: 'log-out' })}
    />
  );
}
