/**
 * Deeds of administrators at this gateway: they settle releases that wait for a decision, and acknowledge conditions.
 */
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Deeds } from '../operations/ui/deeds.ts';
import type { Acknowledgements } from '../status/acknowledgements.ts';
import { createAcknowledgements } from '../status/acknowledgements.ts';
import type { Unsettled } from '../status/unsettled.ts';
import { createUnsettled } from '../status/unsettled.ts';
import { openAcknowledgements } from '../store/files/condition-notes.ts';
import type { Ground } from './ground.ts';

export interface AdministratorsDeeds {
  readonly acknowledgements: Acknowledgements;
  readonly settle: Unsettled['settle'];
  readonly deeds: Deeds;
}

export function deedsOf(agent: {
  readonly config: Pick<Config, 'stateDir'>;
  configNow(): Config;
  readonly ground: Pick<Ground, 'store' | 'conditions'>;
  readonly clock: Clock;
  readonly log: Log;
}): AdministratorsDeeds {
  const { config, configNow, ground, clock, log } = agent;
  const { store, conditions } = ground;
  const terminal = (id: string) => configNow().terminals.find((one) => one.id === id);
  const register = openAcknowledgements({ stateDir: config.stateDir, log });
  const acknowledgements = createAcknowledgements({ conditions, register, clock, log });
  const { list, settle } = createUnsettled({
    ledger: store.ledger,
    releases: store.releases,
    finishOf: (id) => terminal(id)?.finish,
    log,
  });
  return {
    acknowledgements,
    settle,
    deeds: {
      unsettled: () =>
        list().map((one) => ({ ...one, place: terminal(one.terminal)?.place ?? one.terminal })),
      settle,
      acknowledge: (...which) => acknowledgements.acknowledge(...which),
    },
  };
}
