/** The account of a simulated cloud at its start, apart from people, printers and documents. Plain data. */
import { exact } from '../cloud/records/balance-records.ts';
import type {
  AccountInfo,
  AuthenticationProvider,
  GroupInfo,
  InputPortInfo,
  LocationInfo,
  NamedTerminalConfig,
  ServiceCertificate,
} from '../cloud/records/account-records.ts';
import type { UserBalance } from '../cloud/records/balance-records.ts';
import { plainTerminal } from '../cloud/calls/ports/terminals.ts';

export interface AccountSeed {
  /** The first account is the one at the request address. */
  readonly accounts: readonly AccountInfo[];
  readonly inputPorts: readonly InputPortInfo[];
  readonly groups: readonly GroupInfo[];
  readonly authProviders: readonly AuthenticationProvider[];
  readonly locations: readonly LocationInfo[];
  readonly terminalConfigs: readonly NamedTerminalConfig[];
  readonly certificates: readonly ServiceCertificate[];
  readonly balances: readonly UserBalance[];
}

/** The certificate of an authority whose key was deleted, so it signs nothing. */
const rootPem = `-----BEGIN CERTIFICATE-----
MIIBsjCCAVigAwIBAgIUAjbvXARybRPMrzqu0sXmfRrTIpIwCgYIKoZIzj0EAwIw
NzEQMA4GA1UECgwHRXhhbXBsZTEjMCEGA1UEAwwaRXhhbXBsZSBwcmludCBzZXJ2
aWNlIHJvb3QwHhcNMjQwMTAxMDAwMDAwWhcNNDkxMjMxMjM1OTU5WjA3MRAwDgYD
VQQKDAdFeGFtcGxlMSMwIQYDVQQDDBpFeGFtcGxlIHByaW50IHNlcnZpY2Ugcm9v
dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEfLN67HKTUavIDgkUR16P+yC9UW
otkMDqwTYCAN6mzpDjSI/1tR+WSGL2UsVm8ZjOUmyqNmaJTzKSoKycPAWPOjQjBA
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQHmXOQ
Cj8dv6vEkEGEITYhqLFt/zAKBggqhkjOPQQDAgNIADBFAiEAjnP3P/DgPyZvm/Fe
SMX+/fEV0U+fQmcN+BcSlckLMkwCIGFpZrvR7p80XOriINOsz1Ux2iUYE7LJCWAN
cZB+/+Ms
-----END CERTIFICATE-----
`;

export const sampleAccount: AccountSeed = {
  accounts: [
    {
      id: 2,
      name: 'Example',
      accountType: 2,
      domainNames: ['example.org', 'print.example.org'],
      uuid: '5e0f1d52-6f0a-4c2e-9a55-0c6d6c7f0002',
      timezone: 'Europe/Berlin',
    },
    {
      id: 5,
      name: 'Kitchen',
      accountType: 3,
      domainNames: ['kitchen.example.org'],
      uuid: '5e0f1d52-6f0a-4c2e-9a55-0c6d6c7f0005',
    },
  ],
  inputPorts: [
    { id: 11, name: 'Secure', portType: 0 },
    { id: 12, name: 'Lobby direct', portType: 1, outputPort: 'Lobby', locationId: 21 },
  ],
  groups: [
    { id: 1, groupName: 'Everybody', groupDN: 'everybody' },
    { id: 2, groupName: 'Upstairs', groupDN: 'cn=upstairs,dc=example,dc=org' },
  ],
  authProviders: [
    {
      id: 3,
      name: 'Local',
      providerType: 0,
      accountId: 2,
      typeConfiguration: {},
      priority: 0,
      active: true,
      domainNames: ['example.org'],
    },
    {
      id: 4,
      name: 'Directory',
      providerType: 2,
      accountId: 2,
      priority: 1,
      active: true,
      typeConfiguration: { clientId: 'example-client', clientSecret: 'example-secret' },
      domainNames: ['print.example.org'],
    },
  ],
  locations: [
    {
      id: 21,
      name: 'Front house',
      sortOrder: 1,
      identifiers: [
        { locationType: 'GATEWAY_IP', searchValue: '127.0.0.1' },
        { locationType: 'SUBNET', searchValue: '10.1.0.0/16' },
      ],
    },
    {
      id: 22,
      name: 'Back house',
      sortOrder: 2,
      identifiers: [
        { locationType: 'IP_RANGE', searchValue: '10.2.0.1-10.2.0.99' },
        { locationType: 'WIFI_SSID', searchValue: 'Example back house' },
      ],
    },
  ],
  terminalConfigs: [{ id: 31, name: 'Workshop terminal', devices: [8], config: plainTerminal }],
  certificates: [
    { store: 'root', alias: 'example-root', pem: rootPem },
    { store: 'ca', alias: 'example-root', pem: rootPem },
  ],
  balances: [
    {
      userName: 'alice',
      providerId: 3,
      quota: exact(10),
      wallet: exact(2.5),
      lastUpdated: '2026-01-05T08:00:00Z',
    },
  ],
};
