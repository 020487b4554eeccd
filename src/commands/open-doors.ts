/**
 * Settings around a Node process that would make it unsafe. They are refused before any command works. A debugger reads
 * every secret; without certificate checks, secrets go to anybody; Node's reports and debug output write secrets into
 * files (INVARIANTS.md T22, T32). `node --help` lists these settings.
 */
import { Problem } from '../domain/problem/problem.ts';
import type { Io } from './io.ts';

const doors: Readonly<Record<string, string>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: 'unset it and use cloud.caFile',
  NODE_OPTIONS: 'unset it. It can open a debugging port, like --inspect, or allow TLS that is not safe',
  NODE_DEBUG: 'unset it. It makes Node write down all that it sends, with passwords',
  OPENSSL_CONF: 'unset it. It can allow TLS that is not safe',
};

const options = /^--(inspect|tls-|trace-tls|openssl-|insecure-http-parser|report-|heapsnapshot-)/;

/** Throws `config-invalid`. */
export function refuseOpenDoors(env: Io['env'], execArgv: readonly string[]): void {
  for (const [name, advice] of Object.entries(doors)) {
    if (env[name]) throw new Problem('config-invalid', `${name} is set: ${advice}`);
  }
  const option = execArgv.find((one) => options.test(one));
  if (option === undefined) return;
  const [name] = option.split('=', 1);
  throw new Problem('config-invalid', `Node was started with ${name}. Start it without this option`);
}
