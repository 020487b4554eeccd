/** The terminals that run at the moment, for everything that asks about them. `stations.ts` opens and ends them. */
import type { RunningStation } from './running-station.ts';
import type { Station } from './station.ts';

export class Roster {
  readonly #running = new Map<string, RunningStation>();
  #order: readonly string[] = [];

  /** In the order of the configuration. Terminals that are about to end come last. */
  list(): readonly Station[] {
    const ids = new Set([...this.#order, ...this.#running.keys()]);
    return [...ids].flatMap((id) => this.#running.get(id)?.station ?? []);
  }

  of(id: string): Station | undefined {
    return this.#running.get(id)?.station;
  }

  /** No person is at any of them. */
  isUnattended(): boolean {
    return this.list().every(({ terminal }) => terminal.isIdle());
  }

  /** No person is at it, and nothing of it is on its way out. */
  isIdle(id: string): boolean {
    const station = this.of(id);
    return !station || useOf(station) === undefined;
  }

  /** In the order in which they were opened. */
  running(): readonly RunningStation[] {
    return [...this.#running.values()];
  }

  runningAs(id: string): RunningStation | undefined {
    return this.#running.get(id);
  }

  add(one: RunningStation): void {
    this.#running.set(one.station.id, one);
  }

  remove(id: string): void {
    this.#running.delete(id);
  }

  /** The ids as the configuration lists them. */
  orderBy(ids: readonly string[]): void {
    this.#order = ids;
  }
}

/** Why a change of the terminal must wait. */
export function useOf({ terminal, desk }: Station): string | undefined {
  if (!terminal.isIdle()) return 'somebody is using it';
  return desk.isIdle() ? undefined : 'a document is being printed';
}
