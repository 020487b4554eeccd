/**
 * The developer log of one terminal: while the service wants it (TerminalConfig, developerLogEnabled) all its records
 * are told from debug up, whatever level is configured. And what there is for it to tell: each change of what the
 * terminal shows, and how long each stage took. Nothing of who or what it was (T20), hence without a limit of time.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';
import type { RootLog } from '../core/log.ts';
import type { AdoptedSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';

export interface DeveloperLog {
  /** The service may say something else, or the terminal may show something else. */
  look(): void;
  stageTook(took: { readonly stage: string; readonly span: Duration }): void;
}

export function createDeveloperLog(options: {
  readonly terminal: string;
  readonly log: RootLog;
  settings(): AdoptedSettings;
  view(): TerminalView;
}): DeveloperLog {
  const { terminal, settings } = options;
  const { levels } = options.log;
  const log = options.log.with({ terminal });
  let shown = '';

  function tellView(): void {
    const facts = factsOf(options.view());
    const now = JSON.stringify(facts);
    if (now === shown) return;
    shown = now;
    log.debug('terminal shows', facts);
  }

  return {
    look() {
      levels.developerLog(terminal, settings().developerLog.value ? 'on' : 'off');
      if (levels.tells('debug', terminal)) tellView();
    },
    stageTook: ({ stage, span }) => log.debug('stage took', { stage, seconds: inSeconds(span) }),
  };
}

/** Picked by name: a view also has what is for the person in front alone. */
const factsOf = ({ state, waiting, readers, printer, outage, asks }: TerminalView) => ({
  state,
  waiting,
  readers,
  asks,
  printer: printer?.lamp,
  printerNeeds: printer?.needs,
  outage: outage?.reason,
});
