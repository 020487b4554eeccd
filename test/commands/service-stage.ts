/**
 * What a command that asks the service needs: the embedded cloud, a configuration, and a state directory that holds
 * the token of an approved device, locked as a running agent has it. The command line runs in this process.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { clientOf, cloudServers } from '../../src/agent/cloud-server.ts';
import { createCloud } from '../../src/cloud/client.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/config.ts';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { DeviceTokenHolder } from '../../src/enrollment/tokens.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Store } from '../../src/store/store.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { Said } from '../support/command-here.ts';
import { commandHere } from '../support/command-here.ts';
import { withoutLimit } from '../support/patience.ts';

export interface ServiceStage extends AsyncDisposable {
  readonly folder: string;
  readonly configFile: string;
  /** Holds the password of the embedded cloud's administrator. */
  readonly passwordFile: string;
  readonly cloud: SimulatedCloud;
  /** `undefined` where no device was enrolled. */
  readonly store: Store | undefined;
  /** `platen <command> -c <the configuration> …`; rejects when the service finds a call against the spec. */
  platen(command: string, ...options: readonly string[]): Promise<Said>;
}

export interface ServiceStageOptions {
  readonly cloud?: CloudOptions;
  /** Content of the configuration's `cloud.caFile`. */
  readonly caPem?: string;
  readonly terminals?: readonly object[];
  readonly device?: 'enrolled' | 'new';
}

export const password = 'admin-secret';

export async function setServiceStage(options: ServiceStageOptions = {}): Promise<ServiceStage> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-command-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const cloud = opened.use(await startCloud({ approval: 'at-once', ...options.cloud }));
  const configFile = join(folder, 'platen.yaml');
  const { baseUrl, authUrl, apiKey } = cloud;
  const settings = {
    cloud: { baseUrl, authUrl, apiKey, ...(options.caPem === undefined ? {} : { caFile: 'present.pem' }) },
    stateDir: 'state',
    // Whatever else runs on this machine has the usual ones.
    kiosk: { listen: '127.0.0.1:0' },
    operations: { listen: '127.0.0.1:0' },
    terminals: options.terminals ?? [],
  };
  await writeFile(configFile, stringify(settings));
  if (options.caPem !== undefined) await writeFile(join(folder, 'present.pem'), options.caPem);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${password}\nnot the password\n`, { mode: 0o600 });
  const store = options.device === 'new' ? undefined : await enrol(loadConfig(configFile, {}));
  if (store) opened.use(store);

  const held = opened.move();
  return {
    folder,
    configFile,
    passwordFile,
    cloud,
    store,
    async platen(command, ...more) {
      const said = await commandHere([command, '-c', configFile, ...more], withoutLimit().signal);
      if (cloud.deviations.length > 0) throw new Error(cloud.deviations.join('\n'));
      return said;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** As an agent registers and is approved. */
async function enrol(config: Config): Promise<Store> {
  const [server] = cloudServers(config);
  if (!server) throw new Error('no server is configured');
  await using cloud = createCloud({
    ...server,
    ...clientOf(config),
    deviceTokens: new DeviceTokenHolder(),
    clock: systemClock,
    chance: systemChance,
    log: recordLog().log,
  });
  const store = await openSteadyStore(config.stateDir);
  const { identity } = store.device.facts();
  const options = withoutLimit();
  const { deviceCode } = await cloud.authorization.register(identity, 'first', options);
  store.device.saveTokens(await cloud.authorization.requestToken(identity, deviceCode, options));
  return store;
}
