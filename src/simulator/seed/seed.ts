/**
 * Turns a seed file into the initial data of a simulated cloud. Ids follow the order of the file, and amounts are in
 * millionths.
 */
import { exact, priceListOf } from '../cloud/records/balance-records.ts';
import { basename } from 'node:path';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { container } from '../cloud/records/account-records.ts';
import type { Permission } from '../cloud/permissions.ts';
import { allPermissions, everydayPermissions } from '../cloud/permissions.ts';
import type { NewDocument } from '../sample/new-document.ts';
import type { CloudUser } from '../cloud/state.ts';
import { documentStatus } from '../cloud/state.ts';
import { pdfPages } from '../sample/pdf-file.ts';
import { samplePort } from '../sample/sample-data.ts';
import type { Seed } from '../sample/sample-data.ts';
import type { SeedFile } from './seed-schema.ts';

const accountId = 1;
const providerId = 1;

/** `contents` are the files that the seed names, by name. */
export function seedOf(file: SeedFile, contents: ReadonlyMap<string, Buffer>): Seed {
  const now = isoInstant(systemClock.now());
  const { account, containers, groups, users, outputPorts, inputPorts, locations, prices, settings } = file;
  const idIn = (names: readonly string[], name: string | undefined) => ({
    ...(name === undefined ? {} : { locationId: names.indexOf(name) + 1 }),
  });
  return {
    accounts: [
      {
        id: accountId,
        name: account.name,
        accountType: 2,
        domainNames: account.domains,
        uuid: uuidOf(accountId),
        ...(account.timezone === undefined ? {} : { timezone: account.timezone }),
      },
      ...containers.map(({ name, domains }, at) => {
        const id = accountId + 1 + at;
        return { id, name, accountType: container, domainNames: domains, uuid: uuidOf(id) } as const;
      }),
    ],
    groups: groups.map((groupName, at) => ({ id: at + 1, groupName, groupDN: groupName.toLowerCase() })),
    authProviders: [
      {
        id: providerId,
        name: 'Local',
        providerType: 0,
        accountId,
        priority: 0,
        active: true,
        typeConfiguration: {},
        domainNames: account.domains,
      },
    ],
    users: users.map((user, at) => userOf(user, { id: at + 1, groups, createdDate: now })),
    balances: users
      .filter(({ quota, wallet }) => quota !== undefined || wallet !== undefined)
      .map(({ userName, quota = 0, wallet = 0 }) => ({
        userName,
        providerId,
        quota: exact(quota),
        wallet: exact(wallet),
        lastUpdated: now,
      })),
    documents: file.documents.map((document) => documentOf(document, contents.get(document.file ?? ''))),
    outputPorts: outputPorts.map((port, at) => ({
      ...samplePort,
      accountId,
      parentAccountOrContainerId: accountId,
      ...port,
      id: at + 1,
    })),
    inputPorts: inputPorts.map(({ name, portType, outputPort, location }, at) => ({
      id: at + 1,
      name,
      portType: portType === 1 ? 1 : 0,
      ...(outputPort === undefined ? {} : { outputPort }),
      ...idIn(
        locations.map((one) => one.name),
        location,
      ),
    })),
    locations: locations.map((location, at) => ({ ...location, id: at + 1, sortOrder: at + 1 })),
    terminalConfigs: [],
    certificates: [],
    ...(prices === undefined ? {} : { priceList: priceListOf(prices) }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** The id is the same at each start. */
const uuidOf = (id: number): string => `5e0f1d52-6f0a-4c2e-9a55-${String(id).padStart(12, '0')}`;

function userOf(
  {
    groups,
    permissions,
    quota: _,
    wallet: __,
    fullName,
    oneTimePassword,
    pin,
    ...user
  }: SeedFile['users'][number],
  around: { readonly id: number; readonly groups: readonly string[]; readonly createdDate: string },
): CloudUser {
  return {
    ...user,
    id: around.id,
    providerId,
    accountId,
    createdDate: around.createdDate,
    fullName: fullName ?? user.userName,
    groupIds: groups.map((name) => around.groups.indexOf(name) + 1),
    permissions: permissionsOf(permissions),
    ...(oneTimePassword === undefined ? {} : { oneTimePassword }),
    ...(pin === undefined ? {} : { pin }),
  };
}

export function permissionsOf(said: SeedFile['users'][number]['permissions']): readonly Permission[] {
  if (said === 'all') return allPermissions;
  if (said === 'everyday') return everydayPermissions;
  return allPermissions.filter((one) => said.includes(one));
}

/** `bytes` are the content of the file that the document names. */
export function documentOf(
  { owner, name, file, pages, colorPages, status, ...info }: SeedFile['documents'][number],
  bytes: Buffer | undefined,
): NewDocument {
  const total = pages ?? (bytes && pagesIn(bytes)) ?? 1;
  const said = Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
  return {
    owner,
    name: name ?? basename(file ?? ''),
    pages: total,
    ...(bytes === undefined ? {} : { bytes }),
    info: {
      ...said,
      ...(status === undefined ? {} : { status: documentStatus[status] }),
      colorPages: colorPages ?? (info.grayscale ? 0 : total),
    },
  };
}

function pagesIn(bytes: Buffer): number | undefined {
  const pages = pdfPages();
  pages.take(bytes);
  return pages.count();
}
