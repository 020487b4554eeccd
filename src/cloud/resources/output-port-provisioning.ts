/**
 * `POST /outputports`, `PATCH /outputports/<id>` and its `move`: makes, changes and moves output ports (spec, Output
 * ports).
 */
import type { Secret } from '../../core/secret.ts';
import type { PortKind, PortOutputType, PrintProtocol } from '../../domain/output-port.ts';
import { portKinds, portOutputTypes, printProtocols } from '../../domain/output-port.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import type { Body } from '../http/form.ts';
import { formBody } from '../http/form.ts';
import { idOf } from '../http/json.ts';
import type { Call } from '../http/transport.ts';

/** A missing setting gets the service's default at creation, and stays as it is at a change. */
export interface OutputPortSettings {
  readonly vendor?: string;
  readonly serviceIds?: readonly number[];
  readonly embedded?: boolean;
  readonly embeddedConfigurationId?: number;
  readonly printProtocol?: PrintProtocol;
  readonly outputType?: PortOutputType;
  readonly reverseFinisher?: boolean;
  readonly printerIppUrl?: string;
  readonly modelFamily?: number;
  readonly monochrome?: boolean;
  readonly ipReaderAddress?: string;
  readonly deviceSerial?: string;
  /** Makes an input port of the same name as well. */
  readonly matchingInputPort?: boolean;
  readonly description?: string;
  readonly softwareCopyCollation?: boolean;
  /** By IPP only. */
  readonly sendUsername?: boolean;
  readonly deviceAdmin?: { readonly userName: string; readonly password: Secret };
  /** These two need the permissions ViewLicense and ModifyLicense. */
  readonly active?: boolean;
  readonly groupNo?: string;
}

/** The parameters that the spec does not call optional: they are sent with a change as well. */
export interface OutputPortIdentity {
  /** The domain of the parent account or container. */
  readonly domainName: string;
  readonly portName: string;
  readonly address: string;
  readonly kind: PortKind;
}

export interface OutputPortProvisioning {
  /** Gives the id of the new port. Never repeated, because each call makes a port. */
  create(port: OutputPortIdentity & OutputPortSettings, options: CallerOptions): Promise<number>;
  update(id: number, port: OutputPortIdentity & OutputPortSettings, options: CallerOptions): Promise<void>;
  /** `from` and `to` are domains; only inside the hierarchy of its account. */
  move(
    id: number,
    way: { readonly from: string; readonly to: string },
    options: CallerOptions,
  ): Promise<void>;
}

export function createOutputPortProvisioning(deps: ResourceDeps): OutputPortProvisioning {
  const send = async (call: Call, options: CallerOptions): Promise<number> =>
    idOf(await askAs(deps, call, inBackground(deps.clock, options)));
  return {
    create: (port, options) =>
      send({ method: 'POST', path: '/api/v1/outputports', body: bodyOf(port) }, options),
    async update(id, port, options) {
      await send({ method: 'PATCH', path: `/api/v1/outputports/${id}`, body: bodyOf(port) }, options);
    },
    async move(id, { from, to }, options) {
      const body = formBody([
        ['domainname', from],
        ['destinationdomainname', to],
      ]);
      await send({ method: 'PUT', path: `/api/v1/outputports/${id}/move`, body }, options);
    },
  };
}

const bodyOf = (port: OutputPortIdentity & OutputPortSettings): Body =>
  formBody([
    ['domainname', port.domainName],
    ['portname', port.portName],
    ['address', port.address],
    ['porttype', portKinds.indexOf(port.kind)],
    ['serviceid', port.serviceIds],
    ['vendor', port.vendor],
    ['embedded', port.embedded],
    ['printprotocol', port.printProtocol && printProtocols.indexOf(port.printProtocol)],
    ['outputtype', numberOf(port.outputType)],
    ['reversefinisher', port.reverseFinisher],
    ['printerippurl', port.printerIppUrl],
    ['modelfamily', port.modelFamily],
    ['monochromeprinter', port.monochrome],
    ['ipreaderaddress', port.ipReaderAddress],
    ['embeddedconfiguration', port.embeddedConfigurationId],
    ['deviceserial', port.deviceSerial],
    ['matchinginputport', port.matchingInputPort],
    ['description', port.description],
    ['softwareCopyCollation', port.softwareCopyCollation],
    ['sendusername', port.sendUsername],
    ['deviceAdminUsername', port.deviceAdmin?.userName],
    ['deviceAdminPassword', port.deviceAdmin?.password.reveal()],
    ['active', port.active],
    ['groupNo', port.groupNo],
  ]);

const numberOf = (outputType: PortOutputType | undefined): string | undefined =>
  Object.entries(portOutputTypes).find(([, name]) => name === outputType)?.[0];
