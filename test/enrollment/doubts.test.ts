/** What enrollment hears from outside: a trust in doubt, a service that is back, a further server (B.3, I7). */
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { enroll, storedTokens } from '../support/enrollment/enrollment-stage.ts';
import { withoutLimit } from '../support/patience.ts';

const authorizedBefore = { facts: { registered: true, approved: true, tokens: storedTokens(1) } };

describe('a trust in doubt', () => {
  it('is asked about by one refresh; a good answer changes nothing for anybody', async () => {
    const { authority, authorized, clock, enrollment } = enroll(authorizedBefore);
    await clock.advance(seconds(1));
    enrollment.doubtTrust();
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['refresh rt-0']);
    expect(authorized).toEqual([true]);
  });

  it('that was withdrawn takes the terminal out of service, and says so (I9)', async () => {
    const { authority, authorized, clock, conditions, enrollment } = enroll(authorizedBefore);
    await clock.advance(seconds(1));
    authority.answer('refresh', 'endpoint_not_authorized_for_device_token_refresh');
    enrollment.doubtTrust();
    await clock.advance(seconds(1));
    expect(authorized).toEqual([true, false]);
    expect(conditions.get('enrollment')).toMatchObject({ code: 'trust-withdrawn', severity: 'error' });
  });

  it('while the device waits for approval is none', async () => {
    const { authority, clock, enrollment } = enroll();
    authority.answer('token', ...Array<'authorization_pending'>(50).fill('authorization_pending'));
    await clock.advance(seconds(1));
    enrollment.doubtTrust();
    await clock.advance(seconds(1));
    expect(authority.calls).toEqual(['register first', 'token dc-1']);
  });
});

describe('a token that the service refuses', () => {
  it('takes nobody out of service while its successor is fetched: calls wait for that', async () => {
    const { authority, authorized, clock, holder } = enroll(authorizedBefore);
    await clock.advance(minutes(1));
    const token = await holder.current(withoutLimit());
    authority.answer('refresh', 'silent');
    holder.refused(token);
    await clock.advance(seconds(1));
    const next = holder.current(withoutLimit());
    expect(authorized).toEqual([true]);
    // The call that never settles has its limit, and the recovery try brings the new token.
    await clock.advance(seconds(60));
    expect((await next).equals(token)).toBe(false);
    expect(authority.calls).toEqual(['refresh rt-0', 'refresh rt-0']);
  });
});

describe('a service that answers as if it were polled', () => {
  it.each(['authorization_pending', 'slow_down'] as const)(
    'a registration or a refresh with %s: it is asked again',
    async (code) => {
      const fresh = enroll();
      fresh.authority.answer('register', code);
      await fresh.clock.advance(minutes(2));
      expect(fresh.authority.calls.slice(0, 2)).toEqual(['register first', 'register first']);
      expect(fresh.authorized).toEqual([true]);
      const refreshed = enroll(authorizedBefore);
      refreshed.authority.answer('refresh', code);
      await refreshed.clock.advance(seconds(1));
      refreshed.enrollment.doubtTrust();
      await refreshed.clock.advance(minutes(2));
      expect(refreshed.authority.calls).toEqual(['refresh rt-0', 'refresh rt-0']);
    },
  );
});

describe('a service that was away', () => {
  it('is asked again at the word that it is back', async () => {
    const { authority, clock, enrollment } = enroll();
    authority.answer('register', ...Array<'unreachable'>(6).fill('unreachable'));
    await clock.advance(minutes(1));
    const before = authority.calls.length;
    enrollment.serviceIsBack();
    await clock.advance(seconds(1));
    expect(authority.calls.length).toBe(before + 1);
  });

  it('is asked at least every 45 s without any word (I7)', async () => {
    const { authority, authorized, clock } = enroll();
    authority.answer('register', ...Array<'unreachable'>(100).fill('unreachable'));
    await clock.advance(hours(1));
    const before = authority.calls.length;
    await clock.advance(seconds(45));
    expect(authority.calls.length).toBe(before + 1);
    authority.answer('register');
    await clock.advance(seconds(60));
    expect(authorized).toEqual([true]);
  });
});

describe('a token that dies while its refresh fails', () => {
  it('is shown to nobody again, and its refresh is tried at once (B.3, 401)', async () => {
    const { authority, clock, holder } = enroll(authorizedBefore);
    authority.answer('refresh', ...Array<'unreachable'>(8).fill('unreachable'));
    await clock.advance(minutes(34));
    const token = await holder.current(withoutLimit());
    const before = authority.calls.length;
    authority.answer('refresh');
    holder.refused(token);
    await clock.advance(seconds(0));
    expect(authority.calls.length).toBe(before + 1);
    expect((await holder.current(withoutLimit())).equals(token)).toBe(false);
  });

  it('is waited for once, and not stormed: without a token nobody is refused again (I8)', async () => {
    const { authority, authorized, clock, holder } = enroll(authorizedBefore);
    authority.answer('refresh', ...Array<'unreachable'>(50).fill('unreachable'));
    await clock.advance(minutes(34));
    const token = await holder.current(withoutLimit());
    const before = authority.calls.length;
    for (let count = 0; count < 5; count += 1) holder.refused(token);
    await clock.advance(seconds(1));
    expect(authority.calls.length).toBe(before + 1);
    expect(authorized).toEqual([true, false]);
  });
});

describe('at a further server', () => {
  it('what is wrong is a warning that names it', async () => {
    const { authority, clock, conditions } = enroll({ furtherServer: 'central.example' });
    authority.answer('register', 'access_denied');
    await clock.advance(seconds(1));
    expect([...conditions.keys()]).toEqual(['enrollment at central.example']);
    expect(conditions.get('enrollment at central.example')).toMatchObject({ severity: 'warning' });
  });

  it('a device that is known there needs no second approval; one that is not is registered anew', async () => {
    const known = enroll({ facts: { registered: true } });
    await known.clock.advance(seconds(1));
    expect(known.authority.calls[0]).toBe('register repeated');
    expect(known.authorized).toEqual([true]);

    const unknown = enroll({ facts: { registered: true } });
    unknown.authority.answer('register', 'invalid_client_for_signature_verification');
    await unknown.clock.advance(seconds(10));
    expect(unknown.authority.calls.slice(0, 2)).toEqual(['register repeated', 'register first']);
    expect(unknown.authorized).toEqual([true]);
  });
});
