import { expect, it } from 'vitest';
import { unreadable } from '../../src/commands/unreadable.ts';

it('a file that this user may not read is told of with whose it is, who reads, and what to do', () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  expect(unreadable('/etc/passwd', denied).message).toMatch(
    /^\/etc\/passwd: cannot be read \(EACCES\): \/etc\/passwd belongs to root:root, mode 0\d{3}, and this command reads as the user \S+\. Put a copy where \S+ may read it$/,
  );
  expect(unreadable('/etc/passwd', denied, 'give it on standard input').message).toMatch(
    / may read it, or give it on standard input$/,
  );
});

it('any other reason stands as the system has it', () => {
  const absent = Object.assign(new Error('gone'), { code: 'ENOENT' });
  expect(unreadable('pairs.csv', absent).message).toBe('pairs.csv: cannot be read (ENOENT)');
  expect(unreadable('pairs.csv', new Error('odd')).message).toBe('pairs.csv: cannot be read (unknown error)');
});
