/**
 * One or two fields with the keys on the screen. A hardware keyboard works too. The fields are cleared when they are
 * sent, and disappear with the form.
 */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';
import { useEntryFocus } from '../screen.ts';
import type { Sent } from '../terminal-link.ts';
import { Keyboard } from './keyboard.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import { NumberPad } from './number-pad.tsx';

export interface FieldSpec {
  readonly name: 'shortId' | 'userName' | 'password' | 'email' | 'pin';
  readonly label: SentenceKey;
  readonly kind: 'text' | 'secret' | 'digits' | 'secret-digits';
}

export type Typed = { readonly [Name in FieldSpec['name']]?: string };

const typeOf = {
  text: { type: 'text' },
  digits: { type: 'text' },
  secret: { type: 'password' },
  'secret-digits': { type: 'password' },
} as const;

interface TypedFormProps {
  readonly title: string;
  readonly hint?: string;
  readonly frame: Frame;
  readonly fields: readonly FieldSpec[];
  /** Earlier text that the person need not type again. */
  readonly known?: Typed | undefined;
  readonly onTyped: (typed: Typed) => Promise<Sent>;
  readonly onBack: () => void;
}

export function TypedForm({ title, hint, frame, fields, known = {}, onTyped, onBack }: TypedFormProps) {
  const { say } = useWords();
  const [typed, setTyped] = useState<Typed>(known);
  const [entry] = useState(() => fields.find(({ name }) => known[name] === undefined)?.name);
  const [active, setActive] = useState(entry);
  const first = useEntryFocus<HTMLInputElement>();
  const form = useRef<HTMLFormElement>(null);
  const isDigits = fields[0]?.kind.endsWith('digits') ?? false;
  const missing = fields.find(({ name }) => (typed[name] ?? '').trim() === '');

  const change = (name: FieldSpec['name'], value: string): void =>
    setTyped((before) => ({ ...before, [name]: value }));
  const edit = (next: (value: string) => string): void => {
    if (active) change(active, next(typed[active] ?? ''));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (missing) {
      form.current?.querySelector<HTMLInputElement>(`[name=${missing.name}]`)?.focus();
      return;
    }
    setTyped({});
    void onTyped(typed);
  };

  const Keys = isDigits ? NumberPad : Keyboard;
  return (
    <main class={isDigits ? 'typing beside' : 'typing'}>
      <form ref={form} autocomplete="off" onSubmit={submit}>
        <div class="head">
          <h1>{title}</h1>
          {frame.notice ? <NoticeLine frame={frame} /> : hint && <p class="hint">{hint}</p>}
        </div>
        <div class="fields">
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              input={field.name === entry ? first : null}
              value={typed[field.name] ?? ''}
              onFocus={() => setActive(field.name)}
              onValue={(value) => change(field.name, value)}
            />
          ))}
        </div>
        <div class="actions">
          <button type="button" class="quiet" onClick={onBack}>
            {say('back')}
          </button>
          <button type="submit" class="primary">
            {say('proceed')}
          </button>
        </div>
      </form>
      <Keys
        onKey={(text) => edit((value) => value + text)}
        onErase={() => edit((value) => [...value].slice(0, -1).join(''))}
      />
    </main>
  );
}

interface FieldProps {
  readonly field: FieldSpec;
  readonly input: RefObject<HTMLInputElement | null> | null;
  readonly value: string;
  readonly onFocus: () => void;
  readonly onValue: (value: string) => void;
}

function Field({ field: { name, label, kind }, input, value, onFocus, onValue }: FieldProps) {
  const { say } = useWords();
  return (
    <label>
      {say(label)}
      <input
        ref={input}
        name={name}
        {...typeOf[kind]}
        inputMode="none"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={255}
        dir="auto"
        value={value}
        onFocus={onFocus}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  );
}
