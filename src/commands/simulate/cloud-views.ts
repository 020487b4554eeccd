/** The views of `platen simulate cloud`: each is a table with a heading. */
import { isoInstant } from '../../core/clock.ts';
import { decimal } from '../../simulator/cloud/records/balance-records.ts';
import { documentStatus } from '../../simulator/cloud/state.ts';
import type { SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { standardFaults } from '../../simulator/cloud/standard-faults.ts';

interface View {
  readonly shows: string;
  rows(cloud: SimulatedCloud): readonly (readonly string[])[];
}

const statusWord = Object.fromEntries(Object.entries(documentStatus).map(([word, number]) => [number, word]));
const amount = (value: number): string =>
  decimal(value).toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
    useGrouping: false,
  });
const latest = 20;

export const views: Readonly<Record<string, View>> = {
  endpoints: {
    shows: 'the devices, first the devices that wait for approval',
    rows: ({ state }) => [
      ['CLIENT', 'TYPE', 'TRUST', 'POLLS', 'DESCRIPTION'],
      ...state.endpoints
        .toSorted((one, other) => Number(other.trust === 'waiting') - Number(one.trust === 'waiting'))
        .map((one) => [one.clientId, one.clientType, one.trust, String(one.polls), one.description]),
    ],
  },
  users: {
    shows: 'the people, their cards and balances',
    rows: ({ state }) => [
      ['USER', 'FULL NAME', 'ID NUMBER', 'PIN', 'BALANCE', 'PERMISSIONS'],
      ...state.users.map((user) => {
        const balance = state.balances.find((one) => one.userName === user.userName);
        const has = state.priceList ? amount((balance?.quota ?? 0) + (balance?.wallet ?? 0)) : 'off';
        const { userName, fullName, shortId, pin = '-', permissions } = user;
        return [userName, fullName, shortId, pin, has, String(permissions.length)];
      }),
    ],
  },
  cards: {
    shows: 'the cards and their owners',
    rows: ({ state }) => [
      ['CARD', 'USER'],
      ...state.users.flatMap(({ cards, userName }) => cards.map((card) => [card, userName])),
    ],
  },
  documents: {
    shows: 'all documents, also deleted ones',
    rows: ({ state }) => [
      ['DOCUMENT', 'OWNER', 'NAME', 'PAGES', 'STATUS', 'FETCHED', 'SENT TO'],
      ...state.documents.map(({ info, owner, fetched, deliveries }) => [
        info.uuid,
        owner,
        info.documentName,
        String(info.totalPages),
        statusWord[info.status] ?? String(info.status),
        String(fetched),
        deliveries.join(', ') || '-',
      ]),
    ],
  },
  history: {
    shows: 'the recorded jobs',
    rows: ({ state }) => [
      ['RECORDED', 'USER', 'TITLE', 'PAGES', 'OUTPUT PORT', 'BY'],
      ...state.history.map((one) => [
        isoInstant(one.at),
        one.userName,
        one.title ?? '-',
        String(one.totalPages ?? '-'),
        String(one.outputPortId ?? '-'),
        one.recordedWith,
      ]),
    ],
  },
  ports: {
    shows: 'the output ports',
    rows: ({ state }) => [
      ['PORT', 'NAME', 'SERIAL NUMBER', 'ADDRESS', 'AUTO RELEASE', 'CARD READER'],
      ...state.outputPorts.map((port) => [
        String(port.id),
        port.name,
        port.deviceSerial,
        port.address,
        port.autoRelease ? 'yes' : 'no',
        port.ipReaderAddress || '-',
      ]),
    ],
  },
  calls: {
    shows: `the last ${latest} calls`,
    rows: ({ calls }) => [
      ['AT', 'CALL', 'TOKEN', 'STATUS', 'FAULT', 'WHY NOT'],
      ...calls
        .slice(-latest)
        .map(({ at, method, path, bearer, status, fault, why }) => [
          isoInstant(at),
          `${method} ${path}`,
          bearer,
          String(status ?? '-'),
          fault ?? '-',
          why ?? '-',
        ]),
    ],
  },
  faults: {
    shows: 'the names of the faults, and the planned faults',
    rows: ({ plannedFaults }) => [
      ['FAULT', 'PLANNED FOR'],
      ...Object.entries(standardFaults).map(([name, fault]) => [
        name,
        plannedFaults()
          .filter((one) => one.fault === fault)
          .map(({ match, left }) => `${match.method ?? '*'} ${String(match.path)} (${left})`)
          .join(', ') || '-',
      ]),
    ],
  },
};
