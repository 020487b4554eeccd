/**
 * Which commands of PJL a document may bring of its own: those that set up its own pages, and no other. What reads or
 * changes the printer, what stays when the job is over, what speaks on the back-channel in the printer's place, and what
 * prints more than was paid for is refused, and so is everything unknown (INVARIANTS.md T15, T16). Commands and
 * variables: HP PJL Technical Reference Manual, edition 12, chapters 4 to 6, 9 and 10; what can be done with the rest:
 * Müller, Mladenov, Somorovsky, Schwenk, "Exploiting Network Printers" (IEEE S&P 2017), and its program PRET.
 */
export type PjlVerdict =
  | { readonly kind: 'harmless' }
  /** What follows is in this language, and no PJL. */
  | { readonly kind: 'enters'; readonly language: string }
  /** `command` is as it stood there, sanitised and cut. */
  | { readonly kind: 'refused'; readonly command: string };

/** Of SET, which holds until the job is over ("Environment Commands", SET); any value they take. */
const variables: ReadonlySet<string> = new Set([
  // The sheet and its sides.
  'BINDING',
  'DUPLEX',
  'EDGETOEDGE',
  'FORMLINES',
  'MEDIASOURCE',
  'MEDIATYPE',
  'ORIENTATION',
  'PAPER',
  'MANUALFEED',
  'WIDEA4',
  // Where it goes when it is printed.
  'FINISH',
  'OUTBIN',
  'OUTBINPROCESS',
  'PUNCH',
  'STAPLE',
  'STAPLEOPTION',
  'PROCESSINGBOUNDARY',
  'PROCESSINGOPTION',
  'PROCESSINGTYPE',
  // How it looks.
  'BITSPERPIXEL',
  'DENSITY',
  'ECONOMODE',
  'IMAGEADAPT',
  'PLANESINUSE',
  'RENDERMODE',
  'RESOLUTION',
  'RET',
  // How the printer reads it.
  'PAGEPROTECT',
  'STRINGCODESET',
  // Whose it is, by the document's own word: the printer's list of jobs is the printer's.
  'JOBATTR',
  'JOBNAME',
  'USERNAME',
]);

/** Of SET LPARM:PCL, what a page of PCL begins with. */
const pclVariables: ReadonlySet<string> = new Set([
  'FONTNUMBER',
  'FONTSOURCE',
  'LINETERMINATION',
  'PITCH',
  'PTSIZE',
  'SYMSET',
]);

/** With these they change nothing; with others more would come out than was paid for, or would stay in the printer. */
const onlyValues: Readonly<Record<string, string>> = { COPIES: '1', HOLD: 'OFF', QTY: '1' };

const plainCommands: ReadonlySet<string> = new Set(['', 'COMMENT', 'EOJ']);

/**
 * Of ENTER: languages of pages, no others. Firmware comes in some that are none, such as ACL (Cui, Costello, Stolfo, "When
 * Firmware Modifications Attack", NDSS 2013), and settings in others (PRESCRIBE).
 */
const languages: ReadonlySet<string> = new Set([
  'AUTO',
  'HPGL2',
  'JPEG',
  'PCL',
  'PCL3GUI',
  'PCLM',
  'PCLXL',
  'PDF',
  'POSTSCRIPT',
  'PWGRASTER',
  'TIFF',
  'URF',
  'XPS',
  // Of printers that are given their pixels (the drivers foo2zjs and SpliX), and of one maker each: Brother (Ghostscript's
  // hl720), Ricoh, Sharp.
  'HBP',
  'HBPL',
  'HIPERC',
  'LAVAFLOW',
  'QPDL',
  'RPCS',
  'SPLC',
  'XQX',
  'ZJS',
]);

const harmless: PjlVerdict = { kind: 'harmless' };

/** One line, without its end. What is no line of PJL at all is refused. */
export function judgePjl(line: string): PjlVerdict {
  const [, command = '', rest = ''] = /^@PJL(?:[ \t]+([A-Z]*)(?:[ \t]+(.*))?)?[ \t\r]*$/is.exec(line) ?? [];
  const refused: PjlVerdict = { kind: 'refused', command: line.replaceAll(/[^ -~]/g, '').slice(0, 80) };
  // A UEL, or half of one, belongs into no line, nor does what some printer might take for the end of one.
  if (!/^@PJL([ \t\r]|$)/i.test(line) || hasControls(line.trimEnd())) return refused;
  switch (command.toUpperCase()) {
    case 'ENTER': {
      const language = /^LANGUAGE[ \t]*=[ \t]*([A-Z0-9]+)[ \t\r]*$/i.exec(rest)?.[1]?.toUpperCase() ?? '';
      return languages.has(language) ? { kind: 'enters', language } : refused;
    }
    // With a password the job could set defaults (chapter 5, JOB). What it shows on the panel goes with it, as drivers have it
    // there; RDYMSG would stay.
    case 'JOB':
      return /\bPASSWORD\b/i.test(rest.replaceAll(/"[^"]*"/g, '')) ? refused : harmless;
    case 'SET':
      return isHarmlessSetting(rest) ? harmless : refused;
    case '':
      return /^@PJL[ \t\r]*$/i.test(line) ? harmless : refused;
    default:
      return plainCommands.has(command.toUpperCase()) ? harmless : refused;
  }
}

const hasControls = (line: string): boolean => Array.from(line).some((one) => one < ' ' && one !== '\t');

function isHarmlessSetting(text: string): boolean {
  const [, parameter, name = '', value = ''] =
    /^(?:LPARM[ \t]*:[ \t]*([A-Z0-9]+)[ \t]+)?([A-Z0-9]+)[ \t]*=[ \t]*(.*)$/is.exec(text) ?? [];
  const variable = name.toUpperCase();
  if (parameter !== undefined) return parameter.toUpperCase() === 'PCL' && pclVariables.has(variable);
  const only = onlyValues[variable];
  // One variable a line: what some printer might read as another one is no value.
  if (value.replaceAll(/"[^"]*"/g, '').includes('=')) return false;
  return only === undefined ? variables.has(variable) : value.trim().toUpperCase() === only;
}
