/** Fills a simulated cloud with people, printers and waiting documents. */
import { chargeByDefault } from './calls/balance/ledger.ts';
import type { Env } from '../../domain/env.ts';
import type { NewDocument } from '../sample/new-document.ts';
import { highestIdsOf } from './kept-lists.ts';
import type { CloudDocument, CloudState, CloudUser } from './state.ts';
import { documentStatus } from './state.ts';
import type { Seed } from '../sample/sample-data.ts';
import { samplePdf } from '../sample/sample-pdf.ts';

type Tools = Pick<Env, 'clock' | 'chance'>;

export function populate(seed: Seed, tools: Tools): CloudState {
  const users = seed.users.map((user) => ({ ...user, cards: [...user.cards] }));
  const state: CloudState = {
    highestIds: {},
    // Lists that a call may change in place are copied, because two clouds may start from the same seed.
    accounts: [...seed.accounts],
    inputPorts: [...seed.inputPorts],
    groups: [...seed.groups],
    authProviders: [...seed.authProviders],
    locations: [...seed.locations],
    terminalConfigs: [...seed.terminalConfigs],
    certificates: [...seed.certificates],
    balances: [...seed.balances],
    auditEvents: [],
    accessControls: [],
    accessControlsSeen: false,
    balancePolicies: [],
    balanceTransactions: [],
    scanConnectors: [],
    scanWorkflows: [],
    scanAccess: [],
    priceList: seed.priceList,
    idlePrices: undefined,
    users,
    documents: seed.documents.map((document) => waitingDocument(document, users, tools)),
    outputPorts: [...seed.outputPorts],
    endpoints: [],
    deviceCodes: [],
    authorizationCodes: [],
    accessTokens: [],
    refreshTokens: [],
    history: [],
    statusReports: [],
  };
  const populated = { ...state, highestIds: highestIdsOf(state) };
  if (populated.priceList) chargeByDefault(populated);
  return populated;
}

/** Throws `RangeError` if the owner is not a user. */
export function waitingDocument(
  { owner, providerId, name, pages = 1, bytes, info }: NewDocument,
  users: readonly CloudUser[],
  { clock, chance }: Tools,
): CloudDocument {
  const user = users.find(
    (one) => one.userName === owner && (providerId === undefined || one.providerId === providerId),
  );
  if (!user) throw new RangeError(`the simulated cloud has no user ${owner}`);
  return {
    owner,
    providerId: user.providerId,
    bytes: bytes ?? samplePdf({ title: name.replace(/\.pdf$/, ''), pages }),
    fetched: 0,
    consumed: false,
    deliveries: [],
    info: {
      uuid: chance.uuid(),
      documentName: name,
      documentType: 1,
      userName: owner,
      totalPages: pages,
      colorPages: pages,
      duplex: 0,
      copies: 1,
      grayscale: false,
      paperSize: 'A4',
      dateTime: clock.now(),
      storageOnline: true,
      secure: false,
      tags: [],
      collate: true,
      status: documentStatus.READY,
      outputPortId: 0,
      outputPortName: '',
      jobType: 'PRINT',
      ...info,
    },
  };
}
