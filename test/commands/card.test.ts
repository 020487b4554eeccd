/** `platen card convert|learn`, as they are called and as they answer (contract, section 1). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHere } from '../support/command-here.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-card-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('card convert', () => {
  it('prints the resulting number alone', async () => {
    const rule = 'ReverseBytes;Hex2Dec;LeftPadding(0,10)';
    const said = await commandHere(['card', 'convert', '0B3E3636', '--rule', rule]);
    expect(said).toEqual({ code: 0, out: '0909524491', error: '' });
  });

  it('without a rule leaves the number as it is', async () => {
    expect(await commandHere(['card', 'convert', '0b3e'])).toEqual({ code: 0, out: '0b3e', error: '' });
  });

  it('shows every step with --explain, and as JSON', async () => {
    const args = ['card', 'convert', '946EBD28', '--rule', 'Hex2Dec;Substring(-8)'];
    const { out } = await commandHere([...args, '--explain']);
    expect(out).toMatch(/946EBD28\nHex2Dec +2490285352\nSubstring\(-8\) +90285352$/);
    const { out: json } = await commandHere([...args, '--json']);
    expect(JSON.parse(json)).toEqual({
      input: '946EBD28',
      steps: [
        { rule: 'Hex2Dec', output: '2490285352' },
        { rule: 'Substring(-8)', output: '90285352' },
      ],
      output: '90285352',
    });
  });

  it.each([
    ['XYZ', 'Hex2Dec', 'platen: the number cannot be converted: Hex2Dec needs hexadecimal digits, 0 to F'],
    ['FF', 'Upper;hex2dec', 'platen: --rule: column 7: "hex2dec" must be written Hex2Dec'],
  ])('says why %s cannot go through %s, and exits 1', async (number, rule, error) => {
    expect(await commandHere(['card', 'convert', number, '--rule', rule])).toEqual({
      code: 1,
      out: '',
      error,
    });
  });

  it('shows with --explain how far the number came', async () => {
    const rule = 'Upper;Dec2Bin';
    const { code, out } = await commandHere(['card', 'convert', 'ff', '--rule', rule, '--explain']);
    expect(code).toBe(1);
    expect(out).toMatch(/ff\nUpper +FF$/);
  });

  it('takes rule, decimal and trim from a configuration, and the number as a reader hands it on', async () => {
    const config = fileOf(
      'platen.yaml',
      `cloud: { baseUrl: "https://cloud.example:7300", authUrl: "https://cloud.example:7400", apiKey: k }
terminals:
  - { id: one, serialNumber: A, printer: { uri: "ipp://10.0.0.7/ipp/print" }, card: { rule: "Substring(4);Lower" } }
  - { id: two, serialNumber: B, printer: { uri: "ipp://10.0.0.8/ipp/print" }, card: { decimal: true, trim: zeros } }
`,
    );
    const convert = (...args: string[]) =>
      commandHere(['card', 'convert', ' 00 Ff=x', '-c', config, ...args]);
    expect(await convert('--terminal', 'one')).toEqual({ code: 0, out: '00ff', error: '' });
    expect(await convert('--terminal', 'two')).toEqual({ code: 0, out: '255', error: '' });
    expect((await convert()).error).toBe('platen: Give the terminal: --terminal ID. Terminals: one, two.');
    expect((await convert('--terminal', 'six')).error).toBe(
      'platen: There is no terminal six. Terminals: one, two.',
    );
    expect((await convert('--rule', 'Upper')).error).toMatch(/^platen: give either --rule, or -c /);
  });
});

describe('card learn', () => {
  it('shows the rule that explains the pairs, with how many', async () => {
    const file = fileOf(
      'pairs.csv',
      'read;stored\n0B3E3636;0909524491\n946EBD28;0683503252\n529D06E3;3808861522\n',
    );
    const { code, out, error } = await commandHere(['card', 'learn', file]);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^RULE +EXPLAINS +NOT\nReverseBytes;Hex2Dec;LeftPadding\(0,10\) +3 of 3$/);
  });

  it('tells what a rule does not explain, and warns, also as JSON', async () => {
    const file = fileOf('one-wrong.csv', '1000AB,1048747\nA4BC,42172\n946EBD28,2490285352\n529D06E3,4711\n');
    const { out } = await commandHere(['card', 'learn', file]);
    expect(out).toMatch(/\nHex2Dec +3 of 4 +line 4: 529D06E3 gives 1386022627, not 4711\n/);
    expect(out).toMatch(/\n! 1 of 4 pairs do not fit Hex2Dec \(line 4\)\. Check these cards again$/m);
    const { code, out: json } = await commandHere(['card', 'learn', file, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(json)).toMatchObject({
      pairs: 4,
      rules: [
        {
          rule: 'Hex2Dec',
          explains: 3,
          unexplained: [{ line: 4, read: '529D06E3', stored: '4711', gives: '1386022627' }],
        },
      ],
      warnings: [expect.stringMatching(/do not fit/)],
    });
  });

  it('exits 1 when no rule fits', async () => {
    const file = fileOf('none.csv', '0B3E3636,4711\n529D06E3,90210\n946EBD28,1234567\n');
    const { code, error } = await commandHere(['card', 'learn', file]);
    expect(code).toBe(1);
    expect(error).toMatch(/^platen: no rule fits more than half of the pairs\. /);
  });

  it.each([
    ['broken.csv', '04A1\n', /broken\.csv: line 1: must have two columns/],
    ['empty.csv', 'read,stored\n', /empty\.csv: contains no pairs/],
  ])('exits 1 for %s', async (name, text, mistake) => {
    const { code, error } = await commandHere(['card', 'learn', fileOf(name, text)]);
    expect([code, error]).toEqual([1, expect.stringMatching(mistake)]);
  });

  it('exits 1 for a file that is not there', async () => {
    const { code, error } = await commandHere(['card', 'learn', join(folder, 'nowhere.csv')]);
    expect([code, error]).toEqual([1, expect.stringMatching(/nowhere\.csv: cannot be read \(ENOENT\)$/)]);
  });
});
