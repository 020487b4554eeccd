/**
 * The service's data about this device's place: account, location, ports, users, devices, certificates. It is for the
 * status, provisioning and enrolment of cards; no release waits for it. There is a file for each in `resources/`, and
 * in `administration/` for calls that need an administrator's login.
 */
import type { CallerOptions } from '../domain/ports/call.ts';
import type { Bringing } from '../domain/ports/bringing.ts';
import type { OwnAccount } from '../domain/ports/own-account.ts';
import type { CardRelay, PermittedPorts, Users } from '../domain/ports/service.ts';
import type { ResourceDeps } from './http/caller.ts';
import type { Accounts } from './resources/account.ts';
import { createAccounts } from './resources/account.ts';
import type { Containers } from './administration/containers.ts';
import { createContainers } from './administration/containers.ts';
import type { GuestService } from '../domain/ports/guests.ts';
import { createGuests } from './administration/guests.ts';
import type { AuditLogs } from './administration/audit-logs.ts';
import { createAuditLogs } from './administration/audit-logs.ts';
import type { AuthProviders } from './resources/auth-providers.ts';
import { createAuthProviders } from './resources/auth-providers.ts';
import { createCardRelay } from './resources/card-relay.ts';
import type { Certificates } from './resources/certificates.ts';
import { createCertificates } from './resources/certificates.ts';
import type { Endpoints } from './resources/endpoints.ts';
import { createEndpoints } from './resources/endpoints.ts';
import type { InputPorts } from './resources/input-ports.ts';
import { createInputPorts } from './resources/input-ports.ts';
import type { Locations } from './resources/locations.ts';
import { createLocations } from './resources/locations.ts';
import type { OutputPortProvisioning } from './resources/output-port-provisioning.ts';
import { createOutputPortProvisioning } from './resources/output-port-provisioning.ts';
import { createBringing } from './resources/person/bringing.ts';
import { createOwnAccount } from './resources/person/own-account.ts';
import { createPermittedPorts } from './resources/person/permitted-ports.ts';
import type { NewTerminalConfig } from './resources/terminal-config.ts';
import { createTerminalConfig } from './resources/terminal-config.ts';
import type { Upload } from './resources/upload.ts';
import { uploadDocument } from './resources/upload.ts';
import { createUsers } from './resources/users.ts';

export interface Directory {
  readonly accounts: Accounts;
  readonly auditLogs: AuditLogs;
  readonly containers: Containers;
  readonly authProviders: AuthProviders;
  readonly locations: Locations;
  readonly inputPorts: InputPorts;
  readonly endpoints: Endpoints;
  readonly certificates: Certificates;
  readonly ownAccount: OwnAccount;
  readonly bringing: Bringing;
  readonly permittedPorts: PermittedPorts;
  readonly users: Users;
  readonly guests: GuestService;
  readonly cardRelay: CardRelay;
  readonly outputPortProvisioning: OutputPortProvisioning;
  /** `PUT /documents`: sends a scan or a copy to the service; gives the document's uuid. */
  upload(document: Upload, options: CallerOptions): Promise<string>;
  /** `POST /terminalconfig`; gives its id if the service sends it. */
  createTerminalConfig(config: NewTerminalConfig, options: CallerOptions): Promise<number | undefined>;
}

export const createDirectory = (deps: ResourceDeps): Directory => ({
  accounts: createAccounts(deps),
  auditLogs: createAuditLogs(deps),
  containers: createContainers(deps),
  authProviders: createAuthProviders(deps),
  locations: createLocations(deps),
  inputPorts: createInputPorts(deps),
  endpoints: createEndpoints(deps),
  certificates: createCertificates(deps),
  ownAccount: createOwnAccount(deps),
  bringing: createBringing(deps),
  permittedPorts: createPermittedPorts(deps),
  users: createUsers(deps),
  guests: createGuests(deps),
  cardRelay: createCardRelay(deps),
  outputPortProvisioning: createOutputPortProvisioning(deps),
  upload: (document, options) => uploadDocument(deps, document, options),
  createTerminalConfig: (config, options) => createTerminalConfig(deps, config, options),
});
