/**
 * A document list that is twenty times as long as what was asked for: from the bytes of the answer to the list in the
 * terminal's hands and on a screen that shows all of it. Beside it JSON.parse of the same bytes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Answer } from '../../src/cloud/http/json.ts';
import { valueOf } from '../../src/cloud/http/json.ts';
import { listPage } from '../../src/cloud/http/list-answer.ts';
import { readDocuments } from '../../src/cloud/resources/document-list.ts';
import { waitingDocument } from '../../src/simulator/cloud/population.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, ratio } from './figures.ts';
import type { Growth } from './growth.ts';
import { growthRows, slopeGoals } from './growth.ts';

const longest = 10_000;
const rounds = 30;

export function measureLongList(): Measurement {
  const answer = longAnswer(longest);
  const collect = garbageCollection();
  for (let warmUp = 0; warmUp < 5; warmUp += 1) listAndView(answer);

  collect();
  const before = process.memoryUsage().heapUsed;
  const parses: number[] = [];
  const views: number[] = [];
  let shown = 0;
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    JSON.parse(answer.body.toString());
    parses.push(performance.now() - since);
    const { span, documents } = listAndView(answer);
    views.push(span);
    shown = documents;
  }
  collect();
  const kept = Math.max(0, process.memoryUsage().heapUsed - before);

  const row = (spans: readonly number[]) => [percentile(spans, 0.5), percentile(spans, 0.95)];
  return {
    title: `A list of ${longest} documents (${inMegabytes(answer.body.length)}) on its way to the screen`,
    how: `${rounds} times. Parsed, checked, and written out for a screen; ${shown} were shown.`,
    rows: [
      ['', 'p50', 'p95'],
      ['JSON.parse alone', ...row(parses).map(inMilliseconds)],
      ['list and view', ...row(views).map(inMilliseconds)],
      ['ratio', ...row(views).map((span, at) => ratio(span, row(parses)[at] ?? 1))],
      ['memory kept afterwards', inMegabytes(kept)],
    ],
    goals: [
      { what: 'p95', figure: percentile(views, 0.95), limit: 60, unit: 'ms' },
      { what: 'shown', figure: shown, limit: 500, unit: 'documents' },
      { what: 'memory kept', figure: megabytes(kept), limit: 1, unit: 'MB' },
    ],
  };
}

/** The same for shorter ones. */
export function measureListGrowth(): Measurement {
  const figureOf = (length: number): number => {
    const answer = longAnswer(length);
    const spans = Array.from({ length: rounds * 4 }, () => listAndView(answer).span);
    return percentile(spans.slice(rounds), 0.5);
  };
  const points = [100, 1000, longest].map((work) => ({ work, figure: figureOf(work) }));
  const growth: Growth = {
    title: 'A list on its way to the screen, by its length',
    work: 'documents in the list',
    unit: 'ms',
    lines: [{ name: 'list and view', points }],
  };
  return {
    title: 'Lists of up to 10,000 documents',
    how: `p50 of ${rounds * 3}. Parsed, checked, and written out for a screen, which shows 500 at most.`,
    rows: growthRows(growth),
    goals: slopeGoals(growth),
    charts: [growth],
  };
}

function longAnswer(count: number): Answer {
  const tools = { clock: systemClock, chance: systemChance };
  const [one] = sampleData.users;
  const infos = Array.from({ length: count }, (_, index) => {
    const name = `Report ${index} of the year.pdf`;
    return waitingDocument(
      { owner: one?.userName ?? '', name, bytes: Buffer.alloc(0) },
      sampleData.users,
      tools,
    ).info;
  });
  return { call: 'GET /documents', status: 200, headers: {}, body: Buffer.from(JSON.stringify(infos)) };
}

/** The view holds less than the list; written out whole, it stands for a screen that shows all of it. */
function listAndView(answer: Answer): { span: number; documents: number } {
  const since = performance.now();
  const { documents } = readDocuments(valueOf(answer, listPage).entries, {
    owner: 'alice',
    now: systemClock.now(),
  });
  JSON.stringify(documents);
  return { span: performance.now() - since, documents: documents.length };
}

function garbageCollection(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
