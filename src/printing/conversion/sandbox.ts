/**
 * Runs a program on a document in confinement (INVARIANTS.md D10, T17). The document goes in, standard output comes
 * out, and every other effect ends with the program. It knows no format. It uses the best room: the unit, then
 * namespaces, then limits. If that is weaker than the configuration requires, nothing runs. `-dSAFER` and similar
 * options are only promises of the programs; this is the boundary.
 */
import { Readable } from 'node:stream';
import { inSeconds, seconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { asProblem, isProblem, Problem } from '../../domain/problem/problem.ts';
import { startInOwnRoom } from './own-room.ts';
import type { Programs } from './conversion-programs.ts';
import { areUsual, found } from './conversion-programs.ts';
import type { Running, Task } from './running.ts';
import { failed, lettersMissing } from './running.ts';
import type { Confinement, OwnConfinement, SandboxLimits } from './sandbox-room.ts';
import { confinements } from './sandbox-room.ts';
import { turnstile } from '../../core/turnstile.ts';
import type { Env } from '../../domain/env.ts';
import { isUnitOpen, look, startInUnit, unitSocket } from './unit-room.ts';

export interface Sandbox {
  /**
   * The best confinement here. Rejects with `converter-missing` if there is none or a program is missing, and with
   * `converter-unconfined`.
   */
  confinement(options: CallOptions): Promise<Confinement>;
  /**
   * The program's output as it comes; it ends only if the program has succeeded. Otherwise throws
   * `document-not-convertible` (with the reason `killed` if a lack of memory may be the cause), `converter-missing` or
   * `converter-unconfined`.
   */
  run(task: Task, options: CallOptions): AsyncGenerator<Buffer>;
}

const mebibyte = 1024 ** 2;

/** INVARIANTS.md T17. */
export const usualLimits: SandboxLimits = {
  wall: seconds(60),
  cpu: seconds(30),
  addressSpace: 1024 * mebibyte,
  processes: 8,
  files: 1024 * mebibyte,
  output: 512 * mebibyte,
};

export interface SandboxDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly programs: Programs;
  /** `conversion.require`: in a weaker room nothing runs. */
  readonly atLeast: Confinement;
  readonly limits?: SandboxLimits;
  /** The best that the system gives, unless set. */
  readonly confinement?: Confinement;
  readonly socket?: string;
}

/** Programs at a time for all printers together: the machine must afford the limits of all of them. */
const atOnce = 2;

export const createSandbox = (deps: SandboxDeps): Sandbox => new ProgramSandbox(deps);

class ProgramSandbox implements Sandbox {
  readonly #deps: SandboxDeps;
  readonly #limits: SandboxLimits;
  readonly #socket: string;
  readonly #places = turnstile(atOnce);
  /** The best room, once it was found. */
  #room: Confinement | undefined;

  constructor(deps: SandboxDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? usualLimits;
    this.#socket = deps.socket ?? unitSocket;
    this.#room = deps.confinement;
  }

  async confinement(call: CallOptions): Promise<Confinement> {
    const { atLeast } = this.#deps;
    const room = await this.#roomHere(call);
    if (confinements.indexOf(room) >= confinements.indexOf(atLeast)) return room;
    throw new Problem(
      'converter-unconfined',
      `programs run in ${room} here, but conversion.require asks for ${atLeast}`,
    );
  }

  async *run(task: Task, call: CallOptions): AsyncGenerator<Buffer> {
    using _ = await this.#places.enter(call);
    try {
      yield* this.#outputOf(this.#begun(task, call), call);
    } catch (error) {
      // Perhaps the room itself has ended, so the next call looks for a room again.
      if (isProblem(error) && error.reasons.includes('killed')) this.#room = this.#deps.confinement;
      throw error;
    }
  }

  async #roomHere(call: CallOptions): Promise<Confinement> {
    this.#room ??= await this.#bestRoom(call);
    if (this.#room) return this.#room;
    // Not kept: a better room is looked for again the next time.
    if (await this.#works(this.#tried('limits', call), call)) return 'limits';
    throw new Problem(
      'converter-missing',
      'Platen cannot confine programs here, because setpriv and prlimit are needed',
    );
  }

  async #bestRoom(call: CallOptions): Promise<Confinement | undefined> {
    const { programs, chance } = this.#deps;
    const socket = this.#socket;
    if (areUsual(programs) && (await isUnitOpen(socket))) {
      const looking = startInUnit({ recipe: look, document: noDocument, socket, chance });
      if (await this.#works(looking, call)) return 'unit';
      // No weaker room is used instead, because a document could make the better one fail on purpose.
      throw new Problem(
        'converter-missing',
        'the unit platen-converter does not start, or has no gs and qpdf',
      );
    }
    await Promise.all([programs.ghostscript, programs.qpdf].map(found));
    return (await this.#works(this.#tried('namespaces', call), call)) ? 'namespaces' : undefined;
  }

  #tried(own: OwnConfinement, { signal }: CallOptions) {
    return startInOwnRoom({
      confinement: own,
      limits: this.#limits,
      signal,
      program: '/bin/sh',
      arguments: () => ['-c', ':'],
      document: noDocument,
    });
  }

  async #works(program: Running | Promise<Running>, call: CallOptions): Promise<boolean> {
    try {
      for await (const _ of this.#outputOf(program, call));
      return true;
    } catch (error) {
      call.signal.throwIfAborted();
      if (isProblem(error)) return false;
      throw error;
    }
  }

  async #begun({ recipe, document }: Task, call: CallOptions): Promise<Running> {
    const { programs, chance } = this.#deps;
    const limits = this.#limits;
    const room = await this.confinement(call);
    if (document.length > limits.files) throw failed(`the document is longer than ${limits.files} octets`);
    if (room === 'unit') return startInUnit({ recipe, document, socket: this.#socket, chance });
    const program = await found(programs[recipe.program]);
    return startInOwnRoom({ ...recipe, confinement: room, limits, program, document, ...call });
  }

  async *#outputOf(program: Running | Promise<Running>, { signal }: CallOptions): AsyncGenerator<Buffer> {
    await using running = await program;
    const limits = this.#limits;
    const late = this.#deps.clock.deadline(limits.wall, signal);
    late.addEventListener('abort', running.kill, { once: true });
    try {
      let octets = 0;
      for await (const chunk of running.output) {
        octets += chunk.length;
        if (octets > limits.output) throw failed(`it wrote more than ${limits.output} octets`);
        yield chunk;
      }
      checkEnd(await running.status());
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw failed(`it took longer than ${inSeconds(limits.wall)} s`);
      throw asProblem(error, 'document-not-convertible', 'the converter could not be run');
    } finally {
      late.removeEventListener('abort', running.kill);
    }
  }
}

const noDocument: Task['document'] = { length: 0, read: () => Readable.from([]) };

/** A shell's status for a program that a signal ended: 128 plus its number. */
const endedBy = { killed: 137, processorTime: 152 };
/** The status of our own Ghostscript programs for a missing letter (drawing-programs.ts). */
const withoutLetters = 255;

function checkEnd(status: number): void {
  if (status === 0) return;
  if (status === endedBy.processorTime) throw failed('it used up its processor time');
  if (status === endedBy.killed) throw failed('it was killed', { reasons: ['killed'] });
  if (status === withoutLetters) throw lettersMissing('it has not all letters of the document');
  throw failed(`it ended with status ${status}`);
}
