/** Words instead of a badge, in the way that was picked of those offered. */
import type { TypedWay } from '../../../domain/login.ts';
import { useWords } from '../languages/words.ts';
import type { FieldSpec, Typed } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import type { ScreenProps } from '../screen.ts';
import type { Wish } from '../terminal-link.ts';

const fieldsOf: Readonly<Record<TypedWay, readonly FieldSpec[]>> = {
  'short-id': [{ name: 'shortId', label: 'shortId', kind: 'digits' }],
  password: [
    { name: 'userName', label: 'userName', kind: 'text' },
    { name: 'password', label: 'password', kind: 'secret' },
  ],
  name: [{ name: 'userName', label: 'userName', kind: 'text' }],
  email: [{ name: 'email', label: 'email', kind: 'text' }],
};

interface SignInProps extends ScreenProps {
  readonly way: TypedWay;
  readonly onBack: () => void;
}

export function SignIn({ way, frame, send, onBack }: SignInProps) {
  const { say } = useWords();
  return (
    <TypedForm
      title={say('signIn')}
      frame={frame}
      fields={fieldsOf[way]}
      onTyped={(typed) => send(wishOf(way, typed))}
      onBack={onBack}
    />
  );
}

function wishOf(way: TypedWay, typed: Typed): Wish {
  const { shortId = '', userName = '', password = '', email = '' } = typed;
  switch (way) {
    case 'short-id':
      return { command: 'log-in', way, shortId };
    case 'password':
      return { command: 'log-in', way, userName, password };
    case 'name':
      return { command: 'log-in', way, userName };
    default:
      return { command: 'log-in', way: 'email', email };
  }
}
