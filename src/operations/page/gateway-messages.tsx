/** Messages from the page to the gateway that serves it, with the user's name, which is typed once for this tab. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentLink, Told } from './agent-link.ts';

interface Telling {
  /** False: this gateway takes no word from its page. */
  readonly mayTell: boolean;
  /** Asks again for the shown data afterwards. */
  tell(path: string, body: object): Promise<Told>;
}

const Context = createContext<Telling>({ mayTell: false, tell: async () => ({ is: 'away' }) });

export const Tells = Context.Provider;
export const useTelling = (): Telling => useContext(Context);

const key = 'platen-administrator';
export const ownName = (): string => sessionStorage.getItem(key) ?? '';
const keepOwnName = (name: string): void => sessionStorage.setItem(key, name);

/** `again` asks again for the shown data. */
export const tellingBy = (link: AgentLink, mayTell: boolean, again: () => void): Telling => ({
  mayTell,
  async tell(path, body) {
    const told = await link.tell(path, body);
    again();
    return told;
  },
});

/** `undefined`: it was taken. */
export const refusalIn = (told: Told): string | undefined =>
  told.is === 'refused' ? told.detail : told.is === 'away' ? 'This gateway does not answer.' : undefined;

/** The administrator's name, which the others see beside each deed. */
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
