/** Provisioning of output ports over the wire: spec, Output ports. */
import { describe, expect, it } from 'vitest';
import { createOutputPortProvisioning } from '../../../src/cloud/resources/output-port-provisioning.ts';
import { Secret } from '../../../src/core/secret.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const lobby = {
  domainName: 'example.com',
  portName: 'Lobby & co',
  address: '10.0.0.7',
  kind: 'printer',
} as const;
const made = answerJson({ errorCode: 0, id: 7 });

describe('an output port', () => {
  it('is made by a form of what is known', async () => {
    await using under = await resourceWith(made);
    const ports = createOutputPortProvisioning(under.parts);
    expect(await ports.create(lobby, asUser)).toBe(7);
    expect(requestsOf(under)).toEqual([
      'POST /api/v1/outputports domainname=example.com&portname=Lobby+%26+co&address=10.0.0.7&porttype=1',
    ]);
  });

  it('takes every parameter in the words of the service', async () => {
    await using under = await resourceWith(made);
    await createOutputPortProvisioning(under.parts).create(
      {
        ...lobby,
        vendor: 'unknown',
        serviceIds: [1, 2],
        embedded: false,
        embeddedConfigurationId: 3,
        printProtocol: 'ipp',
        outputType: 'pcl6',
        reverseFinisher: true,
        printerIppUrl: 'ipp://10.0.0.7/ipp/print',
        modelFamily: 1,
        monochrome: true,
        ipReaderAddress: '10.0.0.8',
        deviceSerial: 'SN-1',
        matchingInputPort: true,
        description: 'by the door',
        softwareCopyCollation: false,
        sendUsername: true,
        deviceAdmin: { userName: 'admin', password: new Secret('canary') },
        active: true,
        groupNo: 'g',
      },
      asUser,
    );
    const sent = new URLSearchParams(under.server.asked[0]?.body);
    expect(sent.getAll('serviceid')).toEqual(['1', '2']);
    expect(Object.fromEntries(sent)).toEqual({
      domainname: 'example.com',
      portname: 'Lobby & co',
      address: '10.0.0.7',
      porttype: '1',
      serviceid: '2',
      vendor: 'unknown',
      embedded: 'false',
      printprotocol: '1',
      outputtype: '3',
      reversefinisher: 'true',
      printerippurl: 'ipp://10.0.0.7/ipp/print',
      modelfamily: '1',
      monochromeprinter: 'true',
      ipreaderaddress: '10.0.0.8',
      embeddedconfiguration: '3',
      deviceserial: 'SN-1',
      matchinginputport: 'true',
      description: 'by the door',
      softwareCopyCollation: 'false',
      sendusername: 'true',
      deviceAdminUsername: 'admin',
      deviceAdminPassword: 'canary',
      active: 'true',
      groupNo: 'g',
    });
  });

  it('is changed by a PATCH that says which port it is, and what changes', async () => {
    await using under = await resourceWith(made);
    const changes = { kind: 'dummy', printProtocol: 'tcp', outputType: 'raw', active: false } as const;
    await createOutputPortProvisioning(under.parts).update(7, { ...lobby, ...changes }, asUser);
    expect(requestsOf(under)).toEqual([
      'PATCH /api/v1/outputports/7 domainname=example.com&portname=Lobby+%26+co&address=10.0.0.7&porttype=0' +
        '&printprotocol=0&outputtype=0&active=false',
    ]);
    expect(under.server.asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it.each([
    [{ errorCode: 1009 }, 'cloud-rejected'],
    [{ errorCode: 1050 }, 'cloud-denied'],
    [{ errorCode: 0 }, 'cloud-protocol'],
  ])('answered by %j is not made: %s', async (answer, code) => {
    await using under = await resourceWith(answerJson(answer));
    expect((await problemOf(createOutputPortProvisioning(under.parts).create(lobby, asUser))).code).toBe(
      code,
    );
    expect(under.server.asked).toHaveLength(1);
  });

  itGoesWithEitherToken((parts, options) => createOutputPortProvisioning(parts).create(lobby, options), made);
  itRejectsRefusals((parts, options) => createOutputPortProvisioning(parts).update(7, lobby, options));
});
