/**
 * Checks the logo file before the page shows it. Allowed are a complete PNG, or an SVG that only draws. The page's
 * content security policy would block other content of an SVG anyway.
 */
import { crc32, inflateSync } from 'node:zlib';

export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly base64: string;
}

export const mostOfLogo = 256 * 1024;
const mostPixels = 4_000_000;
/** Upper limit for unpacked pixels: four channels of 16 bits, and one filter byte per row. */
const mostBytes = mostPixels * 9;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Throws an error that says what is wrong with the picture. */
export function logoIn(bytes: Buffer): Logo {
  const isPng = bytes.subarray(0, signature.length).equals(signature);
  if (isPng) examinePng(bytes);
  else examineSvg(bytes);
  return { type: isPng ? 'image/png' : 'image/svg+xml', base64: bytes.toString('base64') };
}

/** Checks each chunk (W3C PNG, third edition: 5.3) up to the last, and that the pixels can be unpacked. */
function examinePng(bytes: Buffer): void {
  const pixels: Buffer[] = [];
  let at = signature.length;
  for (let isLast = false; !isLast; ) {
    if (at + 12 > bytes.length) throw new Error('is an incomplete PNG');
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw new Error('is an incomplete PNG');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at === signature.length && type !== 'IHDR') throw new Error('is a damaged PNG');
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw new Error('is a damaged PNG');
    const data = bytes.subarray(at + 8, end);
    if (type === 'IHDR' && data.readUInt32BE(0) * data.readUInt32BE(4) > mostPixels)
      throw new Error(`has more than ${mostPixels / 1e6} million pixels`);
    if (type === 'IDAT') pixels.push(data);
    isLast = type === 'IEND';
    at = end + 4;
  }
  try {
    inflateSync(Buffer.concat(pixels), { maxOutputLength: mostBytes });
  } catch (cause) {
    throw new Error('is a damaged PNG', { cause });
  }
}

/** The `svg` element, after an optional XML declaration, comments and DOCTYPE. */
const beginning =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<(?:[\w.-]+:)?svg[\s>]/;

const unwanted: readonly [what: string, pattern: RegExp][] = [
  ['a script', /<\s*(?:[\w.-]+:)?script\b/i],
  ['a script', /[\s"'/]on\w+\s*=/i],
  ['a script', /j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i],
  ['a page of HTML', /<\s*(?:[\w.-]+:)?(?:foreignObject|iframe|object|embed|html|body|audio|video)\b/i],
  ['entities', /<!ENTITY|<!DOCTYPE[^>]*\[/i],
  ['a style sheet from elsewhere', /<\?xml-stylesheet|@import/i],
  // An entity could hide any address, so a value that begins with an entity is refused too.
  ['something from elsewhere', /\b(?:href|src)\s*=\s*(?!["']#|["']\s*["'])/i],
  ['something from elsewhere', /url\(\s*(?!["']?#|&quot;#|&#39;#)/i],
];

function examineSvg(bytes: Buffer): void {
  const text = utf8(bytes);
  if (text === undefined || !beginning.test(text) || !text.includes('http://www.w3.org/2000/svg'))
    throw new Error('is not a picture: it must be an SVG or a PNG');
  if (!/<\/(?:[\w.-]+:)?svg\s*>\s*(?:<!--[^]*?-->\s*)*$/.test(text)) throw new Error('is an incomplete SVG');
  const [what] = unwanted.find(([, pattern]) => pattern.test(text)) ?? [];
  if (what !== undefined) throw new Error(`contains ${what}. A logo may only draw`);
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
