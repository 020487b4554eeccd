/**
 * The people, printers and documents that a simulated cloud has at its start. It is plain data that may be changed
 * freely.
 */
import { allPermissions, everydayPermissions } from '../cloud/permissions.ts';
import type { NewDocument } from './new-document.ts';
import type { PriceList } from '../cloud/records/balance-records.ts';
import type { ChosenSettings } from '../cloud/settings.ts';
import type { CloudUser, OutputPortInfo } from '../cloud/state.ts';
import type { AccountSeed } from './sample-account.ts';
import { sampleAccount } from './sample-account.ts';

export interface Seed extends AccountSeed {
  readonly users: readonly CloudUser[];
  readonly outputPorts: readonly OutputPortInfo[];
  readonly documents: readonly NewDocument[];
  /** Absent: balance is off. */
  readonly priceList?: PriceList;
  /** Values that differ from the defaults. Settings from code are stronger. */
  readonly settings?: ChosenSettings;
}

const providerId = 3;
const accountId = 2;

const person = {
  providerId,
  accountId,
  createdDate: '2026-01-05T08:00:00Z',
  groupIds: [1],
  permissions: everydayPermissions,
};

const users: readonly CloudUser[] = [
  {
    ...person,
    id: 101,
    userName: 'alice',
    fullName: 'Alice Archer',
    email: 'alice@example.org',
    department: 'Drawing office',
    shortId: '4711',
    cards: ['04A1B2C3D4'],
    password: 'alice-secret',
    pin: '2580',
  },
  {
    ...person,
    id: 102,
    userName: 'bob',
    fullName: 'Bob Baker',
    email: 'bob@example.org',
    department: 'Kitchen',
    shortId: '4712',
    cards: ['04B5C6D7E8'],
    password: 'bob-secret',
    pin: '1470',
  },
  {
    ...person,
    id: 103,
    userName: 'carol',
    fullName: 'Carol Cooper',
    email: 'carol@example.org',
    department: 'Workshop',
    shortId: '4713',
    cards: ['04C9DAEBFC'],
    password: 'carol-secret',
    pin: '3690',
  },
  {
    ...person,
    id: 104,
    userName: 'admin',
    fullName: 'Ada Minster',
    email: 'admin@example.org',
    department: 'Office',
    shortId: '4714',
    cards: ['04ADADADAD'],
    password: 'admin-secret',
    pin: '7531',
    permissions: allPermissions,
  },
];

/** carol and admin have no waiting documents. */
const documents = [
  { owner: 'alice', name: 'Welcome to Platen.pdf', pages: 1 },
  { owner: 'alice', name: 'Quarterly report.pdf', pages: 3 },
  { owner: 'bob', name: 'Menu of the week.pdf', pages: 2 },
];

/** The default values of an output port. */
export const samplePort = {
  address: '127.0.0.1',
  portType: 1,
  vendor: 'unknown',
  embedded: false,
  trimCardId: false,
  description: '',
  embeddedConfigurationId: 0,
  printProtocol: 1,
  modelFamily: 0,
  outputType: 1,
  services: { PRINT: [1] },
  properties: {},
  containerName: '',
  accountId,
  parentAccountOrContainerId: accountId,
  decimalFormatForCardIds: false,
  isReverseFinisher: false,
  printerIppUrl: '',
  softwareCopyCollation: false,
  registrationSource: 'manual',
  active: true,
  groupNo: '',
  terminalInfo: {},
} as const;

const outputPorts: readonly OutputPortInfo[] = [
  {
    ...samplePort,
    id: 7,
    name: 'Lobby',
    deviceSerial: 'SN-0001',
    ipReaderAddress: '',
    logoutTimeout: 60,
    autoRelease: false,
    monochrome: false,
    sendUsername: true,
  },
  {
    ...samplePort,
    id: 8,
    name: 'Workshop',
    deviceSerial: 'SN-0002',
    ipReaderAddress: '00:80:A3:00:00:08',
    logoutTimeout: 0,
    autoRelease: true,
    monochrome: true,
    sendUsername: false,
  },
];

export const sampleData: Seed = { ...sampleAccount, users, outputPorts, documents };
