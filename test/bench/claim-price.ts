/**
 * What a claim adds to a release: it is taken before the intent, and the job is announced before the first byte (F5, F6).
 * Asked of a real and durable PostgreSQL on this machine, by two members with a release in hand each; without a fleet
 * neither takes any time.
 */
import { loadavg } from 'node:os';
import { systemChance } from '../../src/core/chance.ts';
import { notStopped, wishFor } from '../contracts/claims.ts';
import { job } from '../support/store/release-samples.ts';
import type { FleetMember } from '../support/fleet/fleet-member.ts';
import { startMember } from '../support/fleet/fleet-member.ts';
import { startPostgres } from '../support/fleet/postgres.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';

const releases = 2000;
const shares = [0.5, 0.95, 0.99, 1] as const;

export async function measureClaimPrice(): Promise<Measurement> {
  await using postgres = await startPostgres();
  const url = await postgres.newDatabase();
  await using entrance = await startMember(url);
  await using upstairs = await startMember(url);
  const asked = await Promise.all([entrance, upstairs].map(pricesOf));
  const take = asked.flatMap((one) => one.take);
  const sending = asked.flatMap((one) => one.sending);
  const both = asked.flatMap((one) => one.take.map((span, index) => span + (one.sending[index] ?? 0)));
  const row = (name: string, spans: readonly number[]) => [
    name,
    ...shares.map((share) => inMilliseconds(percentile(spans, share))),
  ];
  const [load = 0] = loadavg();
  return {
    title: 'Price of a claim',
    how:
      `${releases} releases of two members at once, fsync on, no network in between. ` +
      `The load of the machine was ${load.toFixed(1)}.`,
    rows: [
      ['', 'p50', 'p95', 'p99', 'max'],
      row('claim taken', take),
      row('job announced', sending),
      row('a release', both),
    ],
    goals: [
      { what: 'a release, p50', figure: percentile(both, 0.5), limit: 5, unit: 'ms' },
      { what: 'a release, p99', figure: percentile(both, 0.99), limit: 25, unit: 'ms' },
    ],
  };
}

async function pricesOf({ claims }: FleetMember) {
  const take: number[] = [];
  const sending: number[] = [];
  for (let release = 0; release < releases / 2; release += 1) {
    const begun = performance.now();
    const claim = await claims.take(wishFor(systemChance.uuid()), notStopped);
    const taken = performance.now();
    await claims.sending(claim, job, notStopped);
    take.push(taken - begun);
    sending.push(performance.now() - taken);
  }
  return { take, sending };
}
