/** The key of a fleet. During a change there are two: new data is sealed with `key`, and old data opens with either. */
import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Secret } from '../../core/secret.ts';

/** Each is 32 bytes, as base64. */
export interface FleetKeys {
  readonly key: Secret;
  readonly previousKey?: Secret | undefined;
}

export const allKeys = ({ key, previousKey }: FleetKeys): readonly Secret[] =>
  previousKey ? [key, previousKey] : [key];

export const keyObject = (key: Secret): KeyObject => createSecretKey(Buffer.from(key.reveal(), 'base64'));

/** For one purpose, and of use for no other (RFC 5869); 32 bytes. */
export const derivedKey = (key: Secret, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key.reveal(), 'base64'), '', `platen ${purpose}`, 32));

const checkBytes = 32;

/** Tells keys apart, and tells nothing of them. */
const keyCheck = (key: Secret, fleetId: string): Buffer =>
  createHmac('sha256', keyObject(key)).update(`platen fleet ${fleetId}`).digest();

/** As the fleet's row has them: one, or two while its key is changed. */
const checksIn = (written: Uint8Array): readonly Buffer[] =>
  Array.from({ length: written.length / checkBytes }, (_, at) =>
    Buffer.from(written.subarray(at * checkBytes, (at + 1) * checkBytes)),
  );

export const firstChecks = (keys: FleetKeys, fleetId: string): Buffer =>
  Buffer.concat(allKeys(keys).map((key) => keyCheck(key, fleetId)));

export function isKeyOf(keys: FleetKeys, fleetId: string, written: Uint8Array): boolean {
  const own = allKeys(keys).map((key) => keyCheck(key, fleetId));
  return checksIn(written).some((one) => own.some((check) => check.equals(one)));
}

/**
 * What the row should have from now on, where that is something else. The first member with both keys adds the new one, so
 * that those with either are let in, and does so again where it is missing. A member with one key alone takes the other
 * away: the change has come to its end, or was taken back.
 */
export function checksAfter(keys: FleetKeys, fleetId: string, written: Uint8Array): Buffer | undefined {
  const [own, ...others] = allKeys(keys).map((key) => keyCheck(key, fleetId));
  const known = checksIn(written);
  if (!own) return undefined;
  if (others.length > 0)
    return known.some((one) => one.equals(own)) ? undefined : Buffer.concat([own, ...others]);
  return known.length > 1 ? own : undefined;
}
