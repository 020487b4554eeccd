/**
 * What the service may send in place of a document, judged from outside (INVARIANTS.md T16; B.4, 5 Download): each is
 * refused before the intent with its problem code, the printer gets nothing, and the next badge works (I1, I7).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { universalExit } from '../../src/printing/pjl-guard.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Fault } from '../../src/simulator/cloud/faults.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { setRunningStage } from '../support/agent/running-stage.ts';

const pdf = samplePdf({ title: 'Report', pages: 1 });

/** Two gibibytes, and an octet; nobody has to keep them for the service to announce them. */
const longest = 2 * 1024 ** 3;
const announced = (octets: number): Fault => ({
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'application/octet-stream', 'content-length': String(octets) },
  body: '%PDF-1.7\n',
});

interface Row {
  readonly what: string;
  readonly bytes?: Buffer | string;
  readonly fault?: Fault;
  readonly code: string;
}

const rows: readonly Row[] = [
  {
    what: 'a document that is announced as 2 GiB and one octet',
    fault: announced(longest + 1),
    code: 'document-too-large',
  },
  { what: 'no octet at all', bytes: '', code: 'document-cut' },
  { what: 'a sign-in page', bytes: '<!DOCTYPE html><p>Sign in', code: 'document-not-printable' },
  { what: 'an error in JSON', bytes: '{"errorCode":403}', code: 'document-not-printable' },
  { what: 'a program', bytes: '\u007fELF\u0002\u0001\u0001', code: 'document-not-printable' },
  { what: 'PCL where the printer takes PDF', bytes: '\u001bE\u001b&l1X', code: 'document-not-printable' },
  {
    what: 'a PDF behind a command to the printer',
    bytes: `${universalExit}@PJL FSDOWNLOAD FORMAT:BINARY NAME="0:\\webServer\\x"\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7`,
    code: 'document-not-printable',
  },
  {
    what: 'a PDF with a command to the printer behind it',
    bytes: Buffer.concat([pdf, Buffer.from(`${universalExit}@PJL DEFAULT PASSWORD=7\r\n`, 'latin1')]),
    code: 'document-not-printable',
  },
  {
    what: 'a PDF that asks for fifty copies behind the service’s back',
    bytes: Buffer.concat([
      Buffer.from(`${universalExit}@PJL SET COPIES=50\r\n@PJL ENTER LANGUAGE=PDF\r\n`, 'latin1'),
      pdf,
    ]),
    code: 'document-not-printable',
  },
  { what: 'a PDF that is cut', bytes: pdf.subarray(0, pdf.length / 2), code: 'document-damaged' },
  {
    what: 'a PDF without a page',
    bytes: '%PDF-1.4\n<< /Type /Pages /Kids [] /Count 0 >>\nstartxref\n9\n%%EOF\n',
    code: 'document-damaged',
  },
];

describe('a document too long to be here before the first byte goes out', () => {
  const long = samplePdf({ title: 'Report', pages: 1, minimumBytes: 20_000_000 });
  const command = Buffer.from(`${universalExit}@PJL FSDELETE NAME="0:\\x"\r\n`, 'latin1');

  it.each([
    ['is cut', long.subarray(0, 15_000_000)],
    ['holds a command to the printer', Buffer.concat([long.subarray(0, 15_000_000), command, long])],
  ])('%s: its transfer is broken off, and it is never called completed', async (_, bytes) => {
    await using stage = await setRunningStage({ documentBytes: 1000 });
    const { cloud, document, printer } = stage;
    Object.assign(document, { bytes });
    const { outcome } = await stage.release();
    expect(outcome).not.toBe('completed');
    expect(printer.outputs.filter(({ complete }) => complete)).toEqual([]);
    expect(cloud.state.history.filter(({ title }) => title !== document.info.documentName)).toEqual([]);
    expect(document.info.status).toBe(documentStatus.READY);
  });
});

describe('the service sends in place of a document', () => {
  let stage: RunningStage;

  beforeAll(async () => {
    stage = await setRunningStage();
    await stage.release();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(rows)('$what', async ({ bytes = pdf, fault, code }) => {
    const { cloud, printer } = stage;
    const printed = printer.outputs.length;
    const document = cloud.addDocument({
      owner: 'alice',
      name: 'Bad.pdf',
      pages: 1,
      bytes: Buffer.from(bytes as string),
    });
    const mend = fault ? cloud.always({ path: /\.content$/ }, fault) : () => {};
    expect(await stage.release()).toMatchObject({ outcome: 'failed', code });
    expect(printer.outputs).toHaveLength(printed);
    expect(printer.jobs.every(({ state }) => state === 'completed')).toBe(true);
    expect(cloud.state.history.map(({ title }) => title)).not.toContain('Bad.pdf');

    // It still waits; its owner deletes it in the portal, and prints another.
    document.info = { ...document.info, status: 2 };
    mend();
    cloud.addDocument({ owner: 'alice', name: 'Good.pdf', pages: 1, bytes: pdf });
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    expect(printer.outputs).toHaveLength(printed + 1);
  });
});
