/** The checker can fail: each way a request can be wrong has its complaint. */
import { describe, expect, it } from 'vitest';
import { complaintsAboutRequest, findOperation } from '../support/cloud/description.ts';
import type { Request } from '../support/cloud/description.ts';

const asking: Request = {
  method: 'GET',
  path: '/api/v1/documents',
  query: 'status=0%2C9&maxRecords=500',
  contentType: undefined,
  body: '',
  bearer: 'user',
};
const form = 'application/x-www-form-urlencoded';
const login: Request = {
  ...asking,
  method: 'POST',
  path: '/api/v1/login',
  query: '',
  bearer: 'device',
  contentType: form,
  body: 'authtype=1&userid=04A1B2C3D4',
};
const history: Request = {
  ...login,
  path: '/api/v1/documents/history',
  body: 'jobtype=PRINT&totalpages=3&duplex=true&datetime=2026-11-21T13%3A00%3A00%2B01%3A00',
};
const balance: Request = {
  ...asking,
  method: 'POST',
  path: '/api/v1/balance/check',
  query: '',
  contentType: 'application/json; charset=utf-8',
  body: '{"uuid":"u","userName":"alice","providerId":3,"totalPages":3,"colorPages":0,"paperSize":"A4","copies":1}',
};
const token: Request = {
  ...login,
  path: '/oauth/v1/token',
  bearer: 'none',
  body: 'client_id=c&client_secret=key&grant_type=refresh_token&refresh_token=r',
};
const parts = (...middle: readonly string[]): string =>
  middle.map((part) => `--cut\r\ncontent-disposition: form-data; ${part}\r\n`).join('') + '--cut--\r\n';
const data = 'name="data"; filename="a.pdf"\r\ncontent-type: application/octet-stream\r\n\r\n%PDF-\r\n\r\n--';
const named = (name: string, value: string): string => `name="${name}"\r\n\r\n${value}`;
const uploaded = [data, named('username', 'alice'), named('portname', 'Pull'), named('title', 'a.pdf')];
const upload: Request = {
  ...asking,
  method: 'PUT',
  query: '',
  contentType: 'multipart/form-data; boundary=cut',
  body: parts(...uploaded),
};

