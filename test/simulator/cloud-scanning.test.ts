/** Scan connectors, workflows and access of the simulated cloud: what is kept, what goes with what, what is refused. */
import { expect, test } from 'vitest';
import type { CloudOptions } from '../../src/simulator/cloud/cloud.ts';
import { administratorOf } from './administrator.ts';

const mail = { name: 'Mail', connectorType: 'EMAIL' };
const toMail = { name: 'To me', connectorId: 1, fileType: 'PDF', smtpConnector: { mailTo: 'a@example.org' } };

test('a connector has the defaults of the specification, is changed as a whole, and goes when nothing uses it', async () => {
  await using at = await administratorOf();
  const made = await at.ask('POST', '/scan/connectors', mail);
  expect(made).toEqual({
    status: 200,
    body: { ...mail, id: 1, retryAttemptsCount: 0, retryAttemptsTimeout: 3 },
  });
  await at.ask('PUT', '/scan/connectors/1', {
    ...mail,
    id: 1,
    description: 'by mail',
    retryAttemptsCount: 5,
  });
  expect((await at.ask('GET', '/scan/connectors/1')).body).toMatchObject({
    description: 'by mail',
    retryAttemptsCount: 5,
  });
  await at.ask('POST', '/scan/workflows', toMail);
  expect((await at.ask('DELETE', '/scan/connectors/1')).status).toBe(403);
  expect((await at.ask('DELETE', '/scan/workflows/1')).status).toBe(204);
  expect(await at.ask('DELETE', '/scan/connectors/1')).toEqual({ status: 204, body: undefined });
  expect((await at.ask('GET', '/scan/connectors/1')).status).toBe(404);
  expect(at.cloud.deviations).toEqual([]);
});

test('a step of a workflow stays where a change does not name it, and goes where it is not enabled', async () => {
  await using at = await administratorOf();
  await at.ask('POST', '/scan/connectors', mail);
  const ocrOptions = { enabled: true, languages: ['en'] };
  const documentSeparationOptions = { enabled: true, separationType: 'SEPARATION_SHEET' };
  const made = await at.ask('POST', '/scan/workflows', {
    ...toMail,
    ocrOptions,
    documentSeparationOptions,
    fileTypeEditableByUser: true,
  });
  expect(made.body).toMatchObject({
    ocrOptions,
    active: true,
    sortOrder: '1',
    fileTypeEditableByUser: false,
    documentSeparationOptions: { dropSeparator: true },
  });
  const renamed = await at.ask('PUT', '/scan/workflows/1', { ...toMail, name: 'To us' });
  expect(renamed.body).toMatchObject({ name: 'To us', ocrOptions });
  const plain = await at.ask('PUT', '/scan/workflows/1', { ...toMail, ocrOptions: { enabled: false } });
  expect(plain.body).toMatchObject({
    ocrOptions: null,
    documentSeparationOptions: { enabled: true },
  });
});

test('a workflow without a place is the last one, also when others are gone, and access tells its new name', async () => {
  await using at = await administratorOf();
  await at.ask('POST', '/scan/connectors', mail);
  for (const name of ['One', 'Two', 'Three']) await at.ask('POST', '/scan/workflows', { ...toMail, name });
  await at.ask('DELETE', '/scan/workflows/1');
  expect((await at.ask('POST', '/scan/workflows', toMail)).body).toMatchObject({ id: 4, sortOrder: '4' });
  await at.ask('POST', '/scan/access', { workflowId: 4, identityId: 101 });
  await at.ask('PUT', '/scan/workflows/4', { ...toMail, name: 'To us' });
  expect((await at.ask('GET', '/scan/access')).body).toMatchObject([
    { workflowId: 4, workflowName: 'To us' },
  ]);
});

test('access is for a user or a group, by id or name, and goes with its workflow', async () => {
  await using at = await administratorOf();
  await at.ask('POST', '/scan/connectors', mail);
  await at.ask('POST', '/scan/workflows', toMail);
  const alice = await at.ask('POST', '/scan/access', { workflowId: 1, identityName: 'alice' });
  expect(alice.body).toEqual({
    id: 1,
    workflowId: 1,
    workflowName: 'To me',
    identityId: 101,
    identityName: 'alice',
    identityType: 'User',
    allowAccess: true,
  });
  const upstairs = { workflowName: 'To me', identityId: 2, identityType: 'Group' };
  expect((await at.ask('POST', '/scan/access', upstairs)).body).toMatchObject({
    identityName: 'Upstairs',
  });
  expect((await at.ask('PUT', '/scan/access/2', { ...upstairs, identityId: 9 })).status).toBe(404);
  expect((await at.ask('PUT', '/scan/access/2', { allowAccess: false })).body).toEqual({
    id: 2,
    workflowId: 1,
    workflowName: 'To me',
    identityId: 2,
    identityName: 'Upstairs',
    identityType: 'Group',
    allowAccess: false,
  });
  expect((await at.ask('PUT', '/scan/access/2', { identityId: 1 })).body).toMatchObject({
    workflowId: 1,
    identityId: 1,
    identityType: 'Group',
    allowAccess: true,
  });
  await at.ask('DELETE', '/scan/workflows/1');
  expect((await at.ask('GET', '/scan/access')).body).toEqual([]);
});

