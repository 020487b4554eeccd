import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { enroll, storedTokens } from '../support/enrollment/enrollment-stage.ts';

const never = new AbortController().signal;

describe('a device that was never registered', () => {
  it('registers unsigned, polls while approval is pending, and then holds a token', async () => {
    const { clock, authority, holder, authorized, log } = enroll();
    authority.answer('token', 'authorization_pending', 'authorization_pending');
    await clock.advance(seconds(11));
    expect(authority.calls).toEqual(['register first', 'token dc-1', 'token dc-1', 'token dc-1']);
    expect(authorized).toEqual([true]);
    expect((await holder.current({ signal: never })).reveal()).toBe('at-1');
    expect(log.records('device registered')).toHaveLength(1);
    expect(log.records('device authorized')).toHaveLength(1);
  });

  it('polls at first every 5 s, after two minutes every 30 s, later every 60 s (T24)', async () => {
    const { clock, authority } = enroll();
    authority.answer('token', ...Array<'authorization_pending'>(500).fill('authorization_pending'));
    const polls = () => authority.calls.filter((call) => call.startsWith('token')).length;
    await clock.advance(minutes(2));
    expect(polls()).toBe(25);
    await clock.advance(minutes(10));
    expect(polls()).toBe(45);
    await clock.advance(hours(1));
    expect(polls()).toBeLessThanOrEqual(45 + 66);
  });

  it('slows down by five seconds when it is told to (RFC 8628 section 3.5)', async () => {
    const { clock, authority } = enroll();
    authority.answer('token', 'slow_down', 'authorization_pending', 'authorization_pending');
    await clock.advance(seconds(9));
    expect(authority.calls).toHaveLength(2);
    await clock.advance(seconds(2));
    expect(authority.calls).toHaveLength(3);
  });

  it('waits out a service that cannot be reached, without giving up its identity', async () => {
    const { clock, authority, conditions, authorized } = enroll();
    authority.answer('register', 'unreachable', 'busy', 'unreachable');
    await clock.advance(seconds(1));
    expect(conditions.get('enrollment')?.code).toBe('cloud-unreachable');
    await clock.advance(minutes(1));
    expect(authority.calls.slice(0, 4)).toEqual(Array(4).fill('register first'));
    expect(authorized).toEqual([true]);
    expect(conditions.size).toBe(0);
  });

  it('takes a duplicate of its own for what it is when the first answer was lost', async () => {
    const { clock, authority, authorized } = enroll();
    authority.answer('register', 'lost', 'duplicate_client_id');
    await clock.advance(minutes(1));
    expect(authority.calls).toEqual(['register first', 'register first', 'register repeated', 'token dc-1']);
    expect(authorized).toEqual([true]);
  });

  it('treats a call that never settles as one that may have arrived', async () => {
    const { clock, authority, authorized } = enroll();
    authority.answer('register', 'silent', 'duplicate_client_id');
    await clock.advance(minutes(2));
    expect(authority.calls).toContain('register repeated');
    expect(authorized).toEqual([true]);
  });
});

describe('a restart', () => {
  it('goes on polling with the stored device code', async () => {
    const registration = { deviceCode: new Secret('dc-stored'), expiresAt: Number.MAX_SAFE_INTEGER };
    const { clock, authority } = enroll({ facts: { registered: true, registration } });
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['token dc-stored']);
  });

  it('registers again, signed, when the stored device code has expired', async () => {
    const registration = { deviceCode: new Secret('dc-stored'), expiresAt: 1 };
    const { clock, authority } = enroll({ facts: { registered: true, approved: true, registration } });
    authority.answer('token', 'authorization_pending');
    await clock.advance(seconds(6));
    expect(authority.calls).toEqual(['token dc-stored', 'register repeated', 'token dc-1']);
  });

  it('uses a stored token without any call', async () => {
    const { clock, authority, authorized } = enroll({ facts: { approved: true, tokens: storedTokens(3) } });
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual([]);
    expect(authorized).toEqual([true]);
  });

  it('makes the one recovery try when a refresh was under way (B.2 step 6, I6)', async () => {
    const facts = { registered: true, approved: true, tokens: storedTokens(3), refreshing: 3 };
    const { clock, authority, authorized } = enroll({ facts });
    authority.answer('refresh', 'token_refresh_error');
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['refresh rt-0', 'register repeated', 'token dc-1']);
    expect(authorized).toEqual([true, false, true]);
  });
});

