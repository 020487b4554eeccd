/**
 * The facts about an outage with the reference on the screen: its beginning, its reason, and whether it is over. The
 * running agent knows most. The timeline knows about earlier agents.
 */
import { z } from 'zod';
import type { Config } from '../../config/schema/config.ts';
import { callControl } from '../control-call.ts';
import type { Io } from '../io.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { askStatus } from '../running-agent.ts';
import type { OutageStory } from '../../store/files/outage-story.ts';
import { outageIn, outageRecordIn, writtenOutage } from '../../store/files/outage-story.ts';

const answer = z.object({ lines: z.array(z.string()) });
/** `undefined`: neither a running agent nor the timeline knows it. */
export async function outageStory(
  config: Pick<Config, 'stateDir'>,
  io: Io,
  reference: string,
): Promise<OutageStory | undefined> {
  const said = await callControl(config, io, { method: 'GET', path: '/log' });
  const lines = said === undefined ? [] : answer.parse(said).lines;
  const records = lines.flatMap((line) => outageRecordIn(line, reference));
  const known = outageIn(records, reference) ?? writtenOutage(config.stateDir, reference);
  return known ?? (said === undefined ? undefined : await standingOutage(config, io, reference));
}

/** The outage may be older than the newest entries of a busy agent, so the agent itself is asked. */
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

export function outageInWords({ reference, terminal, since, over, reason, records }: OutageStory): string[] {
  const why = reason === undefined ? '' : `: ${outageReason(reason)}`;
  const when = [since && `since ${localTime(since)}`, over && `until ${localTime(over)}`]
    .filter(Boolean)
    .join(' ');
  return [
    `outage ${reference}: ${terminal} ${over === undefined ? 'is' : 'was'} out of service ${when}`.trimEnd() +
      why,
    ...records
      .filter((record) => record.code !== undefined)
      .map(
        ({ time, code, detail, advice }) =>
          `${localTime(time)}  ${[code, detail, advice].filter(Boolean).join(': ')}`,
      ),
    whereInTheLog(reference),
  ];
}

export const whereInTheLog = (reference: string): string =>
  `In the log: journalctl -u platen | grep ${reference}`;
