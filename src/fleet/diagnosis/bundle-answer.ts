/**
 * A member answers requests for its support bundle that come through the engine (F17). The request must be proven by
 * the fleet's key; the log names the asker. The bundle is the one of `platen support-bundle`, sealed for the asker.
 */
import { minutes, seconds } from '../../core/duration.ts';
import { restOrWake, Wake } from '../../core/periodic.ts';
import type { Secret } from '../../core/secret.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { Engine } from '../engine/engine.ts';
import type { FleetKeys } from '../engine/fleet-keys.ts';
import { allKeys } from '../engine/fleet-keys.ts';
import type { Row, Statement } from '../engine/line.ts';
import type { Question } from './bundle-sealing.ts';
import { isProven, sealAnswer } from './bundle-sealing.ts';
import * as statements from './bundle-statements.ts';

export interface DiagnosisDeps extends FleetKeys, Pick<Env, 'clock' | 'log'> {
  readonly engine: Pick<Engine, 'ask' | 'onNotice' | 'onState'>;
  readonly member: string;
  /** Makes the bundle; it may take a while. */
  bundle(signal: AbortSignal): Promise<Buffer>;
}

/** Notices may be missed, and each look removes old requests. */
const lookEvery = minutes(10);
const answerWithin = seconds(10);
const longestRound = minutes(15);
/** At most so many ids of each kind are remembered; real requests are never so many in an hour. */
const mostRemembered = 100;
/** A line may break while an answer goes. */
const mostTries = 3;

export const answerDiagnoses = (deps: DiagnosisDeps): Service => ({
  name: 'diagnosis',
  run: (signal, progress) => new Answering(deps).run(signal, progress),
});

class Answering {
  readonly #deps: DiagnosisDeps;
  readonly #refused = new Set<string>();
  /**
   * A question is answered once, or tried a few times, even if it is written again. Refused ids are kept apart: a
   * person who can read a question in the database can write any number of false ones.
   */
  readonly #tries = new Map<string, number>();

  constructor(deps: DiagnosisDeps) {
    this.#deps = deps;
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { engine, member, clock, log } = this.#deps;
    const wake = new Wake();
    using _notices = engine.onNotice(statements.diagnosisChannel, (to) => to === member && wake.ring());
    using _states = engine.onState(({ is }) => is === 'up' && wake.ring());
    while (!signal.aborted) {
      progress?.(longestRound);
      wake.answered();
      try {
        const rows = await this.#ask(statements.open, [member], signal);
        for (const row of rows) await this.#look(row, signal);
      } catch (error) {
        // The engine reports its own absence.
        if (!signal.aborted) log.debug('diagnosis not looked for', { error: asError(error) });
      }
      await restOrWake(lookEvery, { clock, wake }, signal);
    }
  }

  async #look(row: Row, signal: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    const { data: found } = statements.openShape.safeParse(row);
    const tries = (found && this.#tries.get(found.id)) ?? 0;
    if (!found || this.#refused.has(found.id) || tries >= mostTries) return;
    const { proof, ...question } = found;
    const facts = { by: question.by ?? undefined, from: question.from };
    const key = allKeys(this.#deps).find((one) => isProven(question, proof, one));
    if (!key) {
      keepRoom(this.#refused);
      this.#refused.add(found.id);
      log.warn('diagnosis refused', {
        ...facts,
        detail: 'the asking gateway does not have the key of the fleet',
      });
      return;
    }
    keepRoom(this.#tries);
    this.#tries.set(found.id, mostTries);
    log.info('diagnosis asked for', facts);
    try {
      await this.#answer(question, key, signal);
    } catch (error) {
      signal.throwIfAborted();
      log.warn('diagnosis not answered', { ...facts, error: asError(error) });
      // If this cannot be written either, the question stays open, and is tried again when the engine is back.
      this.#tries.set(question.id, tries + 1);
      await this.#ask(statements.answered, [question.id, null, 'its bundle could not be made'], signal);
    }
  }

  /** `key` proved the question. */
  async #answer(question: Question, key: Secret, signal: AbortSignal): Promise<void> {
    const { bundle, log } = this.#deps;
    const made = await bundle(signal);
    if (made.length > statements.mostOctets) {
      throw new Error(`the bundle has ${made.length} octets, and ${statements.mostOctets} are taken`);
    }
    const sealed = sealAnswer(question, made, key);
    const count = Math.ceil(sealed.length / statements.partOctets);
    for (let number = 0; number < count; number += 1) {
      const from = number * statements.partOctets;
      const body = sealed.subarray(from, from + statements.partOctets);
      await this.#ask(statements.part, [question.id, number, body], signal);
    }
    await this.#ask(statements.answered, [question.id, count, null], signal);
    log.info('diagnosis answered', { from: question.from, octets: made.length });
  }

  #ask(statement: Statement, values: readonly unknown[], signal: AbortSignal): Promise<readonly Row[]> {
    return this.#deps.engine.ask(statement, values, { signal, within: answerWithin });
  }
}

function keepRoom(remembered: Set<string> | Map<string, number>): void {
  if (remembered.size >= mostRemembered) remembered.clear();
}

const asError = (error: unknown): Error | undefined => (error instanceof Error ? error : undefined);
