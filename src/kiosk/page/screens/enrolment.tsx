/**
 * The badge is unknown. If a person signs in with it in hand, it becomes their badge. After a mistake the person need
 * not type the name again.
 */
import { useState } from 'preact/hooks';
import { useWords } from '../languages/words.ts';
import type { FieldSpec } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import type { ScreenProps } from '../screen.ts';
import { Busy } from './busy.tsx';

const fields: readonly FieldSpec[] = [
  { name: 'userName', label: 'userName', kind: 'text' },
  { name: 'password', label: 'password', kind: 'secret' },
];

export function Enrolment({ frame, send }: ScreenProps) {
  const { say } = useWords();
  const [userName, setUserName] = useState<string>();
  if (frame.state === 'signingIn') return <Busy frame={frame} send={send} />;
  return (
    <TypedForm
      title={say('enrolTitle')}
      hint={say('enrolHint')}
      frame={frame}
      fields={fields}
      known={userName === undefined ? {} : { userName }}
      onTyped={({ userName: name = '', password = '' }) => {
        setUserName(name);
        return send({ command: 'enrol', userName: name, password });
      }}
      onBack={() => void send({ command: 'log-out' })}
    />
  );
}
