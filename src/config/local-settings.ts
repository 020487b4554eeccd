/** What one terminal's configuration settles itself, and what its `auto` leaves to the cloud. */
import type { LocalSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalConfig } from './schema/config.ts';
import { localPrinterSettings } from './schema/printer.ts';
import { unlessAuto } from './schema/values.ts';

type CardConfig = TerminalConfig['card'];

/** A rule says all of it: what the cloud says of card numbers would spoil what it gives. */
const unlessRuled = ({ rule }: CardConfig): false | undefined => (rule.chains.length > 0 ? false : undefined);

/** What becomes of a card number here. */
export const localCardSettings = (
  card: CardConfig,
): Pick<LocalSettings, 'trimCardId' | 'decimalFormatForCardIds'> => ({
  trimCardId: card.trim === 'auto' ? unlessRuled(card) : card.trim === 'zeros',
  decimalFormatForCardIds: unlessAuto(card.decimal) ?? unlessRuled(card),
});

export const localSettings = ({ printer, card, session, login }: TerminalConfig): LocalSettings => ({
  ...localPrinterSettings(printer),
  ...localCardSettings(card),
  autoRelease: unlessAuto(session.autoRelease),
  logoutTimeoutSeconds: unlessAuto(session.logoutTimeoutSeconds),
  shortIdLogin: unlessAuto(login.shortId),
  passwordLogin: unlessAuto(login.password),
  cardEnrollment: unlessAuto(login.enrollment),
});