describe('the life of a token', () => {
  const authorizedFacts = { registered: true, approved: true, tokens: storedTokens(1) };

  it('is renewed when half of it is over and nobody is in a session', async () => {
    const { clock, authority } = enroll({ facts: authorizedFacts });
    await clock.advance(minutes(29));
    expect(authority.calls).toEqual([]);
    await clock.advance(minutes(7));
    expect(authority.calls).toEqual(['refresh rt-0']);
  });

  it('is renewed in spite of a session when nine tenths are over', async () => {
    const { clock, authority } = enroll({ facts: authorizedFacts, idle: false });
    await clock.advance(minutes(53));
    expect(authority.calls).toEqual([]);
    await clock.advance(minutes(6));
    expect(authority.calls).toEqual(['refresh rt-0']);
  });

  it('ends with a 401: callers wait for the one refresh and get its token', async () => {
    const { clock, authority, holder } = enroll({ facts: authorizedFacts });
    await clock.advance(minutes(1));
    const before = await holder.current({ signal: never });
    holder.refused(before);
    holder.refused(before);
    const after = holder.current({ signal: never });
    await clock.advance(seconds(1));
    expect((await after).reveal()).toBe('at-1');
    expect(authority.calls).toEqual(['refresh rt-0']);
  });

  it('is not stormed for when a token just granted is refused', async () => {
    const { clock, authority, holder } = enroll();
    await clock.advance(seconds(1));
    holder.refused(await holder.current({ signal: never }));
    await clock.advance(seconds(29));
    expect(authority.calls.filter((call) => call.startsWith('refresh'))).toEqual([]);
    await clock.advance(seconds(2));
    expect(authority.calls.filter((call) => call.startsWith('refresh'))).toEqual(['refresh rt-1']);
  });

  it('keeps the old token in use while a refresh is only delayed', async () => {
    const { clock, authority, holder, authorized } = enroll({ facts: authorizedFacts });
    authority.answer('refresh', 'unreachable', 'busy', 'busy', 'unreachable');
    await clock.advance(minutes(40));
    expect(authorized).toEqual([true]);
    expect((await holder.current({ signal: never })).reveal()).not.toBe('');
    expect(authority.calls).toEqual(Array(5).fill('refresh rt-0'));
  });

  it('spends a token twice only as the one recovery try, and then registers signed (I6)', async () => {
    const { clock, authority } = enroll({ facts: authorizedFacts });
    authority.answer('refresh', 'lost', 'lost');
    await clock.advance(minutes(36));
    expect(authority.calls).toEqual(['refresh rt-0', 'refresh rt-0', 'register repeated', 'token dc-1']);
  });

  it('is not risked when the store cannot take its successor (B.2 step 3)', async () => {
    const { clock, authority, store, authorized } = enroll({ facts: authorizedFacts });
    const mark = store.markRefreshing;
    store.markRefreshing = () => {
      throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    };
    await clock.advance(minutes(40));
    expect(authority.calls).toEqual([]);
    expect(authorized).toEqual([true]);
    store.markRefreshing = mark;
    await clock.advance(minutes(6));
    expect(authority.calls).toEqual(['refresh rt-0']);
  });
});

describe('a verdict', () => {
  it.each([
    ['duplicate_client_id', 'registration-refused'],
    ['invalid_client_secret', 'api-key-refused'],
    ['access_denied', 'registration-refused'],
    ['invalid_key_type', 'registration-faulty'],
  ] as const)('%s to a registration stops and asks for a person', async (code, condition) => {
    const { clock, authority, conditions, holder } = enroll();
    authority.answer('register', code);
    await clock.advance(minutes(10));
    expect(authority.calls).toEqual(['register first']);
    expect(conditions.get('enrollment')?.code).toBe(condition);
    await expect(holder.current({ signal: never })).rejects.toMatchObject({
      code: 'terminal-not-authorized',
    });
  });

  it('is looked at again after a quarter of an hour, so that a repair needs no restart', async () => {
    const { clock, authority, authorized } = enroll();
    authority.answer('register', 'invalid_client_secret');
    await clock.advance(minutes(16));
    expect(authority.calls).toEqual(['register first', 'register first', 'token dc-1']);
    expect(authorized).toEqual([true]);
  });

  it.each(['expired_device_code', 'invalid_device_code'] as const)(
    '%s registers again, signed',
    async (code) => {
      const { clock, authority } = enroll();
      authority.answer('token', code);
      await clock.advance(seconds(1));
      expect(authority.calls).toEqual(['register first', 'token dc-1', 'register repeated', 'token dc-2']);
    },
  );

  it.each(['invalid_endpoint', 'invalid_client_id'] as const)('%s makes a new registration', async (code) => {
    const { clock, authority } = enroll();
    authority.answer('token', code);
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['register first', 'token dc-1', 'register first', 'token dc-2']);
  });

  it('against the signature of a device that was never approved leads to an unsigned registration', async () => {
    const { clock, authority } = enroll({ facts: { registered: true } });
    authority.answer('register', 'invalid_client_for_signature_verification');
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['register repeated', 'register first', 'token dc-1']);
  });

  it('against the signature of an approved device needs a person: it would cost a new approval', async () => {
    const { clock, authority, conditions } = enroll({ facts: { registered: true, approved: true } });
    authority.answer('register', 'invalid_signature');
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['register repeated']);
    expect(conditions.get('enrollment')?.code).toBe('device-key-refused');
  });

  it('that withdraws the trust takes the terminals out of service', async () => {
    const { clock, authority, conditions, authorized } = enroll({
      facts: { registered: true, approved: true, tokens: storedTokens(1) },
    });
    authority.answer('refresh', 'endpoint_not_authorized_for_device_token_refresh');
    await clock.advance(minutes(36));
    expect(authorized).toEqual([true, false]);
    expect(conditions.get('enrollment')?.code).toBe('trust-withdrawn');
  });

  it.each(['token_create_error', 'error_saving_endpoint', 'not_implemented'] as const)(
    '%s is a fault of the server and is waited out',
    async (code) => {
      const { clock, authority, authorized } = enroll();
      authority.answer('token', code, code);
      await clock.advance(minutes(1));
      expect(authority.calls).toEqual(['register first', 'token dc-1', 'token dc-1', 'token dc-1']);
      expect(authorized).toEqual([true]);
    },
  );
});
