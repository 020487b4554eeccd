/**
 * Translates a PJL status code into printer-state-reasons (RFC 8011 section 5.4.12, PWG 5100.9), so that people read
 * the same sentences as for IPP. Codes and ranges: PJL Technical Reference, Appendix D, "PJL Status Codes", and further
 * codes on which manufacturers agree.
 */
export interface PjlDevice {
  readonly state: 'idle' | 'processing' | 'stopped';
  /** What keeps a page from coming out; empty when the printer is ready. */
  readonly obstacles: readonly string[];
  /**
   * It may print in spite of this: the message contradicts itself (it needs a person, but is online), or is about
   * something that the next document may not need.
   */
  readonly isDoubtful?: true;
}

/** 10xxx: the printer is well; in these states it prints. */
const printing: ReadonlySet<number> = new Set([10_022, 10_023, 10_024, 10_028, 10_029]);

/** 40xxx: a person is needed. A code with several causes stands for the most common one. */
const attendance: Readonly<Record<number, readonly string[]>> = {
  // Asleep; a job wakes it.
  40_000: [],
  40_010: ['marker-supply-missing'],
  40_017: ['marker-supply-missing'],
  40_019: ['output-area-full'],
  40_020: ['input-tray-missing'],
  40_021: ['cover-open'],
  40_022: ['media-jam'],
  40_027: ['input-tray-missing'],
  40_028: ['input-tray-missing'],
  40_029: ['output-tray-missing'],
  40_038: ['toner-empty'],
  40_050: ['marker-fuser-missing'],
  40_079: ['offline'],
  40_096: ['door-open'],
};

/** By the thousands of the code; below 40 it prints or goes on by itself. */
const ranges: Readonly<Record<number, readonly string[]>> = {
  // Foreground paper loading: no other source has the paper.
  41: ['media-needed'],
  42: ['media-jam'],
  // External paper handling.
  43: ['output-tray-missing'],
  44: ['media-jam'],
};

const readyOffline = 10_002;

export function pjlDevice(code: number, online: boolean | undefined): PjlDevice {
  const obstacles = obstaclesOf(code, online);
  const isDoubtful = online === true || code < 40_000 || Math.floor(code / 1000) === 41;
  if (obstacles.length > 0) {
    return { state: 'stopped', obstacles, ...(isDoubtful && code !== readyOffline ? { isDoubtful } : {}) };
  }
  return { state: printing.has(code) ? 'processing' : 'idle', obstacles };
}

function obstaclesOf(code: number, online: boolean | undefined): readonly string[] {
  const thousands = Math.floor(code / 1000);
  if (code === readyOffline) return ['offline'];
  // The printer says that it is ready, although some always add that they are not online.
  if (thousands <= 10) return [];
  // 11xxx, 12xxx: one of several paper sources · 20xxx…27xxx: the parser · 30xxx: continues by itself · 35xxx: may need
  // a person. As long as it is online, it prints.
  if (thousands < 40) return online === false ? ['offline'] : [];
  // It wants paper for one tray, and still prints on the paper that it has.
  if (thousands === 41 && online === true) return [];
  return attendance[code] ?? ranges[thousands] ?? ['other'];
}
