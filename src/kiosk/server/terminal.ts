/**
 * What the kiosk needs of a terminal, and how a command of a page becomes words to it. Whether a command is possible is
 * read off the view it would change: the terminal itself ignores, without a word, what is stale or out of place (D2).
 */
import type { Secret } from '../../core/secret.ts';
import type { Wanted } from '../../domain/document-changes.ts';
import { isOffered } from '../../domain/document-changes.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { TypedCredentials } from '../../domain/login.ts';
import type { DocumentView, TerminalView, TerminalViewSource } from '../../domain/terminal/terminal-view.ts';
import type { Heard } from '../commands.ts';

export interface KioskTerminal {
  readonly view: TerminalViewSource;
  logIn(said: { generation: number; credentials: TypedCredentials }): void;
  pin(said: { generation: number; pin: Secret }): void;
  enrol(said: { generation: number; userName: string; password: Secret }): void;
  release(said: { generation: number; documentUuids: readonly string[] }): void;
  delete(said: { generation: number; documentUuids: readonly string[] }): void;
  change(said: Wanted & { generation: number; documentUuid: string }): void;
  printAgain(said: { generation: number; documentUuid: string }): void;
  itIsThere(said: { generation: number; documentUuid: string }): void;
  language(said: { generation: number; language: LanguageCode }): void;
  stillThere(said: { generation: number }): void;
  logout(said: { generation: number }): void;
}

/** Somebody has begun to say who they are, or has been let in. */
export const isSomebodys = ({ state }: TerminalView): boolean =>
  !['outOfService', 'prompting', 'relaying', 'stopped'].includes(state);

/** Somebody has been let in. */
export const isSignedIn = ({ state }: TerminalView): boolean =>
  ['listing', 'choosing', 'releasing'].includes(state);

/** `false`, and nothing has happened, where the view does not offer it. */
export function obey(terminal: KioskTerminal, heard: Heard): boolean {
  if (!isPossible(heard, terminal.view.current())) return false;
  tell(terminal, heard);
  return true;
}

function isPossible(heard: Heard, view: TerminalView): boolean {
  if (heard.generation !== view.generation) return false;
  const { offers = [], asks, documents = [], mayHavePrinted = [] } = view;
  switch (heard.command) {
    case 'log-in':
      return offers.includes(heard.way);
    case 'pin':
      return asks === 'pin';
    case 'enrol':
      return asks === 'enrollment';
    case 'delete':
      return view.state === 'choosing' && picksSome(heard);
    case 'change':
      return view.state === 'choosing' && documents.some((one) => isChangeOf(one, heard));
    case 'release':
      return picksSome(heard);
    case 'print-again':
    case 'it-is-there':
      return mayHavePrinted.some(({ documentUuid }) => documentUuid === heard.documentUuid);
    case 'language':
      return isSignedIn(view);
    // Whoever is still there, or logs out.
    default:
      return isSomebodys(view);
  }

  function picksSome({ documentUuids }: { readonly documentUuids: readonly string[] }): boolean {
    return documents.some(({ uuid, standing }) => standing === 'releasable' && documentUuids.includes(uuid));
  }
}

const isChangeOf = (
  document: DocumentView,
  { documentUuid, copies, color, sides }: Extract<Heard, { command: 'change' }>,
): boolean => document.uuid === documentUuid && isOffered(document, { copies, color, sides });

function tell(terminal: KioskTerminal, heard: Heard): void {
  const { generation } = heard;
  switch (heard.command) {
    case 'log-in':
      return terminal.logIn({ generation, credentials: credentialsOf(heard) });
    case 'pin':
      return terminal.pin({ generation, pin: heard.pin });
    case 'enrol':
      return terminal.enrol({ generation, userName: heard.userName, password: heard.password });
    case 'release':
      return terminal.release({ generation, documentUuids: heard.documentUuids });
    case 'delete':
      return terminal.delete({ generation, documentUuids: heard.documentUuids });
    case 'change': {
      const { documentUuid, copies, color, sides } = heard;
      return terminal.change({ generation, documentUuid, copies, color, sides });
    }
    case 'print-again':
      return terminal.printAgain({ generation, documentUuid: heard.documentUuid });
    case 'it-is-there':
      return terminal.itIsThere({ generation, documentUuid: heard.documentUuid });
    case 'language':
      return terminal.language({ generation, language: heard.language });
    case 'still-there':
      return terminal.stillThere({ generation });
    case 'log-out':
      return terminal.logout({ generation });
  }
}

function credentialsOf(typed: Extract<Heard, { command: 'log-in' }>): TypedCredentials {
  switch (typed.way) {
    case 'short-id':
      return { kind: 'short-id', shortId: typed.shortId };
    case 'password':
      return { kind: 'password', userName: typed.userName, password: typed.password };
    case 'name':
      return { kind: 'name', userName: typed.userName };
    default:
      return { kind: 'email', email: typed.email };
  }
}
