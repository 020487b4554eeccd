/** Sends the traces of releases where `operations.otlp` says to; where it does not, nothing of that is loaded. */
import { hostname } from 'node:os';
import { createPosting } from '../cloud/http/posting.ts';
import type { Config } from '../config/schema/config.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';

type TracingDeps = Pick<Env, 'clock' | 'chance' | 'log'>;

/** `undefined`: nobody wants traces. What it has open is disposed of with the stack. */
export async function openTracing(
  { operations: { otlp } }: Pick<Config, 'operations'>,
  { clock, chance, log }: TracingDeps,
  opened: AsyncDisposableStack,
): Promise<TraceExporter | undefined> {
  if (!otlp) return undefined;
  const { createTraceExporter } = await import('../telemetry/exporter.ts');
  const posting = opened.use(createPosting({ section: 'operations.otlp', ca: otlp.caFile, version, clock }));
  const sender = { version, host: hostname() };
  const url = new URL(otlp.url);
  return createTraceExporter({ url, headers: otlp.headers, sender, posting, clock, chance, log });
}
