/**
 * The PJL commands that a document may contain: only those that set up its own pages. Everything else is refused,
 * including everything unknown (INVARIANTS.md T15, T16). Such a command could read or change the printer, outlast the
 * job, answer on the back-channel, or print more than was paid for. Commands and variables: HP PJL Technical Reference
 * Manual, edition 12, chapters 4 to 6, 9 and 10. Attacks: Müller, Mladenov, Somorovsky, Schwenk, "Exploiting Network
 * Printers" (IEEE S&P 2017), and its program PRET.
 */
export type PjlVerdict =
  | { readonly kind: 'harmless' }
  /** The data after this line is in this language and not PJL. */
  | { readonly kind: 'enters'; readonly language: string }
  /** `command` is the original text, sanitised and cut. */
  | { readonly kind: 'refused'; readonly command: string };

/** Variables of SET, which lasts until the job is over ("Environment Commands", SET); with any value. */
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
  // Output and finishing.
  'FINISH',
  'OUTBIN',
  'OUTBINPROCESS',
  'PUNCH',
  'STAPLE',
  'STAPLEOPTION',
  'PROCESSINGBOUNDARY',
  'PROCESSINGOPTION',
  'PROCESSINGTYPE',
  // The look of the page.
  'BITSPERPIXEL',
  'DENSITY',
  'ECONOMODE',
  'IMAGEADAPT',
  'PLANESINUSE',
  'RENDERMODE',
  'RESOLUTION',
  'RET',
  // How the printer reads the data.
  'PAGEPROTECT',
  'STRINGCODESET',
  // The owner, by the document's own claim; it appears only in the printer's list of jobs.
  'JOBATTR',
  'JOBNAME',
  'USERNAME',
]);

/** Variables of SET LPARM:PCL, the initial state of a PCL page. */
const pclVariables: ReadonlySet<string> = new Set([
  'FONTNUMBER',
  'FONTSOURCE',
  'LINETERMINATION',
  'PITCH',
  'PTSIZE',
  'SYMSET',
]);

/**
 * With these values they change nothing. With other values more would come out than was paid for, or the job would stay
 * in the printer.
 */
const onlyValues: Readonly<Record<string, string>> = { COPIES: '1', HOLD: 'OFF', QTY: '1' };

const plainCommands: ReadonlySet<string> = new Set(['', 'COMMENT', 'EOJ']);

/**
 * ENTER accepts page languages only. Some other languages carry firmware, such as ACL (Cui, Costello, Stolfo, "When
 * Firmware Modifications Attack", NDSS 2013), and others carry settings (PRESCRIBE).
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
  // Languages of host-based printers (the drivers foo2zjs and SpliX), and of one maker each: Brother (Ghostscript's
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

/** Takes one line without its end. A line that is not PJL is refused. */
export function judgePjl(line: string): PjlVerdict {
  const [, command = '', rest = ''] = /^@PJL(?:[ \t]+([A-Z]*)(?:[ \t]+(.*))?)?[ \t\r]*$/is.exec(line) ?? [];
  const refused: PjlVerdict = { kind: 'refused', command: line.replaceAll(/[^ -~]/g, '').slice(0, 80) };
  // No line may contain a UEL, a part of one, or a character that some printer might take for the end of the line.
  if (!/^@PJL([ \t\r]|$)/i.test(line) || hasControls(line.trimEnd())) return refused;
  switch (command.toUpperCase()) {
    case 'ENTER': {
      const language = /^LANGUAGE[ \t]*=[ \t]*([A-Z0-9]+)[ \t\r]*$/i.exec(rest)?.[1]?.toUpperCase() ?? '';
      return languages.has(language) ? { kind: 'enters', language } : refused;
    }
    // With a password the job could set defaults (chapter 5, JOB). A text on the panel ends with the job, and drivers
    // use it; the text of RDYMSG would stay.
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
  // One variable in a line: a part that some printer might read as another variable is not a value.
  if (value.replaceAll(/"[^"]*"/g, '').includes('=')) return false;
  return only === undefined ? variables.has(variable) : value.trim().toUpperCase() === only;
}
