/**
 * Whom the agent has to reach by its configuration, and who may reach it: what the unit's IPAddressAllow= is to name beside
 * this machine (systemd.resource-control(5)). Ports are not looked at there.
 */
import { printersOf } from './printers/printers-of.ts';
import type { Config, TerminalConfig } from './schema/config.ts';
import { kindOf } from './schema/reader.ts';
import { isLoopback } from './schema/values.ts';

export interface Peers {
  /** Names and addresses, each once, without those of this machine. */
  readonly hosts: readonly string[];
  /** Networks, as in 10.0.0.0/24. */
  readonly networks: readonly string[];
  /** A listener that anybody may reach who can: there is no list then. */
  readonly openTo?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment may name a proxy. */
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

/** Of a queue of this machine, and of one on Windows, there is none. */
function printerHosts(terminal: TerminalConfig): readonly string[] {
  return printersOf(terminal).flatMap(({ uri }) => {
    const host = /^[a-z]+:\/\/(?:\[([^\]]+)\]|([^:/]+))/.exec(uri)?.slice(1).find(Boolean);
    return host === undefined ? [] : [host];
  });
}
