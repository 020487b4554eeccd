/** The conversation of one terminal with the person in front of it, and its dependencies. */
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import type { Login } from '../domain/user.ts';
import type { OutageView, TerminalView } from '../domain/terminal/terminal-view.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { TerminalDeps } from '../terminal/world.ts';
import { createTerminal } from '../terminal/runner.ts';
import type { CloudSettings } from '../domain/terminal/terminal-settings.ts';
import { createSticks } from '../printing/stick/sticks.ts';
import type { StickSource } from '../terminal/person/stick.ts';
import type { StationPrinters } from './printers/printers.ts';
import type { StationSettings } from './settings.ts';
import type { StationDeps } from './world.ts';

interface ConversationDeps extends Pick<TerminalDeps, 'onStage' | 'onSignal'> {
  readonly settings: StationSettings;
  readonly printing: StationPrinters;
  /** Why people cannot be served; absent if they can. */
  outage(): OutageView | undefined;
}

export function openConversation(
  terminal: TerminalConfig,
  shared: StationDeps,
  { settings, printing, outage, onStage, onSignal }: ConversationDeps,
): Terminal {
  const { cloud, store, claims, settingsReading, conditions, lockOut, clock, chance, log, config } = shared;
  const { pictures, cardReturn } = shared;
  const { logins, documents, balance } = cloud;
  const { ledger, releases, languages, defaults } = store;
  const { desk } = printing;
  const ownAccountOf = ({ token }: Login) => cloud.directory(token).ownAccount;
  const { id, finish } = terminal;
  return createTerminal({
    id,
    logins,
    lockOut,
    conditions,
    documents,
    pictures,
    finish,
    balance,
    cardReturn,
    ledger,
    releases,
    claims,
    languages,
    defaults,
    desk,
    clock,
    chance,
    log,
    onStage,
    onSignal,
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

/** Tells a person in front of a screen where they are, and the currency of amounts. */
function signOf(
  { place }: Pick<TerminalConfig, 'place'>,
  { port }: CloudSettings,
  { currency }: Pick<Config['kiosk'], 'currency'>,
): Pick<TerminalView, 'sign' | 'currency'> {
  const printer = port?.name;
  return {
    ...((printer ?? place) && {
      sign: { ...(printer && { printer }), ...(place !== undefined && { place }) },
    }),
    ...(currency !== undefined && { currency }),
  };
}

/** The sticks of a terminal, if people may bring files to it, and the way of a file into the service. */
function stickSource(
  { stick }: Pick<TerminalConfig, 'stick'>,
  { cloud, clock, chance }: Pick<StationDeps, 'cloud' | 'clock' | 'chance'>,
): StickSource | undefined {
  if (!stick) return undefined;
  const bringingOf = ({ token }: Login) => cloud.directory(token).bringing;
  return {
    sticks: createSticks({ ...stick, clock, chance }),
    queue: stick.queue,
    bringing: {
      queue: (wanted, login, options) => bringingOf(login).queue(wanted, login, options),
      bring: (file, to, login, options) => bringingOf(login).bring(file, to, login, options),
    },
  };
}
