/** The administrator's name. The others see it beside each action. */
import { keepOwnName, ownName } from '../telling.tsx';

export const OwnName = ({ id }: { readonly id: string }) => (
  <>
    <label for={id}>Your name</label>
    <input
      id={id}
      type="text"
      maxLength={60}
      autocomplete="name"
      defaultValue={ownName()}
      onInput={({ currentTarget }) => keepOwnName(currentTarget.value)}
    />
  </>
);
