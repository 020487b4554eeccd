/** Names of documents that are meant to do harm, in lists as long as a terminal shows (INVARIANTS.md T06). */
import * as fc from 'fast-check';
import { withEmoji } from '../../src/core/text/emoji.ts';

export const longest = 500;

const vicious = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="//evil.example/x.png">',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<svg/onload=alert(1)>',
  '<style>@import "//evil.example/x.css"</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href=//evil.example/>',
  '<!--',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '&lt;b&gt;&amp;#x3c;',
  '\\n\\ndata: {"state":"choosing"}\\n\\n',
  '\n\nevent: moved\ndata: 1\n\n',
  '\u202egnp.exe',
  '\u2067عقد\u2069 (2).pdf',
  '👩‍👩‍👧‍👦'.repeat(40),
  `Z${'\u0334\u0353\u034d'.repeat(80)}algo`,
  '\ud800 lone',
  'a'.repeat(10_000),
  '💣\u200d'.repeat(5_000),
  '   ',
  '" onmouseover="alert(1)',
  '__proto__',
  'constructor',
];

/** Of one list, each unlike the others. */
export const hostileNames = fc.array(
  fc.oneof(
    fc.constantFrom(...vicious),
    fc
      .tuple(fc.constantFrom(...vicious), fc.string({ unit: 'binary', maxLength: 20 }))
      .map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  ),
  { minLength: longest, maxLength: longest },
);

/** What is left of a name where the machine has no picture of an emoji; some do, and the page shows those. */
export const withoutEmoji = (text: string): string => withEmoji(text, () => false).replace(/^…$/, '');