const https = { name: 'Hook', connectorType: 'GENERIC_HTTPS' };

test.each<{ what: string; path: string; body: object; noted: string }>([
  {
    what: 'parameters of another type',
    path: '/scan/connectors',
    body: { ...mail, siteBConnectorParameters: {} },
    noted: 'not for EMAIL',
  },
  {
    what: 'HTTPS without an address',
    path: '/scan/connectors',
    body: https,
    noted: 'genericHttpsConnectorParameters is missing',
  },
  {
    what: 'HTTP',
    path: '/scan/connectors',
    body: { ...https, genericHttpsConnectorParameters: { endpointUrl: 'http://a' } },
    noted: 'HTTPS URL',
  },
  {
    what: 'notifications without a template',
    path: '/scan/connectors',
    body: {
      name: 'Link',
      connectorType: 'SCAN_TO_DOWNLOAD',
      scanToDownloadConnectorParameters: { notificationEnabled: true },
    },
    noted: 'templateConfigId',
  },
  {
    what: 'restrictions of no size',
    path: '/scan/connectors',
    body: { ...mail, deliveryRestrictions: { enabled: true } },
    noted: 'maxScanJobSize',
  },
  {
    what: 'a target of another connector',
    path: '/scan/workflows',
    body: { ...toMail, driveAConnector: {} },
    noted: 'not for a connector of EMAIL',
  },
  {
    what: 'pages to split at with barcodes',
    path: '/scan/workflows',
    body: {
      ...toMail,
      documentSeparationOptions: { enabled: true, separationType: 'BARCODE_TYPE', pageSplitSize: '2' },
    },
    noted: 'PAGE_COUNT only',
  },
  {
    what: 'a password that is generated',
    path: '/scan/workflows',
    body: { ...toMail, ocrOptions: { enabled: true, outputFormatParameters: { encryptionPassword: 'x' } } },
    noted: 'ManualPassword only',
  },
  {
    what: 'a range of the whole document',
    path: '/scan/workflows',
    body: {
      ...toMail,
      highlightRedactionOptions: { enabled: true, redactionType: 'WHOLE_DOCUMENT', rangeFrom: '1' },
    },
    noted: 'RANGE only',
  },
  {
    what: 'an id of its own',
    path: '/scan/connectors',
    body: { ...mail, id: 7 },
    noted: 'not that of the path',
  },
])('$what is refused and noticed', async ({ path, body, noted }) => {
  await using at = await administratorOf();
  await at.ask('POST', '/scan/connectors', mail);
  expect((await at.ask('POST', path, body)).status).toBe(400);
  expect(at.cloud.deviations).toEqual([expect.stringContaining(noted)]);
});

test('an account may have no scanning, or not every connector', async () => {
  await using hidden = await administratorOf({ scanning: 'hidden' });
  expect((await hidden.ask('GET', '/scan/workflows')).status).toBe(403);
  await using some = await administratorOf({ hiddenConnectors: ['GENERIC_HTTPS'] });
  const hook = { ...https, genericHttpsConnectorParameters: { endpointUrl: 'https://scans.example.org/in' } };
  expect((await some.ask('POST', '/scan/connectors', hook)).status).toBe(400);
  expect([...hidden.cloud.deviations, ...some.cloud.deviations]).toEqual([]);
});

test('an API key without advanced permissions makes the calls that are free of them, one with some those', async () => {
  const statuses = async (advancedPermissions: CloudOptions['advancedPermissions'] & {}) => {
    await using at = await administratorOf({ advancedPermissions });
    const answers = ['/version', '/scan/connectors', '/locations/21'].map((path) => at.ask('GET', path));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses('none')).toEqual([200, 403, 200]);
  expect(await statuses(['ViewScanWorkflow'])).toEqual([200, 200, 403]);
});
