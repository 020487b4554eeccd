/**
 * Traces of releases in the JSON form of OTLP 1.9 (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"):
 * lowerCamelCase, ids in hexadecimal, enumerations as numbers, 64-bit integers as text. A release is a span, and each
 * stage a span below it. The id of the release is the id of the trace.
 */
import { createHash } from 'node:crypto';
import { parseInstant } from '../core/clock.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { tookInAll } from '../domain/release-trace.ts';
import type { Trace } from '../domain/release-trace.ts';
import type { Outcome } from '../domain/release.ts';

/** Names the sender for a receiver with many gateways. */
export interface Sender {
  readonly version: string;
  readonly host: string;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/** opentelemetry.proto.trace.v1: Span.SpanKind and Status.StatusCode. */
const kindInternal = 1;
const status = { ok: 1, error: 2 } as const;

/** ExportTraceServiceRequest. */
export const exportRequest = (releases: readonly EndedRelease[], { version, host }: Sender) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({ 'service.name': 'platen', 'service.version': version, 'host.name': host }),
      },
      scopeSpans: [{ scope: { name: 'platen', version }, spans: releases.flatMap(spansOf) }],
    },
  ],
});

function spansOf({ releaseId, terminal, outcome, code, protocol, trace }: EndedRelease): readonly object[] {
  const began = parseInstant(trace.since);
  if (began === undefined) return [];
  const root = spanIdOf(releaseId, 'release');
  const facts = {
    'platen.terminal': terminal,
    'platen.outcome': outcome,
    'platen.protocol': protocol,
    ...(code === undefined ? {} : { 'error.type': code }),
  };
  const span = { traceId: releaseId, kind: kindInternal };
  return [
    {
      ...span,
      spanId: root,
      name: 'release',
      ...timesOf(began, 0, tookInAll(trace)),
      attributes: attributesOf(facts),
      status: outcome === 'completed' ? { code: status.ok } : { code: status.error },
    },
    ...trace.steps.map(({ stage, at, took }, index) => ({
      ...span,
      spanId: spanIdOf(releaseId, `${index}`),
      parentSpanId: root,
      name: stage,
      ...timesOf(began, at, took),
      attributes: [],
      status: {},
    })),
  ];
}

/** The same at every try, so that a retry does not add a second span. */
const spanIdOf = (releaseId: string, part: string): string =>
  createHash('sha256').update(`${releaseId} ${part}`).digest('hex').slice(0, 16);

const timesOf = (began: number, at: number, took: number) => ({
  startTimeUnixNano: nanoseconds(began + at),
  endTimeUnixNano: nanoseconds(began + at + Math.max(0, took)),
});

/** As text: the value is too large for a number. */
const nanoseconds = (wall: number): string => `${Math.round(wall)}000000`;

const attributesOf = (facts: Readonly<Record<string, string>>): readonly Attribute[] =>
  Object.entries(facts).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** A release that has ended, as far as its trace shows it: without the person and the title. */
export interface EndedRelease {
  /** 32 hex digits. */
  readonly releaseId: string;
  readonly terminal: string;
  readonly outcome: Outcome;
  /** Set if the release did not complete. */
  readonly code?: ProblemCode | undefined;
  /** The scheme of the printer's address: `ipps`, `socket`, … */
  readonly protocol: string;
  readonly trace: Trace;
}
