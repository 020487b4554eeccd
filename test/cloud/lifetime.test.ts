import { describe, expect, it } from 'vitest';
import { accessTokenLife, deviceCodeLife, lifetime } from '../../src/cloud/oauth/lifetime.ts';

describe('expires_in', () => {
  it.each([
    [3600, 3600],
    ['3600', 3600],
    [0.5, 0.5],
    [undefined, 3600],
    [null, 3600],
    [0, 60],
    [-1, 60],
    [1e15, 60],
    ['soon', 60],
    ['', 60],
    [true, 60],
    [{}, 60],
  ])('%j of an access token gives %d s (B.4, 2 Login)', (reported, expected) => {
    expect(lifetime(reported, accessTokenLife)).toBe(expected * 1000);
  });

  it.each([[undefined], [0], [-5], ['never']])('%j of a device code gives 259200 s', (reported) => {
    expect(lifetime(reported, deviceCodeLife)).toBe(259_200_000);
  });
});
