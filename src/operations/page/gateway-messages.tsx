/** Messages from the page to the gateway that serves it, with the user's name, which is typed once for this tab. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentLink, Reply } from './agent-link.ts';

interface Telling {
  /** False: this gateway accepts no messages from its page. */
  readonly mayTell: boolean;
  /** Asks again for the shown data afterwards. */
  tell(path: string, body: object): Promise<Reply>;
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
    const reply = await link.tell(path, body);
    again();
    return reply;
  },
});

/** `undefined`: it was accepted. */
export const refusalIn = (reply: Reply): string | undefined =>
  reply.is === 'refused' ? reply.detail : reply.is === 'away' ? 'This gateway does not answer.' : undefined;

/** The administrator's name. The others see it beside each action. */
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
