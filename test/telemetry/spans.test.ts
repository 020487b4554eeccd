/**
 * Our JSON beside that of OpenTelemetry's own exporter: the same spans, given to its SDK, come out of it as they come out
 * of us (OTLP 1.9, "JSON Protobuf Encoding").
 */
import { SpanStatusCode, trace as traceApi, context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import type { EndedRelease } from '../../src/telemetry/spans.ts';
import { exportRequest } from '../../src/telemetry/spans.ts';
import { answerJson, startServer } from '../support/cloud/scripted-server.ts';

const releaseId = '7f3a9c21aabbccddeeff001122334455';
const release: EndedRelease = {
  releaseId,
  terminal: 'lobby',
  outcome: 'failed',
  code: 'printer-unreachable',
  protocol: 'ipps',
  trace: {
    since: '2026-11-21T12:00:00.000Z',
    steps: [
      { stage: 'badge', at: 0, took: 0 },
      { stage: 'download', at: 1500, took: 250 },
    ],
  },
};
const sender = { version: '1.2.3', host: 'gateway-1' };

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: object;
}
interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] };
    readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly Span[] }[];
  }[];
}

/** What the SDK makes of the same release. */
async function bySdk(): Promise<Request> {
  await using server = await startServer(answerJson({}));
  const ids = ['release', 'badge', 'download'].map((name) => oursOf(name)?.spanId ?? '');
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'platen',
      'service.version': '1.2.3',
      'host.name': 'gateway-1',
    }),
    idGenerator: { generateTraceId: () => releaseId, generateSpanId: () => ids.shift() ?? '' },
    spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${server.url}/v1/traces` }))],
  });
  const tracer = provider.getTracer('platen', '1.2.3');
  const began = Date.parse(release.trace.since);
  const root = tracer.startSpan('release', {
    startTime: began,
    attributes: {
      'platen.terminal': 'lobby',
      'platen.outcome': 'failed',
      'platen.protocol': 'ipps',
      'error.type': 'printer-unreachable',
    },
  });
  root.setStatus({ code: SpanStatusCode.ERROR });
  for (const { stage, at, took } of release.trace.steps) {
    const below = traceApi.setSpan(context.active(), root);
    tracer.startSpan(stage, { startTime: began + at }, below).end(began + at + took);
  }
  root.end(began + 1750);
  await provider.forceFlush();
  await provider.shutdown();
  const requests = server.asked.map(({ body }): Request => JSON.parse(body));
  expect(server.asked[0]?.headers['content-type']).toBe('application/json');
  const [first] = requests;
  const [scope] = first?.resourceSpans[0]?.scopeSpans ?? [];
  const spans = requests.flatMap((one) => one.resourceSpans[0]?.scopeSpans[0]?.spans ?? []);
  return {
    resourceSpans: [
      {
        resource: { attributes: first?.resourceSpans[0]?.resource.attributes ?? [] },
        scopeSpans: [{ scope: scope?.scope ?? {}, spans }],
      },
    ],
  };
}

const ours = (): Request => JSON.parse(JSON.stringify(exportRequest([release], sender)));
const spansOf = (request: Request) => request.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
const oursOf = (name: string) => spansOf(ours()).find((span) => span.name === name);
/** What the SDK says besides is nothing: counts of 0, empty lists, flags of a context, a status not set. */
const essential = (span: Span) => {
  const { traceId, spanId, parentSpanId, name } = span;
  const { kind, startTimeUnixNano, endTimeUnixNano, attributes } = span as unknown as Record<string, unknown>;
  const { code = 0 } = span.status as { code?: number };
  return { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, attributes, code };
};
const byName = (request: Request) =>
  spansOf(request)
    .map(essential)
    .toSorted((one, other) => one.name.localeCompare(other.name));

it('a release and its stages are the spans that the SDK makes of them', async () => {
  const theirs = await bySdk();
  expect(byName(ours())).toEqual(byName(theirs));
  expect(ours().resourceSpans[0]?.resource.attributes).toEqual(theirs.resourceSpans[0]?.resource.attributes);
  expect(ours().resourceSpans[0]?.scopeSpans[0]?.scope).toMatchObject({ name: 'platen', version: '1.2.3' });
});

it('ids are of the length that the protocol wants, and the same when it is sent again', () => {
  const all = spansOf(ours());
  expect(all.map(({ traceId, spanId }) => [traceId.length, spanId.length])).toEqual(all.map(() => [32, 16]));
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
  expect(ours()).toEqual(ours());
});
