/** The conversation of one terminal with the person in front of it, and what it is given. */
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Login } from '../domain/user.ts';
import type { OutageView } from '../domain/terminal/terminal-view.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { TerminalDependencies } from '../terminal/world.ts';
import { createTerminal } from '../terminal/runner.ts';
import type { StationPrinters } from './printers/printers.ts';
import type { StationSettings } from './settings.ts';
import { signOf } from './sign.ts';
import { stickSource } from './stick.ts';
import type { StationWorld } from './world.ts';

interface ConversationParts extends Pick<TerminalDependencies, 'onStage' | 'onSignal'> {
  readonly settings: StationSettings;
  readonly printing: StationPrinters;
  /** Why nobody can be served, where that is so. */
  outage(): OutageView | undefined;
}

export function openConversation(
  terminal: TerminalConfig,
  shared: StationWorld,
  { settings, printing, outage, onStage, onSignal }: ConversationParts,
): Terminal {
  const { cloud, store, claims, settingsReading, conditions, lockOut, clock, chance, log, config } = shared;
  const { pictures, cardReturn } = shared;
  const { logins, documents, balance } = cloud;
  const { ledger, releases, languages, defaults } = store;
  const { desk } = printing;
  const ownAccountOf = ({ token }: Login) => cloud.directory(token).ownAccount;
  const { id, finish } = terminal;
  return createTerminal({
    ...{ id, logins, lockOut, conditions, documents, pictures, finish, balance, cardReturn },
    ...{ ledger, releases, claims, languages, defaults, desk, clock, chance, log, onStage, onSignal },
    permittedPorts: {
      include: (port, login, options) =>
        cloud.directory(login.token).permittedPorts.include(port, login, options),
    },
    ownAccount: {
      transactions: (login, options) => ownAccountOf(login).transactions(login, options),
      prices: (login, options) => ownAccountOf(login).prices(login, options),
      cards: (login, options) => ownAccountOf(login).cards(login, options),
      dropCards: (login, options) => ownAccountOf(login).dropCards(login, options),
      giveShortId: (shortId, login, options) => ownAccountOf(login).giveShortId(shortId, login, options),
    },
    users: {
      enrolCard: (user, card, options) => cloud.directory(options.token).users.enrolCard(user, card, options),
    },
    stick: stickSource(terminal, shared),
    outputPort: () => settingsReading.of(id).port?.id,
    settings: () => {
      const { askAbovePages, account } = config().kiosk;
      return { ...settings.ofTerminal(), askAbovePages, account };
    },
    surroundings: () => ({
      outage: outage(),
      ...signOf(terminal, settingsReading.of(id), config().kiosk),
    }),
    printers: printing.atHand,
    settle: ({ token }) => settingsReading.offer(id, token),
  });
}
