/**
 * How a command that the command line names comes to work. It is loaded when it is called, so that the daemon carries
 * nothing of the others; and it works as the service's user (service-user.ts): only what it `opens` is still done as
 * whoever called, and reads nothing.
 */
import type { Io } from './io.ts';
import { becomeServiceUser, serviceUser } from './service-user.ts';

export type Load<Options> = () => Promise<(options: Options, io: Io) => Promise<number>>;

/** What the action of a command of commander is. */
export type Call<Given> = (given: Given) => Promise<void>;

interface Opening<Given, Options> {
  readonly load: Load<Options>;
  open(given: Given, io: Io): Options;
  /** The groups that the command keeps beside those of the service's user. */
  groups?(io: Io): Promise<readonly number[]>;
}

export class Calls {
  readonly #io: Io;
  readonly #ended: (code: number) => void;

  /** `ended` is told the exit code. */
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
      const options = open(given, this.#io);
      becomeServiceUser(groups && serviceUser() ? await groups(this.#io) : []);
      this.#ended(await action(options, this.#io));
    };
  }

  /** For what writes as root, and becomes the service's user by itself. */
  asCaller<Options>(load: Load<Options>): Call<Options> {
    return async (options) => this.#ended(await (await load())(options, this.#io));
  }
}
