/** What one terminal's configuration settles itself, and what its `auto` leaves to the cloud. */
import type { LocalSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalConfig } from './schema/config.ts';

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
  printerUri: unlessAuto(printer.uri),
  outputType: unlessAuto(printer.outputType),
  autoRelease: unlessAuto(session.autoRelease),
  logoutTimeoutSeconds: unlessAuto(session.logoutTimeoutSeconds),
  monochrome: unlessAuto(printer.monochrome),
  sendUsername: unlessAuto(printer.sendUsername),
  softwareCopyCollation: unlessAuto(printer.softwareCopies),
  isReverseFinisher: unlessAuto(printer.reverseOutput),
  ...localCardSettings(card),
  shortIdLogin: unlessAuto(login.shortId),
  passwordLogin: unlessAuto(login.password),
  cardEnrollment: unlessAuto(login.enrollment),
});

const unlessAuto = <Value>(setting: Value | 'auto'): Exclude<Value, 'auto'> | undefined =>
  setting === 'auto' ? undefined : (setting as Exclude<Value, 'auto'>);
