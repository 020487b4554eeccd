/**
 * This gateway as a member of a fleet: connects its engine with claims, holds, wills and configuration. The code is
 * loaded only in a fleet (F4).
 */
import type { EngineAddress } from '../config/engine-address.ts';
import type { Config } from '../config/schema/config.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { ClaimBooks, Claims } from '../domain/ports/claims.ts';
import type { Gateways } from '../domain/ports/gateways.ts';
import type { OutputPorts } from '../domain/ports/service.ts';
import type { Holds, HoldUser } from '../domain/ports/holds.ts';
import { FleetClaims } from './claims.ts';
import type { DiagnosisDeps } from './diagnosis/bundle-answer.ts';
import { answerDiagnoses } from './diagnosis/bundle-answer.ts';
import type { FleetDigestsDeps } from './members/digests.ts';
import { createFleetGateways, FleetDigests } from './members/digests.ts';
import type { FleetConfiguration } from './configuration/configuration.ts';
import { followConfiguration } from './configuration/configuration.ts';
import type { FollowerUser } from './configuration/follower.ts';
import type { Allegiance } from './engine/allegiance.ts';
import type { Engine } from './engine/engine.ts';
import { createEngine } from './engine/engine.ts';
import type { KeptBeat, Member } from './engine/membership.ts';
import type { Headcount } from './members/headcount.ts';
import { createHeadcount } from './members/headcount.ts';
import { createHoldTable } from './hold-table.ts';
import { createFleetHolds } from './holds.ts';
import { logMoves } from './wishes.ts';
import { createPortTable } from './port-table.ts';
import { createRecollection } from './recollection.ts';
import { createFleetSealing } from './fleet-sealing.ts';
import type { AloneRecord } from './solitude.ts';
import { createSolitude } from './solitude.ts';
import { createSharedPorts } from './ports-for-all.ts';
import type { FleetWillsDeps } from './wills.ts';
import { FleetWills } from './wills.ts';

export interface FleetDeps extends Env {
  readonly config: NonNullable<Config['fleet']>;
  /** Reads the file and the files that it names again. */
  readonly configAgain: () => Config['fleet'];
  readonly member: Omit<Member, 'incarnation' | 'site'>;
  readonly books: ClaimBooks;
  readonly ledger: FleetWillsDeps['ledger'];
  readonly unknownHold: FleetWillsDeps['unknownHold'];
  /** The number of gateways, for the next start. */
  readonly sizeFile: { read(): number; keep(gateways: number): void };
  /** Claims by the ledger only. */
  readonly alone: Claims;
  /** By the engine's address: a promise at one engine does not hold at another. */
  readonly aloneRecord: (engine: string) => AloneRecord;
  readonly keptBeat: KeptBeat;
  readonly allegiance: Allegiance;
  readonly placeOf: (terminal: string) => string;
}

export interface Fleet extends AsyncDisposable {
  readonly engine: Engine;
  readonly claims: FleetClaims;
  readonly headcount: Headcount;
  holds(user: HoldUser): Holds;
  configuration(user: Omit<FollowerUser, 'place' | 'signers'>): FleetConfiguration;
  readonly wills: FleetWills;
  digests(own: Pick<FleetDigestsDeps, 'own' | 'isNews'>): FleetDigests;
  readonly gateways: Gateways;
  /** Answers requests for the support bundle that come through the engine. */
  diagnoses(bundle: DiagnosisDeps['bundle']): Service;
  /** `account`: the address of the service, and the key for it. */
  sharedPorts(ports: OutputPorts, account: string): OutputPorts;
}

export function openFleet({
  config,
  configAgain,
  member: known,
  books,
  ledger,
  unknownHold,
  sizeFile: kept,
  alone,
  aloneRecord,
  keptBeat,
  allegiance,
  placeOf,
  ...world
}: FleetDeps): Fleet {
  const { site, key, previousKey } = config;
  const keys = { key, previousKey };
  const { clock, chance, log } = world;
  const member = { ...known, site, incarnation: chance.uuid() };
  const sealing = createFleetSealing({ ...keys, chance });
  const common = { member: member.id, books, placeOf, proofs: sealing, clock, log };
  const recordAt = (address: EngineAddress): AloneRecord => aloneRecord(placeNamed(address));
  const solitude = createSolitude({ record: recordAt(config.engine.url), ...common });
  const engine = createEngine({
    address: config.engine.url,
    ...keys,
    member,
    keptBeat,
    allegiance,
    ...world,
    addressAgain: () => configAgain()?.engine.url,
    onAddress: (address) => solitude.moved(recordAt(address)),
  });
  const shared = { engine, solitude, sealing, ...common };
  // Members of another fleet know prints that this member does not know.
  engine.onState((state) => {
    if (state.is === 'away' && state.problem.code === 'fleet-differs') solitude.end();
  });
  logMoves(engine, { site, log });
  const wills = new FleetWills({ ...shared, ledger, unknownHold, chance });
  return {
    engine,
    wills,
    headcount: createHeadcount({ engine, kept, allegiance, clock, chance, log }),
    claims: new FleetClaims({
      recollection: createRecollection({ conditions: world.conditions, ...common }),
      alone,
      onLeft: (documents) => wills.asked(documents),
      ...shared,
    }),
    digests: (own) => new FleetDigests({ engine, member, ...own, clock, chance, log }),
    gateways: createFleetGateways(engine, member),
    diagnoses: (bundle) => answerDiagnoses({ engine, member: member.id, ...keys, bundle, clock, log }),
    holds: (user) =>
      createFleetHolds({
        table: createHoldTable(engine, member),
        isAlone: () => solitude.isAlone(),
        site,
        user,
        ...world,
      }),
    configuration: (user) =>
      followConfiguration({
        engine,
        member: member.id,
        ...world,
        user: { ...user, place: { name: member.name, site }, signers: config.signers },
      }),
    sharedPorts: (ports, account) =>
      createSharedPorts({
        ports,
        clock,
        chance,
        log,
        table: createPortTable({ engine, member, ...keys, account, clock, chance }),
      }),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

const placeNamed = ({ hosts, database }: EngineAddress): string =>
  `${hosts.map(({ name, port }) => `${name}:${port}`).join()}/${database}`;
