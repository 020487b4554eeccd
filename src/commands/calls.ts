/**
 * How a command of the command line is run. Its code is loaded when it is called, so that the daemon does not load the
 * other commands. It works as the service's user (service-user.ts). Only `open` still runs as the caller, for files
 * that the service's user may not open.
 */
import type { Io } from './io.ts';
import { becomeServiceUser, serviceUser } from './service-user.ts';

export type Load<Options> = () => Promise<(options: Options, io: Io) => Promise<number>>;

/** The action of a command, as commander calls it. */
export type Call<Given> = (given: Given) => Promise<void>;

interface Opening<Given, Options> {
  readonly load: Load<Options>;
  open(given: Given, io: Io): Options | Promise<Options>;
  /** Groups that the command gets in addition to those of the service's user. */
  groups?(io: Io): Promise<readonly number[]>;
}

export class Calls {
  readonly #io: Io;
  readonly #ended: (code: number) => void;

  /** `ended` gets the exit code. */
  constructor(io: Io, ended: (code: number) => void) {
    this.#io = io;
    this.#ended = ended;
  }

  does<Options>(load: Load<Options>): Call<Options> {
    return this.opens({ load, open: (given: Options) => given });
  }

  opens<Given, Options>({ load, open, groups }: Opening<Given, Options>): Call<Given> {
    return async (given) => {
      const action = await load();
      const options = await open(given, this.#io);
      becomeServiceUser(groups && serviceUser() ? await groups(this.#io) : []);
      this.#ended(await action(options, this.#io));
    };
  }

  /** For commands that write as root, and become the service's user themselves. */
  asCaller<Options>(load: Load<Options>): Call<Options> {
    return async (options) => this.#ended(await (await load())(options, this.#io));
  }
}
