/** Splits the settings of a terminal: values of its configuration are fixed, `auto` leaves a value to the service. */
import type { LocalSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalConfig } from './schema/config.ts';
import { localPrinterSettings } from './schema/printer.ts';
import { unlessAuto } from './schema/values.ts';

type CardConfig = TerminalConfig['card'];

/**
 * With a card rule, the service's settings for card numbers do not apply, because they would change the result of the
 * rule.
 */
const unlessRuled = ({ rule }: CardConfig): false | undefined => (rule.chains.length > 0 ? false : undefined);

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
