/**
 * The port OutputPorts: `GET /outputports` with the device token, or with a user's (spec, Output ports; contract 3).
 */
import { z } from 'zod';
import { recordOf } from '../../core/record-of.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import type { OutputPort, PortOutputType, PortTexts } from '../../domain/output-port.ts';
import {
  PortSearch,
  portFlags,
  portKinds,
  portOutputTypes,
  portTexts,
  printProtocols,
} from '../../domain/output-port.ts';
import type { OutputPorts } from '../../domain/ports/service.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { readList } from '../http/pages.ts';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? visibleText(value) || undefined : undefined;

/** One `transform` for a whole entry: one for each field would leave the collector a kilobyte each, 50,000 times. */
const text = z.string().optional().catch(undefined);
const optionalFlag = z.boolean().optional().catch(undefined);
const optionalInt = z.int().optional().catch(undefined);
const services = z.record(z.string(), z.array(z.int()).readonly()).optional().catch(undefined);

const textsOf = (port: PortTexts): PortTexts =>
  Object.fromEntries(portTexts.map((name) => [name, textOf(port[name])]));

/** Credentials would be shown and kept; an address with some is refused when it is used (INVARIANTS.md D9, T12). */
const withoutCredentials = (url: string | undefined): string | undefined =>
  url?.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@');

const outputTypeOf = (type: number | undefined): PortOutputType | undefined =>
  (portOutputTypes as Readonly<Record<number, PortOutputType>>)[type ?? -1];

const outputPortInfo = z
  .object({
    id: z.int(),
    name: z.string().catch(''),
    portType: optionalInt,
    parentAccountOrContainerId: optionalInt,
    printProtocol: optionalInt,
    outputType: optionalInt,
    logoutTimeout: optionalInt,
    services,
    ...recordOf(portFlags, optionalFlag),
    ...recordOf(portTexts, text),
  })
  .transform(
    ({
      logoutTimeout = 0,
      name,
      portType,
      parentAccountOrContainerId,
      printProtocol,
      outputType,
      ...port
    }): OutputPort => ({
      ...port,
      ...textsOf(port),
      name: visibleText(name),
      printerIppUrl: withoutCredentials(textOf(port.printerIppUrl)),
      kind: portKinds[portType ?? -1],
      parentId: parentAccountOrContainerId,
      printProtocol: printProtocols[printProtocol ?? -1],
      outputType: outputTypeOf(outputType),
      logoutTimeoutSeconds: logoutTimeout > 0 ? logoutTimeout : undefined,
    }),
  );

const sieveFor = (search: PortSearch) => ({
  mayFit(unchecked: unknown): boolean {
    if (typeof unchecked !== 'object' || unchecked === null) return false;
    const { id, deviceSerial, address } = unchecked as Readonly<Record<string, unknown>>;
    return search.wants({
      ...(typeof id === 'number' ? { id } : {}),
      deviceSerial: textOf(deviceSerial),
      address: textOf(address),
    });
  },
  keep: (port: OutputPort) => search.take(port),
});

export const createOutputPorts = (deps: ResourceDeps): OutputPorts => ({
  list: ({ only, each, ...options }) =>
    readList(
      deps,
      {
        name: 'output ports',
        path: '/api/v1/outputports',
        fields: [['enrichPorts', true]],
        entry: outputPortInfo,
        ...(each === undefined ? {} : { each }),
        ...(only === undefined ? {} : { sieve: sieveFor(new PortSearch(only)) }),
      },
      options,
    ),
});
