/**
 * Lists the hosts and networks that the agent must reach or that may reach it. The unit's IPAddressAllow= needs them
 * besides this machine (systemd.resource-control(5)). That setting does not look at ports.
 */
import { printersOf } from './printers.ts';
import type { Config, TerminalConfig } from './schema/config.ts';
import { kindOf } from './schema/reader.ts';
import { isLoopback } from './schema/values.ts';

export interface Peers {
  /** Names and addresses, each once, without those of this machine. */
  readonly hosts: readonly string[];
  /** For example 10.0.0.0/24. */
  readonly networks: readonly string[];
  /** The key of a listener that other machines may reach. Its callers are unknown, so no complete list exists. */
  readonly openTo?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment is needed because it may name a proxy. */
export function peersOf(
  { cloud, fleet, printerNetwork, terminals, operations, notify }: Config,
  env: Environment = process.env,
): Peers {
  const servers = [cloud, ...cloud.fallbacks].flatMap(({ baseUrl, authUrl }) => [baseUrl, authUrl]);
  const usual = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '';
  const proxies = [
    cloud.proxyUrl?.reveal() ?? usual,
    ...(notify?.proxyUrl ? [notify.proxyUrl.reveal()] : []),
  ];
  const receivers = [...(notify?.webhooks ?? []), ...(notify?.alertmanagers ?? [])].map(({ url }) => url);
  const readers = terminals.flatMap((terminal) =>
    terminal.readers.flatMap((one) => kindOf(one).peersOf(one)),
  );
  const hosts = [
    ...[...servers, ...proxies.filter((proxy) => URL.canParse(proxy)), ...receivers].map(hostIn),
    ...(operations.otlp ? [hostIn(operations.otlp.url)] : []),
    ...(notify?.mail ? [notify.mail.server.host] : []),
    ...(fleet?.engine.url.hosts ?? []).map(({ name }) => name),
    ...terminals.flatMap(printerHosts),
    ...readers.filter((peer) => !peer.includes('/')),
  ];
  return {
    hosts: [...new Set(hosts)].filter((host) => !isLoopback(host)).toSorted(),
    networks: [
      ...new Set([...printerNetwork.allow, ...readers.filter((peer) => peer.includes('/'))]),
    ].toSorted(),
    ...(isLoopback(operations.listen.host) ? {} : { openTo: 'operations.listen' }),
  };
}

const hostIn = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** A local queue and a Windows printer have no host. */
function printerHosts(terminal: TerminalConfig): readonly string[] {
  return printersOf(terminal).flatMap(({ uri }) => {
    const host = /^[a-z]+:\/\/(?:\[([^\]]+)\]|([^:/]+))/.exec(uri)?.slice(1).find(Boolean);
    return host === undefined ? [] : [host];
  });
}
