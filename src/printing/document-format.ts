/**
 * The media type of a document by its first octets; the document itself is never parsed. PJL around the data is
 * understood as far as it sets variables and enters a language: with any other PJL command before the data the
 * document is unknown, and so refused, for PJL can also read and write the printer's files (reliability.md T16).
 */
export const unknownFormat = 'application/octet-stream';

export const formats = {
  pdf: 'application/pdf',
  postscript: 'application/postscript',
  pclXl: 'application/vnd.hp-PCLXL',
  pcl: 'application/vnd.hp-PCL',
  pwgRaster: 'image/pwg-raster',
  urf: 'image/urf',
  jpeg: 'image/jpeg',
  html: 'text/html',
  json: 'application/json',
} as const;

/** So many octets are enough to tell. */
export const sniffedOctets = 4096;

/** Latin-1 patterns, matched at the very start. */
const magics: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, formats.pdf],
  [/^%!PS/, formats.postscript],
  [/^\) HP-PCL XL/, formats.pclXl],
  [/^\u001b(E|%0A|&l)/, formats.pcl],
  [/^RaS2/, formats.pwgRaster],
  [/^UNIRAST\0/, formats.urf],
  [/^\u00ff\u00d8\u00ff/, formats.jpeg],
  [/^(\u00ef\u00bb\u00bf)?\s*<(!doctype html|html|head|body)\b/i, formats.html],
  [/^(\u00ef\u00bb\u00bf)?\s*(\{\s*["}]|\[\s*[{"\]])/, formats.json],
];

const languages: Readonly<Record<string, string>> = {
  PDF: formats.pdf,
  POSTSCRIPT: formats.postscript,
  PCLXL: formats.pclXl,
  PCL: formats.pcl,
};

/** UEL: leaves whatever language the printer is in (PJL Technical Reference, "Kernel commands"). */
export const universalExit = '\u001b%-12345X';

export function formatOf(head: Buffer): string {
  const text = head.subarray(0, sniffedOctets).toString('latin1');
  if (text.startsWith(universalExit)) return formatAfterPjl(text.slice(universalExit.length));
  return magics.find(([magic]) => magic.test(text))?.[1] ?? unknownFormat;
}

/** PJL Technical Reference, "ENTER" and "Kernel commands". */
function formatAfterPjl(text: string): string {
  for (const [line] of text.matchAll(/[^\n]*\n/g)) {
    const entered = /^@PJL +ENTER +LANGUAGE *= *([A-Z0-9]+)\s*$/i.exec(line)?.[1];
    if (entered) return languages[entered.toUpperCase()] ?? unknownFormat;
    if (!/^@PJL\s*$|^@PJL +(SET|COMMENT|JOB)\b/i.test(line)) return unknownFormat;
  }
  return unknownFormat;
}
