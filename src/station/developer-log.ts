/**
 * The developer log of one terminal. While the service wants it (TerminalConfig, developerLogEnabled), all records of
 * the terminal are told from debug up, whatever level is configured. It also tells each change of the view, and the
 * duration of each stage. It names no person and no document (T20), so it has no time limit.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';
import type { RootLog } from '../core/log.ts';
import type { AdoptedSettings } from '../domain/terminal/terminal-settings.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';

export interface DeveloperLog {
  /** The service's setting or the terminal's view may have changed. */
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

/** Picked by name, because a view also has facts that are for the person in front only. */
const factsOf = ({ state, waiting, readers, printer, outage, asks }: TerminalView) => ({
  state,
  waiting,
  readers,
  asks,
  printer: printer?.lamp,
  printerNeeds: printer?.needs,
  outage: outage?.reason,
});
