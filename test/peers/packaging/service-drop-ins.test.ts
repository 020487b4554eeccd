/**
 * What a machine adds to the shipped unit for its readers, its prompt and its spooler: accepted by systemd, hardly
 * weaker.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needsPeer } from '../../support/needs.ts';

const run = promisify(execFile);
const folder = 'systemd/platen.service.d';

/** Tenths, as `systemd-analyze security --threshold` has them; the unit alone has as many. */
const rating = 17;

needsPeer('systemd-analyze', 'systemd')('systemd', () => {
  it.each(readdirSync(folder))('accepts the unit with %s, and rates it no worse', async (name) => {
    const root = await mkdtemp(join(tmpdir(), 'platen-drop-in-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const unit = join(root, 'platen.service');
    const shipped = await readFile('systemd/platen.service', 'utf8');
    await writeFile(unit, shipped.replaceAll('/opt/platen/', `${process.cwd()}/`));
    await mkdir(`${unit}.d`);
    await cp(join(folder, name), join(`${unit}.d`, name));
    await run('systemd-analyze', ['security', '--offline=yes', `--threshold=${rating}`, unit]);
    expect((await run('systemd-analyze', ['verify', unit])).stderr).toBe('');
    // The drop-in was looked at indeed.
    await writeFile(join(`${unit}.d`, 'wrong.conf'), '[Service]\nNoSuchKey=yes\n');
    expect((await run('systemd-analyze', ['verify', unit])).stderr).toContain('NoSuchKey');
  });
});

describe('the rule for polkit', async () => {
  const text = await readFile('systemd/platen-pcscd.polkit', 'utf8');
  type Rule = (action: { id: string }, subject: { user: string }) => string;
  const rules: Rule[] = [];
  const Result = { YES: 'yes', NO: 'no', NOT_HANDLED: 'not handled' };
  runInNewContext(text, { polkit: { addRule: (rule: Rule) => void rules.push(rule), Result } });

  it.each([
    ['org.debian.pcsc-lite.access_pcsc', 'platen', 'yes'],
    ['org.debian.pcsc-lite.access_card', 'platen', 'yes'],
    ['org.debian.pcsc-lite.access_card', 'platen-kiosk', 'not handled'],
    ['org.debian.pcsc-lite.access_card', 'root', 'not handled'],
    ['org.debian.pcsc-lite', 'platen', 'not handled'],
    ['org.freedesktop.systemd1.manage-units', 'platen', 'not handled'],
  ])('answers %s of %s with: %s', (id, user, answer) => {
    expect(rules.map((rule) => rule({ id }, { user }))).toEqual([answer]);
  });

  it('is in the JavaScript that polkit has', () => {
    expect(text.replace(/\/\/.*/g, '')).not.toMatch(/=>|\b(?:let|const|class)\b|`/);
  });
});
