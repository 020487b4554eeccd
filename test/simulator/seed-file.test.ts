/** The file that `platen simulate cloud --seed` begins with: what becomes of it, and what is said of its mistakes. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { documentStatus, documentStatuses, jobTypes } from '../../src/simulator/cloud/state.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { readSeed } from '../../src/simulator/seed/seed-file.ts';
import { seedJsonSchema } from '../../src/simulator/seed/seed-schema.ts';
import { commandHere } from '../support/command-here.ts';
import { api, arrive, fieldsOf, form, waiting } from '../support/cloud/hand-client.ts';

const office = `
account: { name: Harbour, domains: [harbour.example, print.harbour.example] }
containers:
  - { name: Quay, domains: [quay.harbour.example] }
groups: [Crew, Guests]
users:
  - { userName: dora, cards: ['0042'], password: dora-secret, groups: [Crew], quota: 1.25, wallet: 0.5 }
  - { userName: root, fullName: Ruth Root, cards: ['0099'], permissions: all }
  - { userName: guest, cards: ['0007'], permissions: [ViewJob] }
documents:
  - { owner: dora, file: chart.pdf, duplex: 1, uuid: 0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11 }
  - { owner: dora, name: Notes.pdf, pages: 2, grayscale: true }
outputPorts:
  - { name: Bridge, deviceSerial: SN-9001, address: 10.0.0.9, autoRelease: true }
inputPorts:
  - { name: Direct, portType: 1, outputPort: Bridge, location: Deck }
locations:
  - { name: Deck, identifiers: [{ locationType: SUBNET, searchValue: 10.0.0.0/24 }] }
prices: { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 }
`;

let folder: string;
const chart = samplePdf({ title: 'Chart', pages: 3 });
const seedFile = async (text: string, name = 'seed.yaml'): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-seed-'));
  await writeFile(join(folder, 'chart.pdf'), chart);
});
afterAll(() => rm(folder, { recursive: true }));

const started = async (text: string): Promise<SimulatedCloud> =>
  startCloud({ seed: readSeed(await seedFile(text)) });

describe('a simulated cloud with a seed', () => {
  it('has its people with their groups and permissions, and nobody else', async () => {
    await using cloud = await started(office);
    expect(cloud.state.users).toMatchObject([
      { id: 1, userName: 'dora', fullName: 'dora', groupIds: [1], cards: ['0042'] },
      { id: 2, userName: 'root', fullName: 'Ruth Root', groupIds: [] },
      { id: 3, userName: 'guest', permissions: ['ViewJob'] },
    ]);
    const { user } = await arrive(cloud, '0007');
    expect((await api(cloud, '/documents', { token: user })).status).toBe(200);
    expect((await api(cloud, '/outputports', { token: user })).status).toBe(403);
    expect(cloud.deviations).toEqual([]);
  });

  it('lets out the files that are named, with their pages counted, and sample pages for the others', async () => {
    await using cloud = await started(office);
    const { user } = await arrive(cloud, '0042');
    expect(await waiting(cloud, user)).toMatchObject([
      {
        uuid: '0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11',
        documentName: 'chart.pdf',
        totalPages: 3,
        colorPages: 3,
        duplex: 1,
      },
      { documentName: 'Notes.pdf', totalPages: 2, colorPages: 0, grayscale: true },
    ]);
    const path = '/documents/0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11.content?retain=true';
    const content = await api(cloud, path, { token: user });
    expect(Buffer.from(await content.arrayBuffer()).equals(chart)).toBe(true);
  });

  it('has the ports, locations, domains and prices, which a terminal is told', async () => {
    await using cloud = await started(office);
    const { device, user } = await arrive(cloud, '0042');
    const reported = async (path: string, token: string): Promise<unknown> =>
      (await api(cloud, path, { token })).json();
    expect(await reported('/outputports', device)).toMatchObject([
      { id: 1, name: 'Bridge', deviceSerial: 'SN-9001', autoRelease: true },
    ]);
    expect(await reported('/inputports?enrichPorts=true', device)).toMatchObject([
      { outputPort: 'Bridge', locationId: 1 },
    ]);
    expect(await reported('/locations/1', device)).toMatchObject({ name: 'Deck', sortOrder: 1 });
    expect(await reported('/account?domainname=quay.harbour.example', device)).toMatchObject({
      name: 'Quay',
    });
    const balance = await api(cloud, '/balance?username=dora&providerid=1', { token: user });
    expect(await fieldsOf(balance)).toMatchObject({ quotaBalance: 1.25, walletBalance: 0.5 });
    const body = form({ authtype: '0', userid: 'dora', password: 'dora-secret' });
    expect((await api(cloud, '/login', { method: 'POST', token: device, body })).status).toBe(200);
    expect(cloud.state.priceList).toMatchObject({ bwNormalPage: 50_000, colorLargePage: 400_000 });
  });

  it('has documents in each of the ten states, of each kind of job, with tags, and they stay so', async () => {
    const documents = documentStatuses.map(
      (status, at) =>
        `  - { owner: dora, name: ${status}.pdf, status: ${status}, jobType: ${jobTypes[at % 4]} }`,
    );
    const tags = 'tags: [{ tagType: 1, name: Crew }, { tagType: 0, name: Deck }]';
    const text = [
      "users:\n  - { userName: dora, cards: ['0042'] }",
      'documents:',
      ...documents,
      `  - { owner: dora, name: Tagged.pdf, ${tags} }`,
    ].join('\n');
    await using cloud = await started(text);
    const { user } = await arrive(cloud, '0042');
    for (const [status, name] of documentStatuses.entries()) {
      const answer = await api(cloud, `/documents?status=${documentStatus[name]}`, { token: user });
      const [found] = (await answer.json()) as unknown[];
      expect(found).toMatchObject({
        documentName: `${name}.pdf`,
        status: documentStatus[name],
        jobType: jobTypes[status % 4],
      });
    }
    const tagged = cloud.state.documents.find(({ info }) => info.documentName === 'Tagged.pdf');
    expect(tagged?.info.tags).toEqual([
      { tagType: 1, name: 'Crew' },
      { tagType: 0, name: 'Deck' },
    ]);
    expect(cloud.deviations).toEqual([]);
  });

  it('behaves as its settings say', async () => {
    await using cloud = await started('settings: { userTokenLife: 60, listShape: paged, scanning: hidden }');
    expect(cloud.settings).toMatchObject({ userTokenLife: 60_000, listShape: 'paged', scanning: 'hidden' });
  });

  it('comes back to its seed when it begins anew', async () => {
    await using cloud = await started(office);
    cloud.setPrices(undefined);
    cloud.addUser({ userName: 'eve' });
    cloud.reset();
    expect([cloud.state.users.length, cloud.state.priceList?.bwNormalPage]).toEqual([3, 50_000]);
  });

  it('may be empty: an account, and nobody in it', async () => {
    await using cloud = await started('');
    expect([cloud.state.users, cloud.state.accounts]).toMatchObject([[], [{ name: 'Example' }]]);
  });
});

describe('a seed that is wrong is told with its line and what to do', () => {
  const user = '  - { userName: dora }';
  const sheet = '  - { owner: dora, name: Chart, uuid: 0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11 }';
  it.each([
    [
      'users:\n  - { userNam: dora }',
      ':2: users[0].userNam: is not a key of this file; did you mean userName?',
    ],
    ['users:\n  - { fullName: Dora }', ':2: users[0].userName: is missing'],
    [`users:\n${user}\n${user}`, ':3: users[1].userName: "dora" is the name of another user'],
    [
      'users:\n  - { userName: dora, cards: [0042] }',
      ':2: users[0].cards[0]: must be a string; put quotes around it',
    ],
    [
      "users:\n  - { userName: a, cards: ['1'] }\n  - { userName: b, cards: ['1'] }",
      ':3: users[1].cards[0]: "1" is the card of another person',
    ],
    [
      'groups: [Crew]\nusers:\n  - { userName: dora, groups: [Krew] }',
      ':3: users[0].groups[0]: "Krew" is not among groups; did you mean Crew?',
    ],
    ['groups: [Crew, Crew]', ':1: groups[1]: "Crew" is the name of an earlier group too'],
    [
      'account: { name: A, domains: [a.example] }\ncontainers: [{ name: B, domains: [A.example] }]',
      ':2: containers[0].domains[0]: "a.example" is a domain of an earlier place too',
    ],
    ['account: { name: A, domains: [a b] }', ':1: account.domains[0]: '],
    [
      'account: { name: A, domains: [a.b], timezone: Mars/X }',
      ':1: account.timezone: must be an IANA zone id',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, file: /dev/zero }`,
      ':4: documents[0].file: /dev/zero is no file of at most 256 MiB',
    ],
    [
      `users:\n${user}\ndocuments:\n${sheet}\n${sheet}`,
      ':5: documents[1].uuid: "0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11" is the uuid of another document',
    ],
    ['users:\n  - { userName: dora, permissions: some }', ':2: users[0].permissions: '],
    ['users:\n  - { userName: dora, permissions: [ViewJobs] }', 'did you mean ViewJob?'],
    [
      'users:\n  - { userName: dora, quota: 0.0000005 }',
      ':2: users[0].quota: must have six decimals at most',
    ],
    ['users:\n  - { userName: dora, wallet: -1 }', ':2: users[0].wallet: must be at least 0'],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dorra, name: A.pdf }`,
      ':4: documents[0].owner: "dorra" is not among users; did you mean dora?',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora }`,
      ':4: documents[0]: has neither a name nor a file; give one of them',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, file: none.pdf }`,
      'none.pdf cannot be read (ENOENT); none.pdf is looked for from the folder of this file',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, name: A.pdf, duplex: 3 }`,
      ':4: documents[0].duplex: must be at most 2',
    ],
    [`users:\n${user}\ndocuments:\n  - { owner: dora, name: A.pdf, uuid: one }`, ':4: documents[0].uuid: '],
    [
      'outputPorts:\n  - { name: A, deviceSerial: S }\n  - { name: B, deviceSerial: S }',
      ':3: outputPorts[1].deviceSerial: "S" is the serial number of an earlier port too',
    ],
    [
      'outputPorts:\n  - { name: A, printProtocol: ipp }',
      ':2: outputPorts[0].printProtocol: must be a number',
    ],
    [
      'inputPorts:\n  - { name: A, portType: 1 }',
      ':2: inputPorts[0]: is a push queue (portType 1) and needs its outputPort',
    ],
    [
      'inputPorts:\n  - { name: A, outputPort: B }',
      ':2: inputPorts[0].outputPort: "B" is not among outputPorts',
    ],
    ['inputPorts:\n  - { name: A, location: B }', ':2: inputPorts[0].location: "B" is not among locations'],
    [
      'locations:\n  - { name: A, identifiers: [{ locationType: CITY, searchValue: B }] }',
      'must be GATEWAY_IP or SUBNET or IP_RANGE or WIFI_SSID',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, name: A.pdf, status: REDY }`,
      ':4: documents[0].status: must be READY or PRINTED or DELETED',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, name: A.pdf, status: REDY }`,
      'CONVERSION_FAILED or STORED; did you mean READY?',
    ],
    [
      `users:\n${user}\ndocuments:\n  - { owner: dora, name: A.pdf, tags: [{ tagType: 2, name: B }] }`,
      ':4: documents[0].tags[0].tagType: must be at most 1',
    ],
    [
      'settings:\n  userTokenLive: 5',
      ':2: settings.userTokenLive: userTokenLive is no setting; did you mean userTokenLife?',
    ],
    ['settings:\n  pageSize: many', ':2: settings.pageSize: must be a whole number from 1 to 10000'],
    ['settings: { listShape: pagd }', 'settings.listShape: must be bare, paged; did you mean paged?'],
    ['settings: { advancedPermissions: [ViewJobs] }', 'did you mean ViewJob?'],
    ['settings: fast', 'settings: must be an object'],
    ['prices: { bwNormalPage: 0.05 }', 'prices.bwLargePage: is missing'],
    ['account: { name: A }', ':1: account.domains: is missing'],
    ['- users', 'must be an object'],
    ['users: [', 'seed.yaml: Line 1: close the bracket before this line.'],
  ])('%j', async (text, reported) => {
    const file = await seedFile(text);
    expect(() => readSeed(file)).toThrow(ConfigInvalid);
    expect(() => readSeed(file)).toThrow(reported);
  });

  it('all mistakes at once, and the command ends with 78', async () => {
    const file = await seedFile('users:\n  - {}\n  - { userName: dora, pine: 1 }\n');
    const { code, error } = await commandHere(['simulate', 'cloud', '--port', '0', '--seed', file]);
    expect([code, error.split('\n')]).toEqual([
      78,
      [
        `platen: ${file}:2: users[0].userName: is missing`,
        expect.stringContaining(`${file}:3: users[1].pine`),
      ],
    ]);
  });

  it('a file that is not there', async () => {
    const { code, error } = await commandHere(['simulate', 'cloud', '--seed', '/nowhere/seed.yaml']);
    expect([code, error]).toEqual([
      78,
      'platen: /nowhere/seed.yaml: cannot be read (ENOENT); name another file with --seed FILE',
    ]);
  });
});

describe('the JSON Schema of a seed', () => {
  it('is that of the schema in use (npm run schema)', () => {
    expect(readFileSync('config/platen-cloud-seed.schema.json', 'utf8')).toBe(seedJsonSchema());
  });

  it('takes what is right, and not what is wrong', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(seedJsonSchema()),
    );
    expect([validate(parse(office)), validate.errors]).toEqual([true, null]);
    expect(validate({ users: [{}] })).toBe(false);
  });
});
