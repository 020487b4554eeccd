/**
 * `npm run compare`: this tree against the commit before it, by the short form, for a machine that others use too. A
 * figure that is worse by far is measured once more, and only what is worse both times ends it with 1: a false alarm
 * costs more than a worsening of a few percent that `npm run bench -- --compare` finds later.
 */
import { fileURLToPath } from 'node:url';
import type { Pair } from './comparison.ts';
import { isFarWorse, pairUp } from './comparison.ts';
import { farWorseInWords, pairsInWords } from './comparison-in-words.ts';
import { makeParentTree, whyAlone } from './parent-tree.ts';
import { loadedWhileIdle, newlyLoaded } from './loaded.ts';
import { measureShortForm } from './short-form.ts';
import type { Side } from './side.ts';
import { setSide } from './side.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('../../tools/platen.js', import.meta.url));

const alone = whyAlone(root);
if (alone === undefined) process.exitCode = await compareWithParent();
else console.log(`compare: ${alone}; nothing to compare`);

async function compareWithParent(): Promise<number> {
  using parent = makeParentTree(root);
  await using now = await setSide({ program });
  const side = await setSide({ program: parent.program }).catch((error: Error) => error.message);
  if (typeof side === 'string') {
    console.log(`compare: the commit before cannot be run as this one is; nothing to compare. ${side}`);
    return 0;
  }
  await using before = side;
  await tellLoaded(parent.program);
  const first = await worseIn({ before, now });
  if (first.length === 0) return 0;
  console.log('compare: once more, for it may have been the machine');
  const again = await worseIn({ before, now });
  const worse = again.filter((pair) => first.some((one) => one.now.name === pair.now.name));
  for (const pair of worse) console.log(`WORSE, both times: ${farWorseInWords(pair)}`);
  return worse.length > 0 ? 1 : 0;
}

async function worseIn(sides: { before: Side; now: Side }): Promise<Pair[]> {
  const tables = await measureShortForm(sides);
  const { pairs } = pairUp([tables.before], [tables.now]);
  console.log(`\n${pairsInWords(pairs)}`);
  return pairs.filter(isFarWorse);
}

/** Nothing that is not configured shall be loaded: whoever reads this knows what is. */
async function tellLoaded(parent: string): Promise<void> {
  try {
    const [before, now] = await Promise.all([loadedWhileIdle(parent), loadedWhileIdle(program)]);
    for (const [what, names] of newlyLoaded(before, now))
      console.log(`compare: ${what}: ${names.join(', ')}`);
  } catch (error) {
    console.log(`compare: what is loaded while idle cannot be told: ${(error as Error).message}`);
  }
}
