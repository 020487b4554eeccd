/** The language, said by a page: one of six, of somebody who is signed in, in answer to what is shown (D2). */
import { expect, it } from 'vitest';
import { languageCodes } from '../../src/domain/language.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { openPage } from './open-stream.ts';

const view = (state: string): TerminalView => ({ ...prompting, generation: 4, state });

async function opened(state: string) {
  const stage = await openKiosk();
  const cookie = await openPage(stage);
  stage.show(view(state));
  const say = async (body: object): Promise<number> =>
    (await stage.command({ command: 'language', generation: 4, ...body }, { cookie })).status;
  return { ...stage, say };
}

it.each(['listing', 'choosing', 'releasing'])('is heard while the terminal is %s', async (state) => {
  const { say, told } = await opened(state);
  const answers = await Promise.all(languageCodes.map((language) => say({ language })));
  expect(new Set(answers)).toEqual(new Set([204]));
  expect(told.filter(([word]) => word === 'language').map(([, said]) => said)).toEqual(
    languageCodes.map((language) => ({ generation: 4, language })),
  );
});

it.each(['outOfService', 'prompting', 'askingPin', 'authenticating', 'enrolling', 'relaying', 'leaving'])(
  'is nobody’s while the terminal is %s',
  async (state) => {
    const { say, told } = await opened(state);
    expect([await say({ language: 'ja' }), told]).toEqual([409, []]);
  },
);

it('of an older frame it is too late', async () => {
  const { say, told } = await opened('choosing');
  expect([await say({ language: 'ja', generation: 3 }), told]).toEqual([409, []]);
});

it.each(['it', 'EN', 'en-GB', '', null, 7, ['en'], '__proto__'])('%j is none of them', async (language) => {
  const { say, told } = await opened('choosing');
  expect([await say({ language }), told]).toEqual([400, []]);
});