describe('a request', () => {
  it.each([
    { what: 'a list', request: asking },
    { what: 'a list by repeated status', request: { ...asking, query: 'status=0&status=9' } },
    { what: 'a login', request: login },
    { what: 'a record', request: history },
    { what: 'a check', request: balance },
    { what: 'a refresh', request: token },
    { what: 'an upload', request: upload },
  ])('that is right has no complaints: $what', ({ request }) => {
    expect(complaintsAboutRequest(request)).toEqual([]);
  });

  it.each<{ what: string; request: Request; complaint: string }>([
    {
      what: 'an unknown call',
      request: { ...asking, path: '/api/v1/tokens' },
      complaint: 'GET /api/v1/tokens: not a described call',
    },
    {
      what: 'another method',
      request: { ...asking, method: 'PATCH' },
      complaint: 'PATCH /api/v1/documents: not a described call',
    },
    {
      what: 'an unknown query parameter',
      request: { ...asking, query: 'maxrecords=5' },
      complaint: 'query: must NOT have additional properties (maxrecords)',
    },
    {
      what: 'a number above its limit',
      request: { ...asking, query: 'maxRecords=501' },
      complaint: 'query/maxRecords: must be <= 500',
    },
    {
      what: 'a text where a number belongs',
      request: { ...asking, query: 'maxRecords=all' },
      complaint: 'query/maxRecords: must be integer',
    },
    {
      what: 'a value not in its table',
      request: { ...asking, query: 'status=10' },
      complaint: 'query/status/0: must match exactly one schema in oneOf',
    },
    {
      what: 'a parameter that comes twice',
      request: { ...asking, query: 'maxRecords=1&maxRecords=2' },
      complaint: 'query/maxRecords: must be integer',
    },
    {
      what: 'a missing query parameter',
      request: { ...asking, path: '/api/v1/balance', query: 'username=alice' },
      complaint: "query: must have required property 'providerid'",
    },
    {
      what: 'a path part of another type',
      request: { ...asking, path: '/api/v1/locations/here', query: '' },
      complaint: 'path/id: must be integer',
    },
    {
      what: 'the wrong token',
      request: { ...asking, bearer: 'device' },
      complaint: 'bearer: device',
    },
    {
      what: 'a body where none belongs',
      request: { ...asking, body: 'status=0' },
      complaint: 'body: where none is described',
    },
    {
      what: 'another content type',
      request: { ...login, contentType: 'text/plain' },
      complaint: 'body: content type text/plain',
    },
    {
      what: 'no content type',
      request: { ...login, contentType: undefined },
      complaint: 'body: content type missing',
    },
    {
      what: 'a missing form field',
      request: { ...login, body: 'authtype=1' },
      complaint: "body: must have required property 'userid'",
    },
    {
      what: 'a field that another one needs',
      request: { ...login, body: 'authtype=0&userid=alice' },
      complaint: "body: must have required property 'password'",
    },
    {
      what: 'an unknown form field',
      request: { ...login, body: `${login.body}&pin=1` },
      complaint: 'body: must NOT have additional properties (pin)',
    },
    {
      what: 'a boolean in other words',
      request: { ...history, body: 'jobtype=PRINT&duplex=yes' },
      complaint: 'body/duplex: must be boolean',
    },
    {
      what: 'a time without an offset',
      request: { ...history, body: 'jobtype=PRINT&datetime=2026-11-21T13%3A00%3A00Z' },
      complaint:
        'body/datetime: must match pattern "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$"',
    },
    {
      what: 'half a user',
      request: { ...history, body: 'jobtype=PRINT&username=alice' },
      complaint: 'body: must have property providerid when property username is present',
    },
    {
      what: 'a missing JSON field',
      request: { ...balance, body: balance.body.replace(',"copies":1', '') },
      complaint: "body: must have required property 'copies'",
    },
    {
      what: 'an unknown JSON field',
      request: { ...balance, body: balance.body.replace('{', '{"cost":1,') },
      complaint: 'body: must NOT have additional properties (cost)',
    },
    {
      what: 'no JSON',
      request: { ...balance, body: balance.body.slice(1) },
      complaint: 'body: not JSON',
    },
    {
      what: 'the grant type of RFC 8628',
      request: { ...token, body: token.body.replace('=refresh_token', '=urn') },
      complaint: 'body/grant_type: must be equal to constant',
    },
    {
      what: 'an upload without its document',
      request: { ...upload, body: parts(...uploaded.slice(1)) },
      complaint: "body: must have required property 'data'",
    },
    {
      what: 'an upload of a document without a filename',
      request: { ...upload, body: parts(data.replace('; filename="a.pdf"', ''), ...uploaded.slice(1)) },
      complaint: 'body: no form-data',
    },
    {
      what: 'an upload that is cut',
      request: { ...upload, body: upload.body.slice(0, -8) },
      complaint: 'body: no form-data',
    },
    {
      what: 'an upload scaled to nothing',
      request: { ...upload, body: parts(...uploaded, named('scale', '0')) },
      complaint: 'body/scale: must match pattern',
    },
  ])('with $what has its complaint', ({ request, complaint }) => {
    expect(complaintsAboutRequest(request)).toContainEqual(expect.stringContaining(complaint));
  });

  it('is that of the concrete path before the templated one', () => {
    const call = (method: string, path: string) => findOperation({ method, path })?.operationId;
    expect(call('POST', '/api/v1/documents/history')).toBe('recordJob');
    expect(call('DELETE', '/api/v1/documents/history')).toBe('deleteDocument');
    expect(call('POST', '/api/v1/documents/u-1/10.0.0.7')).toBe('releaseDocument');
    expect(call('GET', '/api/v1/documents/u-1.content')).toBe('downloadDocument');
  });
});
