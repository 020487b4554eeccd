/** What one terminal's configuration settles itself, and what its `auto` leaves to the cloud. */
import type { LocalSettings } from '../domain/terminal-settings.ts';
import type { TerminalConfig } from './schema.ts';

export const localSettings = ({ printer, card, session }: TerminalConfig): LocalSettings => ({
  printerUri: unlessAuto(printer.uri),
  outputType: unlessAuto(printer.outputType),
  autoRelease: unlessAuto(session.autoRelease),
  logoutTimeoutSeconds: unlessAuto(session.logoutTimeoutSeconds),
  monochrome: unlessAuto(printer.monochrome),
  sendUsername: unlessAuto(printer.sendUsername),
  softwareCopyCollation: unlessAuto(printer.softwareCopies),
  isReverseFinisher: unlessAuto(printer.reverseOutput),
  trimCardId: card.trim === 'auto' ? undefined : card.trim === 'zeros',
  decimalFormatForCardIds: unlessAuto(card.decimal),
});

const unlessAuto = <Value>(setting: Value | 'auto'): Exclude<Value, 'auto'> | undefined =>
  setting === 'auto' ? undefined : (setting as Exclude<Value, 'auto'>);
