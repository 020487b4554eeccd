/**
 * Documents that the simulated cloud prints itself: `POST /documents/<uuid>/<address or SN>` (spec, Documents) and the
 * card relay, `/card` (spec, Card reader). No bytes are sent to a printer: the document only leaves READY after a
 * while.
 */
import { z } from 'zod';
import { milliseconds } from '../../../../core/duration.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, empty, errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { isOf, portBySerialOrAddress } from '../../context.ts';
import { isWaiting, ownDocument, refuseInsecureKey, releaseParameters, setStatus } from './documents.ts';
import type { ReleaseWishes } from './history.ts';
import { recordRelease } from './history.ts';
import { formText, readForm, readQuery } from '../../parameters.ts';
import type { Delivery } from '../../settings.ts';
import type { CloudDocument, OutputPortInfo } from '../../state.ts';
import { documentStatus } from '../../state.ts';

/** The default of a port: its printer is ready, and the document is printed when the call is answered. */
export const promptDelivery: Delivery = { printer: 'ready', after: milliseconds(0), ends: 'printed' };

export function releaseToPort(context: CloudContext, call: Call): Answer {
  const section = 'spec, POST /documents/<uuid>/<address or SN>';
  const { retain, ...wishes } = readForm(call, { schema: releaseParameters, section });
  refuseInsecureKey(context);
  const missing = errorAnswer(400, errorCode.outputDocument);
  const document = ownDocument(context, call, missing);
  const port = portBySerialOrAddress(context.state, call.parts['port'] ?? '');
  if (!port) throw new Refusal('no such output port', missing);
  if (!isWaiting(document)) throw new Refusal('the document is gone', missing);
  return json(200, { errorCode: deliver(context, { document, port, kept: retain, wishes }) });
}

/** All waiting documents of the card's owner are printed at the port of the card reader. */
export function relayCard(context: CloudContext, call: Call): Answer {
  const section = 'spec, Card reader';
  const { cd, Mac } = readQuery(call, { schema: z.strictObject({ cd: formText, Mac: formText }), section });
  if (!/^(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$/i.test(Mac)) {
    throw new Deviation('Mac is no MAC address', section, errorAnswer(400));
  }
  const { state } = context;
  const port = state.outputPorts.find(
    (one) => one.ipReaderAddress !== '' && isSame(one.ipReaderAddress, Mac),
  );
  const user = state.users.find((one) => !one.isDeactivated && one.cards.includes(cd));
  if (!port || !user) throw new Refusal('unknown card or card reader', errorAnswer(400));
  const waiting = state.documents.filter(
    (one) => isOf(one, user) && one.info.status === documentStatus.READY,
  );
  context.tell(`card relay: ${user.userName} at ${port.name}, ${waiting.length} documents`);
  for (const document of waiting) deliver(context, { document, port, kept: false, wishes: {} });
  return empty(200);
}

/** Compares only digits, because the form is as it was entered (src/cloud/README.md 12, row 43). */
const isSame = (one: string, other: string): boolean => digits(one) === digits(other);
const digits = (mac: string): string => mac.replaceAll(/[:-]/g, '').toUpperCase();

/** Gives the errorCode. Pending deliveries are lost when the cloud ends. */
function deliver(
  context: CloudContext,
  {
    document,
    port,
    kept,
    wishes,
  }: { document: CloudDocument; port: OutputPortInfo; kept: boolean; wishes: ReleaseWishes },
): number {
  const { printer, after, ends } = context.settings.deliveries.get(port.id) ?? promptDelivery;
  if (printer === 'not-ready') return errorCode.outputNotReady;
  document.deliveries.push(port.id);
  context.tell(`release: “${document.info.documentName}” goes to ${port.name}`);
  const end = () => {
    // A reset may have removed the document meanwhile.
    if (!context.state.documents.includes(document) || !isWaiting(document)) return;
    document.info = { ...document.info, outputPortId: port.id, outputPortName: port.name };
    if (ends === 'failed') return setStatus(document, documentStatus.FAILED);
    // STORED means “kept to print again”. It leaves READY too, so that a client sees the end (src/cloud/README.md 7).
    setStatus(document, kept ? documentStatus.STORED : documentStatus.PRINTED);
    recordRelease(context, document, { port, wishes });
  };
  if (ends !== 'never') context.later(after, end);
  return errorCode.ok;
}
