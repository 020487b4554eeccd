/**
 * Whether the time of a refused login tells why (INVARIANTS.md T09): unknown user, wrong password, wrong PIN, and one
 * that is locked out and for whom the service is not asked at all. Through the admission that every terminal has, over a
 * line of 50 ms. Each attempt is a terminal's of its own, for a terminal is locked after twenty.
 */
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { createLockOut, lockOutLimits } from '../../src/domain/lock-out.ts';
import type { Credentials } from '../../src/domain/user.ts';
import { createAdmission } from '../../src/terminal/admission.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { cloudAt } from '../support/cloud/cloud-under-test.ts';
import { recordConditions } from '../support/terminal/login-world.ts';
import { enrol } from '../support/cloud/hand-client.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio } from './figures.ts';
import { openLatencyLine } from './latency-line.ts';
import { people } from '../support/agent/people.ts';

const roundTrip = 50;
const rounds = 40;

export async function measureLoginFailures(): Promise<Measurement> {
  const crowd = people(2 * rounds + 1).map((person) => ({ ...person, pin: '4711' }));
  await using cloud = await startCloud({
    approval: 'at-once',
    seed: { ...sampleData, users: crowd, documents: [] },
  });
  const { device } = await enrol(cloud);
  await using line = await openLatencyLine(cloud.baseUrl, roundTrip);
  const deviceTokens = { current: async () => new Secret(device), refused: () => {}, denied: () => {} };
  await using under = cloudAt(line.url, { apiKey: new Secret(cloud.apiKey), deviceTokens });
  const { logins } = under.cloud;
  const lockOut = createLockOut({ key: systemChance.bytes(32) });
  const { signal } = new AbortController();
  let attempts = 0;

  /** Milliseconds to the refusal. */
  async function refused(credentials: Credentials): Promise<number> {
    const admit = createAdmission({
      terminal: `t${(attempts += 1)}`,
      logins,
      lockOut,
      conditions: recordConditions(),
      clock: systemClock,
      stopped: signal,
      log: createLog({ level: 'fatal' }),
    });
    const since = performance.now();
    await admit(credentials, { signal }).then(
      () => {
        throw new Error('a login was accepted that must be refused');
      },
      () => {},
    );
    return performance.now() - since;
  }

  const withPassword = (userName: string): Credentials => ({
    kind: 'password',
    userName,
    password: new Secret('not the password'),
  });
  const nameOf = (index: number): string => crowd[index]?.userName ?? '';
  const locked = nameOf(2 * rounds);
  const kinds: Readonly<Record<string, (round: number) => Credentials>> = {
    'unknown user': (round) => withPassword(`nobody-${round}`),
    'wrong password': (round) => withPassword(nameOf(round)),
    'wrong PIN': (round) => ({
      kind: 'card',
      card: new CardNumber(crowd[rounds + round]?.card ?? ''),
      password: new Secret('0000'),
    }),
    'locked out': () => withPassword(locked),
  };
  for (let failure = 0; failure <= lockOutLimits.identity.refusals; failure += 1)
    await refused(withPassword(locked));
  const spans = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, credentials] of Object.entries(kinds)) {
      const before = cloud.calls.length;
      spans.get(kind)?.push(await refused(credentials(round)));
      const isAsked = cloud.calls.length > before;
      if (isAsked !== (kind !== 'locked out')) throw new Error(`${kind}: asked the service: ${isAsked}`);
    }
  }
  return report(spans);
}

function report(spans: ReadonlyMap<string, readonly number[]>): Measurement {
  const medians = [...spans.values()].map((values) => percentile(values, 0.5));
  const [quickest, slowest] = [Math.min(...medians), Math.max(...medians)];
  return {
    title: 'Refused logins, by why they are refused',
    how: `${rounds} each, turn about, over a line with a round trip of ${roundTrip} ms; after a refusal one more call tells whether it was the device token's.`,
    rows: [
      ['', 'p50', 'p95', 'to the quickest'],
      ...[...spans].map(([kind, values]) => [
        kind,
        ...[0.5, 0.95].map((share) => inMilliseconds(percentile(values, share))),
        ratio(percentile(values, 0.5), quickest),
      ]),
    ],
    goals: [{ what: 'slowest median to quickest', figure: slowest / quickest, limit: 1.2, unit: '×' }],
  };
}
