/** What the developer log of a terminal tells, and when. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import type { TerminalConfig } from '../../src/domain/terminal/terminal-config.ts';
import { adopt } from '../../src/domain/terminal/terminal-settings.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { createDeveloperLog } from '../../src/station/developer-log.ts';

const choosing: TerminalView = {
  generation: 3,
  state: 'choosing',
  sentence: 'Welcome, Canary Archer.',
  waiting: 2,
  fullName: 'Canary Archer',
  documents: [],
  printer: { lamp: 'needs-attention', needs: 'paper' },
};

function start() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  let config: TerminalConfig | undefined;
  let view = choosing;
  const developer = createDeveloperLog({
    terminal: 'lobby',
    log,
    settings: () => adopt({ local: {}, config }),
    view: () => view,
  });
  return {
    developer,
    reported: () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>),
    serviceSays(developerLogEnabled: boolean | undefined) {
      config = { developerLogEnabled };
      developer.look();
    },
    shows(changes: Partial<TerminalView>) {
      view = { ...view, ...changes };
      developer.look();
    },
  };
}

it('tells nothing until the service wants it, and nothing more when it does not', () => {
  const { developer, reported, serviceSays, shows } = start();
  developer.look();
  developer.stageTook({ stage: 'login', span: seconds(0.25) });
  expect(reported()).toEqual([]);
  serviceSays(true);
  expect(reported().map(({ msg, level }) => [msg, level])).toEqual([
    ['developer log on', 'info'],
    ['terminal shows', 'debug'],
  ]);
  developer.stageTook({ stage: 'login', span: seconds(0.25) });
  expect(reported()).toMatchObject([{ msg: 'stage took', terminal: 'lobby', stage: 'login', seconds: 0.25 }]);
  serviceSays(undefined);
  shows({ state: 'prompting' });
  expect(reported()).toMatchObject([{ msg: 'developer log off', terminal: 'lobby' }]);
});

it('tells what the terminal shows when it changes, and nobody and nothing by name (T20)', () => {
  const { reported, serviceSays, shows } = start();
  serviceSays(true);
  expect(reported()[1]).toEqual({
    level: 'debug',
    time: expect.any(String),
    terminal: 'lobby',
    msg: 'terminal shows',
    state: 'choosing',
    waiting: 2,
    printer: 'needs-attention',
    printerNeeds: 'paper',
  });
  shows({ endsInSeconds: 12, fullName: 'Canary Baker' });
  expect(reported()).toEqual([]);
  shows({ state: 'prompting', waiting: 0 });
  expect(reported()).toMatchObject([{ state: 'prompting', waiting: 0 }]);
});
