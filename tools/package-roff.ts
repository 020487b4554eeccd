/** Text as man(7) wants it: a page is made of these pieces, one after the other. */

/** A line of a page's text; nothing in it is taken for markup. */
export const text = (plain: string): string =>
  plain
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^(?=[.'])/gm, String.raw`\&`);

export const bold = (plain: string): string => String.raw`\fB${text(plain)}\fR`;
export const italic = (plain: string): string => String.raw`\fI${text(plain)}\fR`;

export const section = (title: string, ...parts: readonly string[]): string =>
  [`.SH ${title}`, ...parts].join('\n');

export const subsection = (title: string, ...parts: readonly string[]): string =>
  [`.SS "${text(title)}"`, ...parts].join('\n');

export const paragraph = (...lines: readonly string[]): string => ['.PP', ...lines].join('\n');

/** What is explained, and below it, indented, by what; both are markup already. */
export const item = (what: string, ...lines: readonly string[]): string => ['.TP', what, ...lines].join('\n');

/** As it stands, line for line. */
export const literal = (plain: string): string =>
  ['.PP', '.RS 4', '.nf', text(plain.trimEnd()), '.fi', '.RE'].join('\n');

export interface Page {
  readonly name: string;
  readonly section: 5 | 8;
  readonly version: string;
  /** Seconds since 1970. */
  readonly epoch: number;
}

export const page = (
  { name, section: number, version, epoch }: Page,
  ...parts: readonly string[]
): string => {
  const day = new Date(epoch * 1000).toISOString().slice(0, 10);
  return [`.TH ${name} ${number} ${day} "platen ${version}" "Platen"`, ...parts, ''].join('\n');
};
