/** The wish to print one page that belongs to nobody: for a test page, and for questions about a printer. */
import { Secret } from '../../core/secret.ts';
import type { Ticket } from '../../domain/release.ts';

export const testTicket = (terminal: string, releaseId: string): Ticket => ({
  releaseId,
  terminal,
  sessionId: 'test-page',
  document: {
    uuid: 'test-page',
    name: 'Platen test page',
    totalPages: 1,
    colorPages: 1,
    copies: 1,
    grayscale: false,
    sides: undefined,
    paperSize: undefined,
    collate: undefined,
    storageOnline: true,
    sentAt: undefined,
  },
  user: { id: 0, providerId: 0, userName: 'platen' },
  token: { value: new Secret(''), expiresAt: 0 },
  monochrome: false,
  sendUsername: false,
});
