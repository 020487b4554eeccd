/** What others have named stands in its columns, whatever script it is in. */
import { describe, expect, it } from 'vitest';
import { table } from '../../src/commands/terminal-text/table.ts';
import { cutTo, wrapped } from '../../src/commands/terminal-text/text-width.ts';
import { columnsOf } from '../../src/prompt/columns.ts';

describe('text of a command', () => {
  it('is aligned by the columns that it fills, not by its length', () => {
    expect(
      table([
        ['NAME', 'STATE'],
        ['受付', 'ready'],
        ['Cafe\u0301', 'ready'],
      ]),
    ).toBe('NAME  STATE\n受付  ready\nCafe\u0301  ready');
  });

  it.each(['受付の印刷機'.repeat(6), 'बजट'.repeat(30), '\u1100'.repeat(40), '🖨'.repeat(50)])(
    'fits the screen, and nothing of it is lost: %s',
    (name) => {
      const lines = wrapped(`terminal ${name} is away`, { width: 40, indent: 2 });
      expect(lines.map(columnsOf).filter((columns) => columns > 40)).toEqual([]);
      expect(lines.join('').replaceAll(' ', '')).toBe(`terminal${name}isaway`);
      expect(
        cutTo(40, name)
          .map(columnsOf)
          .filter((columns) => columns > 40),
      ).toEqual([]);
    },
  );

  it('is cut between characters, and says so', () => {
    expect(cutTo(6, '受付🎉印刷')).toEqual(['受付…']);
    expect(cutTo(6, '𠮷野家')).toEqual(['𠮷野家']);
  });
});
