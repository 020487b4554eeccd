import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formBody, pathSegment, query } from '../../src/cloud/http/form.ts';

describe('a form body', () => {
  it('keeps the order, leaves out what is not known, and escapes the base64 of a key', () => {
    const { type, bytes } = formBody([
      ['b', 'HUUtnCdtG1x9oiSI4ODtvIEmI/qp7lFknsu1lpVk8T8='],
      ['a', undefined],
      ['duplex', false],
      ['pages', 0],
      ['title', 'Größe & Maß + 1'],
    ]);
    expect(type).toBe('application/x-www-form-urlencoded');
    expect(bytes.toString()).toBe(
      'b=HUUtnCdtG1x9oiSI4ODtvIEmI%2Fqp7lFknsu1lpVk8T8%3D&duplex=false&pages=0&title=Gr%C3%B6%C3%9Fe+%26+Ma%C3%9F+%2B+1',
    );
  });

  it('is ASCII and comes back as it went in, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const encoded = formBody([['title', text]]).bytes.toString();
        expect(encoded).toMatch(/^[\x21-\x7e]*$/);
        expect(new URLSearchParams(encoded).get('title')).toBe(text);
      }),
    );
  });
});

describe('a repeatable parameter', () => {
  it('comes once for each of its values, and not at all for none', () => {
    const fields = [['id', [7, 8]] as const, ['none', []] as const, ['on', true] as const];
    expect(formBody(fields).bytes.toString()).toBe('id=7&id=8&on=true');
    expect(query(fields)).toBe('?id=7&id=8&on=true');
  });
});

describe('a query', () => {
  it('is nothing where no field is known', () => {
    expect(query([['a', undefined]])).toBe('');
  });

  it('holds unreserved characters and escapes only, and comes back as it went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const text = query([[name, value]]);
        expect(text).toMatch(/^\?(?:[A-Za-z0-9._~=-]|%[0-9A-F]{2})*$/);
        expect([...new URLSearchParams(text)]).toEqual([[name, value]]);
      }),
    );
    expect(query([['locationdata', 'a b+c']])).toBe('?locationdata=a%20b%2Bc');
  });
});

describe('a path segment', () => {
  it('holds unreserved characters and escapes only, and stays one segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(pathSegment(text)).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      }),
    );
    expect(pathSegment("a/b?c#d'(é)")).toBe('a%2Fb%3Fc%23d%27%28%C3%A9%29');
  });
});
