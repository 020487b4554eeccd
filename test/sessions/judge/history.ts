/** I2: each output is in the cloud's history in the end, and nobody is charged for what is not theirs to pay. */
import type { Readings, Violation } from './readings.ts';

export function lost({ chronicle, nameOf }: Readings): Violation[] {
  const told = new Set(chronicle.history.map(({ title }) => title));
  return chronicle.outputs.flatMap(({ document, terminal }) => {
    if (document === undefined || told.has(nameOf(document))) return [];
    return { invariant: 'I2', terminal, what: `${nameOf(document)} came out and has no history record` };
  });
}

/** More records than releases, where no answer of the service was spoilt and no agent was killed over it. */
export function charges({ chronicle, nameOf, outputsOf, releases }: Readings): Violation[] {
  const kills = chronicle.disturbances.filter(({ kind }) => kind === 'kill').length;
  return chronicle.documents.flatMap(({ uuid, name }) => {
    const rows = chronicle.history.filter(({ title }) => title === name);
    const mine = releases.filter(({ document }) => document === uuid);
    const taken = mine.filter(
      ({ ends }) => ends.length === 0 || ends.some(({ outcome }) => outcome !== 'failed'),
    );
    const spoilt = chronicle.calls.filter(
      ({ path, body, fault }) =>
        fault !== undefined && path.endsWith('/documents/history') && body.includes(name),
    );
    const terminal = mine.at(-1)?.terminal;
    if (rows.length > 0 && taken.length === 0 && outputsOf(uuid).length === 0) {
      return {
        invariant: 'I2',
        terminal,
        what: `${nameOf(uuid)} did not come out, all its releases failed, and it was charged`,
      };
    }
    if (rows.length <= taken.length + spoilt.length + kills) return [];
    return {
      invariant: 'I2',
      terminal,
      what: `${nameOf(uuid)} has ${rows.length} history records of ${taken.length} releases`,
    };
  });
}
