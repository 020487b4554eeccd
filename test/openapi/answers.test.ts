/** The checker can fail: each way an answer can be wrong has its complaint. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/cloud/description.ts';
import { complaintsAboutAnswer } from '../support/cloud/description.ts';

const asking = { method: 'GET', path: '/api/v1/documents' };
const recording = { method: 'POST', path: '/api/v1/documents/history' };
const refreshing = { method: 'POST', path: '/oauth/v1/token' };
const waiting = {
  uuid: 'u',
  documentName: 'Report.pdf',
  documentType: 1,
  userName: 'alice',
  totalPages: 3,
  colorPages: 0,
  duplex: 0,
  copies: 1,
  grayscale: false,
  paperSize: 'A4',
  dateTime: 1_795_262_400_000,
  status: 0,
  storageOnline: true,
  secure: false,
  tags: [],
  collate: true,
  outputPortId: 0,
  outputPortName: '',
  jobType: 'PRINT',
};
const json = (value: unknown, status = 200): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

describe('an answer', () => {
  it.each<{ what: string; to: typeof asking; answer: Answer }>([
    { what: 'a bare list', to: asking, answer: json([waiting]) },
    { what: 'a page', to: asking, answer: json({ items: [waiting], recordsOnPage: 1, nextPageToken: '' }) },
    { what: 'fields of tomorrow', to: asking, answer: json([{ ...waiting, color: 'red' }]) },
    { what: 'a refusal', to: asking, answer: json({ errorCode: 10000 }, 403) },
    { what: 'nothing', to: recording, answer: { status: 200, type: undefined, body: '' } },
    {
      what: 'an OAuth error',
      to: refreshing,
      answer: json(
        { error: 'invalid_grant', error_description: 'spent', x_error_code: 'token_refresh_error' },
        400,
      ),
    },
    {
      what: 'an OAuth error of an older server',
      to: refreshing,
      answer: json({ error: 'authorization_pending', error_description: 'Authorization pending' }, 400),
    },
  ])('that is right has no complaints: $what', ({ to, answer }) => {
    expect(complaintsAboutAnswer(to, answer)).toEqual([]);
  });

  it.each<{ what: string; to: typeof asking; answer: Answer; complaint: string }>([
    {
      what: 'an unknown status',
      to: asking,
      answer: json([], 418),
      complaint: 'GET /api/v1/documents: 418: not a described status',
    },
    {
      what: 'a missing field',
      to: asking,
      answer: json([{ ...waiting, uuid: undefined }]),
      complaint: "body/0: must have required property 'uuid'",
    },
    {
      what: 'a field of another type',
      to: asking,
      answer: json([{ ...waiting, copies: '1' }]),
      complaint: 'body/0/copies: must be integer',
    },
    {
      what: 'an unknown errorCode',
      to: asking,
      answer: json({ errorCode: 4711 }, 403),
      complaint: 'body/errorCode: must match exactly one schema in oneOf',
    },
    {
      what: 'another content type',
      to: asking,
      answer: { status: 200, type: 'text/html', body: '<html>' },
      complaint: 'content type text/html',
    },
    { what: 'no JSON', to: asking, answer: { ...json([]), body: '[' }, complaint: 'body: not JSON' },
    {
      what: 'a body where none belongs',
      to: recording,
      answer: json({}),
      complaint: 'body: where none is described',
    },
    {
      what: 'an OAuth code that is not published',
      to: refreshing,
      answer: json({ error: 'x', error_description: '', x_error_code: 'go_away' }, 400),
      complaint: 'body/x_error_code: must be equal to one of the allowed values',
    },
    {
      what: 'an errorCode in place of an OAuth error',
      to: refreshing,
      answer: json({ errorCode: 0 }, 400),
      complaint: "body: must have required property 'error'",
    },
  ])('with $what has its complaint', ({ to, answer, complaint }) => {
    expect(complaintsAboutAnswer(to, answer)).toContainEqual(expect.stringContaining(complaint));
  });
});
