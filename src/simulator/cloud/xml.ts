/**
 * Gives answers as XML if the Accept header prefers it to JSON (spec, General rules 2; RFC 9110 section 12.5.1). The
 * spec shows no form. Here the fields are elements of a `response`, and list entries are `item`. A field whose name is
 * invalid in XML is an `entry` with a `key`.
 */
import type { Answer, Call } from './call.ts';

export function inWantedForm(answer: Answer, { headers: { accept = '' } }: Pick<Call, 'headers'>): Answer {
  if (answer.type !== 'application/json' || accept === '') return answer;
  if (qualityOf(accept, 'xml') <= qualityOf(accept, 'json')) return answer;
  const content = element('response', JSON.parse(answer.body.toString()));
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${content}\n`;
  return { ...answer, type: 'application/xml', body };
}

/** 0 if the type is not wanted. */
function qualityOf(accept: string, subtype: string): number {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';');
    const [, quality = '1'] = /^\s*q=([\d.]+)\s*$/.exec(parameters.at(-1) ?? '') ?? [];
    return { name: name.trim(), quality: Number(quality) };
  });
  const fitting = [`application/${subtype}`, 'application/*', '*/*'];
  const found = fitting.map((name) => ranges.find((one) => one.name === name));
  return found.find((one) => one !== undefined)?.quality ?? 0;
}

function element(name: string, value: unknown): string {
  const [tag, start] = isName.test(name) ? [name, name] : ['entry', `entry key="${escaped(name)}"`];
  const content = contentOf(value);
  return content === '' ? `<${start}/>` : `<${start}>${content}</${tag}>`;
}

function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => element('item', one)).join('');
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => element(name, one))
    .join('');
}

/** The names of XML 1.0 (section 2.3) that consist of ASCII. */
const isName = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 forbids, even as escapes (section 2.2). */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);
