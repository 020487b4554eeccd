/** Every screen of the kiosk page in every language, at every size: the scenes of a commit, in all that they can be played in. */
import { table } from '../../src/commands/terminal-text/table.ts';
import { everything, wrongIn } from '../browser/fit.ts';
import { scenes } from '../browser/scenes.ts';
import { openStage, theBrowser } from '../browser/stage.ts';
import type { Program } from '../support/campaign-program.ts';

const plays = scenes.flatMap((scene) =>
  everything.languages
    .filter(({ code }) => scene.languages?.includes(code) ?? true)
    .map((language) => ({ scene, language })),
);

export const screens: Program = {
  name: 'screens',
  what: 'a scene in a language, at every size; all pictures are in test-output/screens',
  runs: plays.length,
  async run({ runs, from = 0, to = runs, minutes = Infinity }) {
    const end = performance.now() + minutes * 60_000;
    const rows: string[][] = [];
    const violations: string[] = [];
    for (const { scene, language } of plays.slice(from, to)) {
      if (performance.now() > end) break;
      const wrong = await played(scene, language);
      rows.push([scene.name, language.code, String(wrong.length)]);
      violations.push(...wrong.map((what) => `${scene.name}: ${what}`));
    }
    await (await theBrowser()).close();
    return { table: table([['scene', 'language', 'violations'], ...rows]), violations };
  },
};

async function played(
  scene: (typeof plays)[number]['scene'],
  language: (typeof plays)[number]['language'],
): Promise<readonly string[]> {
  await using stage = await openStage(scene.begins);
  const wrong = await wrongIn(scene, stage, { ...everything, language });
  return [...wrong, ...stage.faults, ...stage.terminal.strayRequests];
}
