/** The parts that all stations share. They are made once for each agent. */
import type { Cloud } from '../cloud/client.ts';
import type { ServiceClock } from '../cloud/link/service-clock.ts';
import type { SettingsReading } from '../cloud/settings/settings-reading.ts';
import type { Config } from '../config/schema/config.ts';
import type { Settling } from '../domain/settling.ts';
import { createLockOut } from '../domain/lock-out.ts';
import type { Holds } from '../domain/ports/holds.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Metrics } from '../operations/metrics.ts';
import { createConverter } from '../printing/conversion/converter.ts';
import { createSandbox } from '../printing/conversion/sandbox.ts';
import { systemTrust } from '../printing/ipp/system-trust.ts';
import { createPagePictures, pictureLimits } from '../printing/preview/page-pictures.ts';
import { createDialIn } from '../readers/tcp/dial-in.ts';
import { createEmbeddedClaims } from '../release/claiming.ts';
import type { OnTheWay } from '../release/on-the-way.ts';
import { createPrinterTurns } from '../release/turns.ts';
import type { Shared } from '../station/world.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { CloudLink } from './cloud-link.ts';
import type { Ground } from './ground.ts';
import type { WiredDeps } from './options.ts';

interface SharingAgent extends Pick<WiredDeps, 'clock' | 'chance' | 'log'> {
  /** The configuration in force at this moment. */
  config(): Config;
  readonly startedWith: Pick<Config, 'conversion'>;
  readonly ground: Ground;
  readonly cloud: Cloud;
  readonly fleet: Pick<Fleet, 'claims'> | undefined;
  readonly holds: Holds;
  readonly onTheWay: OnTheWay;
  readonly settingsReading: SettingsReading;
  readonly metrics: Metrics;
  readonly settling: Settling;
  readonly traces: TraceExporter | undefined;
  readonly serviceTime: ServiceClock;
  readonly link: Pick<CloudLink, 'obstacle' | 'cardReturn'>;
}

export function sharedOf({ startedWith, ground, fleet, ...agent }: SharingAgent): Shared {
  const { config, cloud, holds, onTheWay, settingsReading, metrics, settling, traces, serviceTime, link } =
    agent;
  const { clock, chance, log } = agent;
  const { store, spool, conditions, safeMode, health } = ground;
  const { conversion } = startedWith;
  const confined = { clock, chance, programs: conversion, atLeast: conversion.require };
  const sandbox = createSandbox(confined);
  const pictureSandbox = createSandbox({ ...confined, limits: pictureLimits });
  return {
    config,
    obstacle: () => link.obstacle(),
    cardReturn: link.cardReturn,
    cloud,
    settingsReading,
    metrics,
    settling,
    traces,
    holds,
    store,
    spool,
    conditions,
    health,
    clock,
    chance,
    log,
    serviceTime,
    claims: fleet?.claims ?? createEmbeddedClaims({ ledger: store.ledger }),
    onTheWay,
    setAside: safeMode.setAside,
    turns: createPrinterTurns(),
    lockOut: createLockOut({ key: chance.bytes(32) }),
    converter: safeMode.guard(createConverter({ sandbox, spool, clock })),
    pictures: safeMode.guardPictures(createPagePictures({ sandbox: pictureSandbox })),
    trust: systemTrust(),
    dialIn: createDialIn({ clock, log }),
  };
}
