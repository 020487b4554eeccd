/** The user's story at a terminal that has a keyboard and a screen of 80 by 24, and no kiosk page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PseudoTerminal } from '../support/pseudo-terminal.ts';
import { openPseudoTerminal } from '../support/pseudo-terminal.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const login = { shortId: true, password: true };

const stageAt = (tty: PseudoTerminal) => setStage({ terminal: { readers: [], prompt: tty.path, login } });

describe('a prompt on a terminal', () => {
  it('logs in by short id, shows the list, prints what is picked, and shows nothing of it afterwards', async () => {
    await using tty = await openPseudoTerminal();
    await using stage = await stageAt(tty);
    const { cloud, printer } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await tty.shows('1  ID number');
    expect(tty.modes()).toContain('-echo');
    tty.type('1');
    await tty.shows('ID number: ');
    tty.type('4711\r');
    await tty.shows('2     3      1 color     1  Quarterly report.pdf');
    await tty.shows('Alice Archer');
    tty.type('2\r');
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(printer.outputs).toHaveLength(1);
    await tty.shows('Print:');
    tty.type('l');
    expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    await tty.shows('1  ID number');

    const ofAlice = /Alice|Quarterly|Welcome|alice/;
    expect(tty.screen.text()).not.toMatch(ofAlice);
    expect(tty.output().split('\u001b[2J\u001b[3J').at(-1)).not.toMatch(ofAlice);
    expect(tty.output()).not.toContain('4711');
    expect(tty.screen.modes.has('?1049')).toBe(true);
    const status = await (await fetch(`${agent.operations}/status`)).json();
    expect(status).toMatchObject({ terminals: [{ ready: true, prompt: { tty: tty.path, state: 'up' } }] });
    await agent.stop();
    expect(tty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon']));
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  });

  it('speaks the language that its terminal was given, from the greeting to the farewell', async () => {
    await using tty = await openPseudoTerminal();
    const prompt = { tty: tty.path, language: 'de' };
    await using stage = await setStage({ terminal: { readers: [], prompt, login } });
    await using agent = await stage.start();
    await tty.shows('1  ID-Nummer');
    tty.type('1');
    await tty.shows('ID-Nummer: ');
    tty.type('4711\r');
    await tty.shows('Dokument');
    tty.type('2\r');
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await tty.shows('l: abmelden');
    tty.type('l');
    expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    await tty.shows('Halten Sie Ihre Karte an den Leser.');
    expect(tty.output()).not.toMatch(/Sign|sign out|Your documents|Hold your card/);
  });

  it('says the same of every login that fails, and shows no password', async () => {
    await using tty = await openPseudoTerminal();
    await using stage = await stageAt(tty);
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const sentences = new Set<string>();
    for (const [who, password] of [
      ['alice', 'not-hers-1'],
      ['alice', 'not-hers-2'],
      ['nobody', 'not-hers-3'],
    ]) {
      await tty.shows('2  Name and password');
      tty.type('2');
      await tty.shows('User name:');
      tty.type(`${who}\r${password}\r`);
      await agent.told('login failed');
      await tty.shows('2  Name and password');
      sentences.add(tty.screen.lines.slice(2, 5).join(' ').trim());
    }
    expect([...sentences]).toEqual(['That was not accepted. Please try again, or ask for help.']);
    expect(tty.output()).not.toContain('not-hers');
    expect(agent.records.map((record) => JSON.stringify(record)).join('\n')).not.toContain('not-hers');
  });

  it('takes a badge that a reader types for one, and types none of it into a line', async () => {
    await using tty = await openPseudoTerminal();
    const prompt = { tty: tty.path, wedge: true };
    await using stage = await setStage({
      terminal: { readers: [], prompt, session: { autoRelease: true } },
    });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await tty.shows('Hold your card to the reader.');
    tty.type(`${aliceCard}\r\n`);
    expect(await agent.told('card read')).toMatchObject({ reader: tty.path });
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.outputs).toHaveLength(2);
    expect(tty.output()).not.toContain(aliceCard);
  });

  it('is refused on the terminal that the log goes to, in a sentence that says what to do', async () => {
    await using stage = await setStage({ terminal: { readers: [], prompt: 'tty' } });
    const run = `${join(process.cwd(), 'tools', 'platen.js')} run -c ${stage.configFile}`;
    const script = spawn('script', ['-qec', run, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    script.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code] = await once(script, 'close');
    expect(said).toContain('send standard output elsewhere, for example platen run > platen.log');
    expect(code).toBe(78);
  });
});
