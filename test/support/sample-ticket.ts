/** One document and the wish to print it, as plain as they come; a test says what is particular about its own. */
import { hours } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Document } from '../../src/domain/document.ts';
import type { Ticket } from '../../src/domain/release.ts';

export const sampleDocument = (facts: Partial<Document> = {}): Document => ({
  uuid: 'doc-1',
  name: 'Report.pdf',
  totalPages: 1,
  colorPages: 0,
  copies: 1,
  grayscale: false,
  sides: undefined,
  paperSize: undefined,
  collate: undefined,
  storageOnline: true,
  sentAt: undefined,
  ...facts,
});

/** `document` changes what is wanted of the print, `ticket` the rest. */
export const sampleTicket = (document: Partial<Document> = {}, ticket: Partial<Ticket> = {}): Ticket => ({
  releaseId: '7f3a9c21000000000000000000000000',
  terminal: 'lobby',
  sessionId: 'session-1',
  document: sampleDocument(document),
  user: { id: 41, providerId: 7, userName: 'anna.lind' },
  token: { value: new Secret('user-token'), expiresAt: hours(1) },
  monochrome: false,
  sendUsername: false,
  ...ticket,
});
