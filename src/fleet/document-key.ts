/** The name of a document in the engine: its UUID in lower case (RFC 9562, section 4). */
import { hash } from 'node:crypto';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** If the service's id is not a UUID, one is made from it (version 8). */
export function documentKey(documentUuid: string): string {
  const id = documentUuid.toLowerCase();
  if (uuid.test(id)) return id;
  const digest = hash('sha256', id, 'hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}
