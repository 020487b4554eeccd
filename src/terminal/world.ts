/** The dependencies of a terminal. The station provides them. */
import type { Env } from '../domain/env.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { LockOut } from '../domain/lock-out.ts';
import type { Languages } from '../domain/ports/languages.ts';
import type { KeptDefaults } from '../domain/ports/defaults.ts';
import type { Claims } from '../domain/ports/claims.ts';
import type { Ledger, ReleaseRegister } from '../domain/ports/ledger.ts';
import type { PagePictures } from '../domain/ports/preview.ts';
import type { ReaderSignal } from '../domain/ports/readers.ts';
import type { OwnAccount } from '../domain/ports/own-account.ts';
import type { Balance, Documents, Logins, PermittedPorts, Users } from '../domain/ports/service.ts';
import type { FinishMode } from '../domain/release.ts';
import type { Login } from '../domain/user.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import type { TerminalSettings } from './given.ts';
import type { CardReturn } from './person/card-return.ts';
import type { StickSource } from './person/stick.ts';
import type { PrintersAtHand } from './printers/at-hand.ts';
import type { SessionTraceDeps } from './session-calls.ts';
import type { Surroundings } from './view.ts';

export interface TerminalDeps extends SessionTraceDeps, Pick<Env, 'chance' | 'log' | 'conditions'> {
  readonly id: string;
  readonly logins: Logins;
  readonly users: Pick<Users, 'enrolCard'>;
  /** Shared by all terminals. */
  readonly lockOut: LockOut;
  readonly documents: Documents;
  readonly finish: FinishMode;
  readonly balance: Pick<Balance, 'quote' | 'own'>;
  readonly ownAccount: OwnAccount;
  /** Shared by all terminals. */
  readonly cardReturn: Pick<CardReturn, 'begin' | 'giveBack'>;
  readonly pictures: PagePictures;
  /** Absent if people may not bring files. */
  readonly stick: StickSource | undefined;
  readonly ledger: Ledger;
  readonly claims: Pick<Claims, 'elsewhere' | 'found'>;
  readonly releases: Pick<ReleaseRegister, 'find'>;
  readonly desk: ReleaseDesk;
  readonly permittedPorts: PermittedPorts;
  readonly languages: Languages;
  readonly defaults: KeptDefaults;
  settings(): TerminalSettings;
  /** The id of the terminal's own output port; `undefined` while it is not known. */
  outputPort(): number | undefined;
  readonly printers: PrintersAtHand;
  surroundings(): Surroundings;
  /** The signal for the person with that badge. */
  onSignal(signal: ReaderSignal, card: CardNumber): void;
  /** Resolves when `settings` can be trusted. The user's token may fetch facts that the device token may not. */
  settle(login: Login): Promise<void>;
}
