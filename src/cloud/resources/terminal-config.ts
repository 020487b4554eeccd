/**
 * The port TerminalConfigs: `GET /terminalconfig` by serial number, and `POST` for provisioning (spec, Terminal
 * config).
 */
import { z } from 'zod';
import type { Secret } from '../../core/secret.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { TerminalConfigs } from '../../domain/ports/service.ts';
import type { TerminalConfig } from '../../domain/terminal/terminal-config.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground, unlessStatus } from '../http/caller.ts';
import { formBody, query } from '../http/form.ts';
import { valueOf } from '../http/json.ts';
import { optionalFlag, optionalInt } from '../http/optional-fields.ts';

const services = z
  .object({ print: z.object({ enabled: optionalFlag }).optional().catch(undefined) })
  .optional()
  .catch(undefined);

const authenticationWay = z
  .object({
    oneTimePasswordEnrollment: optionalFlag,
    cardOnlyAuthentication: optionalFlag,
    shortIdAuthentication: optionalFlag,
    developerLogEnabled: optionalFlag,
  })
  .catch({
    oneTimePasswordEnrollment: undefined,
    cardOnlyAuthentication: undefined,
    shortIdAuthentication: undefined,
    developerLogEnabled: undefined,
  });

const terminalConfig = z.object({ services, 'authentication-way': authenticationWay }).transform(
  ({ services: offered, 'authentication-way': way }): TerminalConfig => ({
    printEnabled: offered?.print?.enabled,
    ...way,
  }),
);

/** The service has none for this device: both statuses are documented, and neither is a fault (row 31). */
const noConfig = [400, 404];

export const createTerminalConfigs = (deps: ResourceDeps): TerminalConfigs => ({
  read: (serialNumber, options) =>
    unlessStatus(
      noConfig,
      askAs(
        deps,
        { method: 'GET', path: `/api/v1/terminalconfig${query([['serialnumber', serialNumber]])}` },
        inBackground(deps.clock, options),
      ).then((answer) => valueOf(answer, terminalConfig)),
    ),
});

export interface NewTerminalConfig {
  readonly domainName: string;
  readonly name: string;
  /** Short name of the printer's maker. */
  readonly vendor: string;
  readonly admin?: { readonly user: string; readonly password: Secret };
  readonly applicationType?: 'other' | 'open-api' | 'iws' | 'workpath';
  /** Ids of output ports. */
  readonly devices: readonly number[];
}

const applicationTypes = { other: 0, 'open-api': 1, iws: 2, workpath: 3 } as const;
const created = z.object({ id: optionalInt });

/** Gives the id of the new config, if the service sends it. Never repeated, because each call makes a config. */
export async function createTerminalConfig(
  deps: ResourceDeps,
  config: NewTerminalConfig,
  options: CallerOptions,
): Promise<number | undefined> {
  const { admin, applicationType } = config;
  const body = formBody([
    ['domain', config.domainName],
    ['name', config.name],
    ['vendor', config.vendor],
    ['adminuser', admin?.user],
    ['adminpassword', admin?.password.reveal()],
    ['applicationtype', applicationType && applicationTypes[applicationType]],
    ['devices', config.devices],
  ]);
  const call = { method: 'POST', path: '/api/v1/terminalconfig', body } as const;
  return valueOf(await askAs(deps, call, inBackground(deps.clock, options)), created).id;
}
