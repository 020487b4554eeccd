/** What tells somebody in front of a screen where they are, and what they count in. */
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import type { CloudSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';

export function signOf(
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
