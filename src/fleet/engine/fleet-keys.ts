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

/** A key for this purpose only (RFC 5869); 32 bytes. */
export const derivedKey = (key: Secret, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key.reveal(), 'base64'), '', `platen ${purpose}`, 32));

const checkBytes = 32;

/** Tells keys apart without revealing them. */
const keyCheck = (key: Secret, fleetId: string): Buffer =>
  createHmac('sha256', keyObject(key)).update(`platen fleet ${fleetId}`).digest();

/** The fleet's row has one check, or two while its key is changed. */
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
 * The checks that the row should have from now on; `undefined` if it has them. The first member with both keys adds the
 * new check, so that members with either key are let in. It adds the check again if it is missing. A member with only
 * one key removes the other check: the change is complete, or was taken back.
 */
export function checksAfter(keys: FleetKeys, fleetId: string, written: Uint8Array): Buffer | undefined {
  const [own, ...others] = allKeys(keys).map((key) => keyCheck(key, fleetId));
  const known = checksIn(written);
  if (!own) return undefined;
  if (others.length > 0)
    return known.some((one) => one.equals(own)) ? undefined : Buffer.concat([own, ...others]);
  return known.length > 1 ? own : undefined;
}
