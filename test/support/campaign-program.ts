/** What a campaign is made of: programs that a seed and a number of runs drive, each with a table in the end. */
export interface Program {
  readonly name: string;
  /** What one run is, for the heading. */
  readonly what: string;
  /** In a whole campaign; infinite: all there are. */
  readonly runs: number;
  /** So many at a time, each time with a seed and a result of its own: it can be broken off between two, and goes on there. */
  readonly part?: number;
  run(order: Order): Promise<Result>;
}

export interface Order {
  readonly seed: number;
  readonly runs: number;
  /** Only these parts of it, by their numbers, where a program can be played in part. */
  readonly from?: number;
  readonly to?: number;
  /** After so many nothing new is begun, where a program can be ended early. */
  readonly minutes?: number;
  /** So many stages side by side, where a program has several. */
  readonly lanes?: number;
}

export interface Result {
  readonly table: string;
  /** What must not be, a sentence each; none in a campaign that has held. */
  readonly violations: readonly string[];
  /** Runs, where there may be fewer or more than were asked for. */
  readonly played?: number;
  /** What its line in the results says besides. */
  readonly facts?: Readonly<Record<string, number>>;
}
