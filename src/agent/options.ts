/** What an agent is started with, and what is opened for it before it is wired. */
import type { LookupFunction } from 'node:net';
import type { PushedChoice } from '../config/pushed/over-local.ts';
import type { Config } from '../config/schema/config.ts';
import type { RootLog } from '../core/log.ts';
import type { Env } from '../domain/env.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Kiosk } from '../kiosk/server/server.ts';
import type { InheritedSockets } from '../operations/inherited-sockets.ts';
import type { ServiceManager } from '../operations/service-manager.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { Ground } from './ground.ts';
import type { ReadConfig } from './reload.ts';

export interface AgentDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly config: Config;
  /** Where that was read, for the status. */
  readonly configFile?: string;
  /** What `platen reload` reads; what is in force already unless said. */
  readonly readConfig?: ReadConfig;
  /** Of `readConfig`: which of the fleet's configuration it reads under the own file. */
  readonly pushed?: PushedChoice;
  readonly log: RootLog;
  /** Its support bundle, for whoever asks by the engine of its fleet; nobody is answered unless said. */
  readonly bundle?: (signal: AbortSignal) => Promise<Buffer>;
  /** How the names of the service's servers are looked up; the system's way unless said. */
  readonly lookup?: LookupFunction;
  /** Who started it and wants to hear how it is; nobody unless said. */
  readonly manager?: ServiceManager;
  /** Those that systemd kept; none unless said. */
  readonly sockets?: InheritedSockets;
}

export type WiredDeps = AgentDeps & { readonly manager: ServiceManager };

export interface Opened {
  readonly ground: Ground;
  readonly kiosk: Kiosk;
  /** That this gateway is a member of. */
  readonly fleet: Fleet | undefined;
  /** Of releases; `undefined`: nobody wants them. */
  readonly traces: TraceExporter | undefined;
}
