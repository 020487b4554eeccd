/** Configuration of a fleet that changes while a document is let out: a signer goes, a version halts, and is led back (F15, F16). */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { Signer } from '../support/fleet/office.ts';
import { allBeat } from './fleet-beats.ts';
import type { Edge, Struck } from './fleet-edges.ts';
import type { FleetPlay } from './fleet-play.ts';
import { until, untilReady } from './kill-runs.ts';
import type { Place } from './three-gateways.ts';

interface PlaceConfig {
  fleet: Record<string, unknown>;
  operations?: object;
}

/** Its gateway stops in the midst of it, and comes back without what was signed; later the signer is believed again. */
export async function signerOf(at: Struck): Promise<Edge> {
  const { play, place, office, span } = at;
  const believe = (which: Signer) =>
    change(place, ({ fleet }) => void (fleet['signers'] = [office.signer(which)]));
  await followVersion(at);
  return {
    strike() {
      believe('second');
      play.agentAt(place).signal('SIGTERM');
    },
    async heal() {
      await startAgain(play, place);
      await sleep(span);
      believe('first');
      await restart(play, place);
    },
  };
}

/** Its gateway cannot start with the version that it took, so the roll-out halts; it is undone. */
export async function takenListener(at: Struck): Promise<Edge> {
  const { play, place, office } = at;
  await followVersion(at);
  change(place, (config) => delete config.operations);
  // From its next start on that version is the one to which the gateway goes back.
  await restart(play, place);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const listen = `127.0.0.1:${port}`;
  const version = await office.push({
    ...filesOf(play),
    [`gateways/${place.member}.yaml`]: { operations: { listen } },
  });
  return {
    strike: () => office.roll(version, soak),
    async heal() {
      const agent = play.agentAt(place);
      await until('the version is taken', () => agent.times('config version taken') > 0);
      agent.signal('SIGTERM');
      await startAgain(play, place);
      // With that version it cannot start, and is started once more, as systemd does.
      await startAgain(play, place);
      await office.until('halted');
      other.close();
      await office.undo();
      await office.until('finished');
      change(place, (config) => (config.operations = { listen: '127.0.0.1:0' }));
      await untilReady(play.agentAt(place));
    },
  };
}

/** A version that every gateway refuses is undone while its roll-out has halted. */
export async function haltedBy(at: Struck): Promise<Edge> {
  const { play, office } = at;
  await followVersion(at);
  const bad = { ...filesOf(play), 'base.yaml': { cloud: { caFile: 'missing.pem' } } };
  await office.roll(await office.push(bad), soak);
  await office.until('halted');
  return { strike: () => office.undo(), heal: () => office.until('finished') };
}

/** Seconds in which a roll-out does not finish by itself. */
const soak = 300;

async function followVersion({ play, office }: Struck): Promise<void> {
  await allBeat(play.stage);
  await office.roll(await office.push(filesOf(play)), 0);
  await office.until('finished');
}

const filesOf = ({ stage: { places } }: FleetPlay) => ({
  'base.yaml': { kiosk: { currency: 'EUR' } },
  ...Object.fromEntries(
    places.map(({ member }) => [`gateways/${member}.yaml`, { operations: { listen: '127.0.0.1:0' } }]),
  ),
});

async function restart(play: FleetPlay, place: Place): Promise<void> {
  play.agentAt(place).signal('SIGTERM');
  await startAgain(play, place);
  await untilReady(play.agentAt(place));
}

async function startAgain(play: FleetPlay, place: Place): Promise<void> {
  const agent = play.agentAt(place);
  await until(`the gateway of ${place.name} has ended`, () => agent.hasEnded());
  play.startAt(place);
}

function change({ configFile }: Place, edit: (config: PlaceConfig) => unknown): void {
  const config = parse(readFileSync(configFile, 'utf8')) as PlaceConfig;
  edit(config);
  writeFileSync(configFile, stringify(config), { mode: 0o600 });
}
