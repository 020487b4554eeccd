/**
 * How a command reaches the service, with or without a running agent: it uses the first server of the configuration
 * with the stored device token (INVARIANTS.md D13: it reads the token and never renews it). If that is not enough, it
 * also uses the login of a user.
 */
import { clientOf, cloudServers } from '../agent/cloud-server.ts';
import type { Cloud } from '../cloud/client.ts';
import { createCloud } from '../cloud/client.ts';
import type { Config } from '../config/schema/config.ts';
import { systemChance } from '../core/chance.ts';
import { systemClock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { createLog } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { DeviceTokenSource } from '../domain/ports/enrollment.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { UserToken } from '../domain/user.ts';
import { readStoredToken } from '../store/sealed/token-slots.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';
import { readPassword } from './terminal-text/password.ts';

/** The user for the login. */
export interface UserOptions {
  readonly user: string;
  /** Absent: standard input. */
  readonly passwordFile?: string | undefined;
}

/** Returns the result of the work. Rejects `CommandFailed` if the service refuses it or cannot be reached. */
export async function atService<T>(config: Config, io: Io, work: (cloud: Cloud) => Promise<T>): Promise<T> {
  const [server] = cloudServers(config);
  if (!server) throw new Error('the configuration names no server');
  const log = createLog({ level: 'warn', destination: { write: (line) => io.error(line.trimEnd()) } });
  await using cloud = createCloud({
    ...server,
    ...clientOf(config),
    deviceTokens: storedTokens(config, log),
    clock: systemClock,
    chance: systemChance,
    log,
  });
  try {
    return await work(cloud);
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw new CommandFailed(`${error.message}. ${error.advice}`, { cause: error });
  }
}

/**
 * Read again for each call, because a running agent may have renewed the token. Default: the tokens of the first
 * server.
 */
export function storedTokens(
  { stateDir, device: { sealingKey } }: Config,
  log: Log,
  furtherServer?: string,
): DeviceTokenSource {
  let dead: Secret | undefined;
  const none = (why: string) =>
    new Problem('terminal-not-authorized', `${stateDir}: ${why}`, { delivery: 'not-sent' });
  return {
    async current() {
      const token = readStoredToken({ stateDir, sealingKey, furtherServer, log });
      if (!token) throw none('has no device token. Start the agent, and get it approved');
      if (token.equals(dead)) throw none('the service no longer accepts the device token. Start the agent');
      return token;
    },
    refused(token) {
      dead = token;
    },
    denied() {},
  };
}

/** With a user name and a password, one time. */
export async function loginAs(cloud: Cloud, { user, passwordFile }: UserOptions, io: Io): Promise<UserToken> {
  const { stop: signal } = io;
  const password = await readPassword({ file: passwordFile, standardInput: process.stdin, signal });
  try {
    const { token } = await cloud.logins.login({ kind: 'password', userName: user, password }, { signal });
    return token;
  } catch (error) {
    // The advice of this problem is for people with a card.
    if (!isProblem(error, 'login-refused')) throw error;
    const status = error.status === undefined ? '' : ` (status ${error.status})`;
    throw new CommandFailed(
      `The service refuses the name ${user} or its password${status}. Check both, and that the user is not locked`,
      { cause: error },
    );
  }
}
