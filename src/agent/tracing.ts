/** Sends the traces of releases where `operations.otlp` says to; where it does not, nothing of that is loaded. */
import { hostname } from 'node:os';
import { createPosting } from '../cloud/http/posting.ts';
import type { Config } from '../config/schema/config.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { version } from '../core/version.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';

interface TracingWorld {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** `undefined`: nobody wants traces. What it has open is disposed of with the stack. */
export async function openTracing(
  { operations: { otlp } }: Pick<Config, 'operations'>,
  { clock, chance, log }: TracingWorld,
  opened: AsyncDisposableStack,
): Promise<TraceExporter | undefined> {
  if (!otlp) return undefined;
  const { createTraceExporter } = await import('../telemetry/exporter.ts');
  const posting = opened.use(createPosting({ section: 'operations.otlp', ca: otlp.caFile, version, clock }));
  const sender = { version, host: hostname() };
  const url = new URL(otlp.url);
  return createTraceExporter({ url, headers: otlp.headers, sender, posting, clock, chance, log });
}
