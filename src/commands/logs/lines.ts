/** Lines out of octets, one after the other as they come: of a file, a pipe or a program, however long it goes on. */
import { StringDecoder } from 'node:string_decoder';

/** In characters: no record comes near it (every text of one is cut at 512). */
const longest = 64 * 1024;

/** What is longer than any record comes cut, so that nothing fills the memory that has no line end. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  let isCut = false;
  const take = (part: string) => {
    isCut ||= begun.length + part.length > longest;
    begun += part.slice(0, longest - begun.length);
  };
  const whole = () => {
    const line = isCut ? `${begun}…` : begun;
    [begun, isCut] = ['', false];
    return line.replace(/\r$/, '');
  };
  for await (const octets of source) {
    const parts = decoder.write(Buffer.from(octets)).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      take(part);
      yield whole();
    }
    take(last);
  }
  take(decoder.end());
  if (begun !== '') yield whole();
}
