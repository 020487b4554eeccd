/** The options with which an agent is started, and the parts that are opened before it is wired. */
import type { LookupFunction } from 'node:net';
import type { PushedChoice } from '../config/pushed/over-local.ts';
import type { Config } from '../config/schema/config.ts';
import type { RootLog } from '../core/log.ts';
import type { Env } from '../domain/env.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Kiosk } from '../kiosk/server/kiosk-server.ts';
import type { InheritedSockets, ServiceManager } from '../operations/service-manager.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { Ground } from './ground.ts';
import type { ReadConfig } from './reload.ts';

export interface AgentDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly config: Config;
  /** For the status. */
  readonly configFile?: string;
  /** `platen reload` calls it; by default it gives the configuration in force. */
  readonly readConfig?: ReadConfig;
  /** Chooses the version of the fleet's configuration that `readConfig` puts under the own file. */
  readonly pushed?: PushedChoice;
  readonly log: RootLog;
  /**
   * Makes its support bundle for an administrator who asks through the engine. Without it, such requests are not
   * answered.
   */
  readonly bundle?: (signal: AbortSignal) => Promise<Buffer>;
  /** Looks up the names of the service's servers; by default as the system does. */
  readonly lookup?: LookupFunction;
  /** The program that started the agent and wants to hear its state; by default there is none. */
  readonly manager?: ServiceManager;
  /** The sockets that systemd kept; none by default. */
  readonly sockets?: InheritedSockets;
}

export type WiredDeps = AgentDeps & { readonly manager: ServiceManager };

export interface Opened {
  readonly ground: Ground;
  readonly kiosk: Kiosk;
  /** `undefined` if this gateway is in no fleet. */
  readonly fleet: Fleet | undefined;
  /** `undefined` if no receiver for traces is configured. */
  readonly traces: TraceExporter | undefined;
}
