/** A queue of jobs. The next job begins when the job before it has ended, or lets it go on. */

/** `goOn` lets the next job be prepared. */
type Job = (goOn: () => void) => Promise<void>;

export class Queue {
  readonly #jobs: Job[] = [];
  readonly #running = new Set<Promise<void>>();
  #working: Promise<void> | undefined;

  add(job: Job): void {
    this.#jobs.push(job);
    this.#working ??= this.#work();
  }

  async untilIdle(): Promise<void> {
    await this.#working;
    await Promise.all(this.#running);
  }

  async #work(): Promise<void> {
    // Wait a microtask: the caller that hands in a ticket may be a machine in the middle of a transition.
    await Promise.resolve();
    for (let next = this.#jobs.shift(); next; next = this.#jobs.shift()) await this.#untilNextMayBegin(next);
    this.#working = undefined;
  }

  #untilNextMayBegin(job: Job): Promise<void> {
    return new Promise((goOn) => {
      const run = job(goOn).finally(() => {
        this.#running.delete(run);
        goOn();
      });
      this.#running.add(run);
    });
  }
}
