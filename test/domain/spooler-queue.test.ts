import { describe, expect, it } from 'vitest';
import { asQueue, complaintAbout, spoolerQueue } from '../../src/domain/printer/spooler-queue.ts';

describe('the address of a queue', () => {
  it.each([
    ['cups:office', { name: 'office' }],
    ['cups:2nd_floor-Left.1', { name: '2nd_floor-Left.1' }],
    ['cups://print.example/office', { name: 'office', server: 'print.example' }],
    ['cups://10.0.0.7:8631/office', { name: 'office', server: '10.0.0.7:8631' }],
    ['cups://[fe80::1]:631/office', { name: 'office', server: '[fe80::1]:631' }],
    ['cupss://print.example:8631/office', { name: 'office', server: 'print.example:8631', isSecure: true }],
    [`cups:${'q'.repeat(127)}`, { name: 'q'.repeat(127) }],
  ])('%s is understood', (uri, queue) => {
    expect(spoolerQueue(uri)).toEqual(queue);
  });

  it.each([
    'cups:',
    'cups:/office',
    'cups:///office',
    'cups://print.example',
    'cups://print.example/',
    'cups://print.example/printers/office',
    'cups://anna:hunter2@print.example/office',
    'cups://print.example:99999/office',
    'cups:office?raw',
    'cups:office%2f..',
    'cups:office;reboot',
    'cups:$(reboot)',
    'cups:two words',
    'cupss:office',
    'cupss:///office',
    'cups:b\u00fcro',
    `cups:${'q'.repeat(128)}`,
    'ipp://10.0.0.7/printers/office',
    'office',
  ])('%j is none (T18)', (uri) => {
    expect(spoolerQueue(uri)).toBeUndefined();
  });
});

describe('the address of a printer that is a queue of CUPS', () => {
  it.each([
    ['ipp://print.example/printers/office', 'cups://print.example/office'],
    ['ipp://10.0.0.7:8631/classes/both', 'cups://10.0.0.7:8631/both'],
    ['ipps://[fd00::2]:631/printers/office', 'cupss://[fd00::2]:631/office'],
  ])('%s is written as %s', (uri, written) => {
    expect(asQueue(uri)).toBe(written);
    expect(spoolerQueue(written)).toBeDefined();
  });

  it.each(['ipp://10.0.0.7/ipp/print', 'ipp://10.0.0.7/printers/a/b', 'cups:office', 'auto'])(
    '%s is that of no queue',
    (uri) => expect(asQueue(uri)).toBeUndefined(),
  );
});

describe('the policy of a queue (D15)', () => {
  const queue = { name: 'office', errorPolicy: 'abort-job', isClass: false, device: '' };

  it('that gives up what failed is in order', () => {
    expect(complaintAbout(queue)).toBeUndefined();
  });

  it.each([
    [
      'that prints again',
      { errorPolicy: 'retry-current-job' },
      /is retry-current-job, so CUPS prints.* again/,
    ],
    ['that is not told', { errorPolicy: '' }, /is not told: lpadmin -p office/],
    ['of a class', { isClass: true }, /office is a class/],
    [
      'at the address of a printer',
      { writtenAs: 'cups://print.example/office' },
      /write uri: cups:\/\/print.example\/office/,
    ],
  ])('%s is complained of', (_, facts, words) => {
    expect(complaintAbout({ ...queue, ...facts })).toMatch(words);
  });
});
