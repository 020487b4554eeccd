/**
 * What is known of an outage by the reference on the screen: since when, why, and whether it is over. The running agent
 * knows most; of an earlier one, or without any, the timeline does.
 */
import { z } from 'zod';
import type { Config } from '../../config/schema/config.ts';
import { callControl } from '../control-call.ts';
import type { Io } from '../io.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import { askStatus } from '../running-agent.ts';
import { timelineOf } from '../../store/files/timeline-register.ts';

const answer = z.object({ lines: z.array(z.string()) });
const recordShape = z.object({
  time: z.string(),
  msg: z.string(),
  reference: z.string(),
  terminal: z.string(),
  reason: z.exactOptional(z.string()),
  code: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
  advice: z.exactOptional(z.string()),
});
type OutageRecord = z.infer<typeof recordShape>;

export interface OutageStory {
  readonly reference: string;
  readonly terminal: string;
  /** ISO 8601, UTC, of the oldest record that is still in memory; absent where none is, and the outage goes on. */
  readonly since?: string;
  /** Absent while it goes on. */
  readonly over?: string;
  /** As the screen says it. */
  readonly reason?: string;
  /** The oldest first. */
  readonly records: readonly OutageRecord[];
}

/** `undefined`: neither a running agent nor the timeline knows it. */
export async function outageStory(
  config: Pick<Config, 'stateDir'>,
  io: Io,
  reference: string,
): Promise<OutageStory | undefined> {
  const said = await callControl(config, io, { method: 'GET', path: '/log' });
  const lines = said === undefined ? [] : answer.parse(said).lines;
  const story = storyOf(
    lines.flatMap((line) => recordOf(line, reference)),
    reference,
  );
  if (story) return story;
  const written = storyOf(writtenRecords(config, reference), reference);
  return written ?? (said === undefined ? undefined : await standingOutage(config, io, reference));
}

function storyOf(records: readonly OutageRecord[], reference: string): OutageStory | undefined {
  const [first] = records;
  if (!first) return undefined;
  const { terminal, time: since } = first;
  const over = records.find(({ msg }) => msg === 'terminal back in service')?.time;
  const reason = records.findLast((record) => record.reason !== undefined)?.reason;
  return {
    ...{ reference, terminal, since, records },
    ...(reason === undefined ? {} : { reason }),
    ...(over === undefined ? {} : { over }),
  };
}

function writtenRecords({ stateDir }: Pick<Config, 'stateDir'>, reference: string): readonly OutageRecord[] {
  const found: OutageRecord[] = [];
  for (const { time, what: msg, terminal, facts } of timelineOf({ stateDir })) {
    if (facts['reference'] !== reference) continue;
    const { data } = recordShape.safeParse({ ...facts, time, msg, terminal });
    if (data) found.push(data);
  }
  return found;
}

/** It began so long ago that a busy agent has told much else since. */
async function standingOutage(
  config: Pick<Config, 'stateDir'>,
  io: Io,
  reference: string,
): Promise<OutageStory | undefined> {
  const status = await askStatus(config, io);
  const terminal = status?.terminals.find(({ outage }) => outage?.reference === reference);
  if (!terminal?.outage) return undefined;
  return { reference, terminal: terminal.id, reason: terminal.outage.reason, records: [] };
}

function recordOf(line: string, reference: string): readonly OutageRecord[] {
  // Most lines are of something else.
  if (!line.includes(reference)) return [];
  const { data } = recordShape.safeParse(JSON.parse(line));
  return data?.reference === reference ? [data] : [];
}

export function outageInWords({ reference, terminal, since, over, reason, records }: OutageStory): string[] {
  const why = reason === undefined ? '' : `: ${outageReason(reason)}`;
  const when = [since && `since ${since}`, over && `until ${over}`].filter(Boolean).join(' ');
  return [
    `outage ${reference}: ${terminal} ${over === undefined ? 'is' : 'was'} out of service ${when}`.trimEnd() +
      why,
    ...records
      .filter((record) => record.code !== undefined)
      .map(
        ({ time, code, detail, advice }) => `${time}  ${[code, detail, advice].filter(Boolean).join(': ')}`,
      ),
    whereInTheLog(reference),
  ];
}

export const whereInTheLog = (reference: string): string =>
  `In the log: journalctl -u platen | grep ${reference}`;
