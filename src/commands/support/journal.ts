/** What systemd's journal has of the unit, as it stands there: `log.ts` reads it. */
import type { RunProgram } from '../program.ts';

/** `undefined` where it has nothing, or not for us. */
export const askJournal = (run: RunProgram): Promise<string | undefined> =>
  run('journalctl', [
    '--unit=platen.service',
    '--since=-7days',
    '--lines=5000',
    '--output=cat',
    '--no-pager',
    '--quiet',
  ]);
