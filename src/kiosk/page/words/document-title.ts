/** The title of a document for people: its name without the program that printed it, with its kind separate. */

export interface DocumentTitle {
  readonly title: string;
  /** `PDF`: for usual extensions. Any other extension stays in the name. */
  readonly kind?: string;
}

/** The form of names from Windows drivers: `Microsoft Word - Minutes.docx`. */
const program =
  /^Microsoft (?:Office )?(?:Word|Excel|PowerPoint|Outlook|OneNote|Publisher|Visio|Project|Access|Edge) [-–] /i;

const kinds = [
  'pdf',
  'doc',
  'docx',
  'docm',
  'odt',
  'rtf',
  'txt',
  'pages',
  'xls',
  'xlsx',
  'xlsm',
  'ods',
  'csv',
  'numbers',
  'ppt',
  'pptx',
  'pptm',
  'odp',
  'key',
  'htm',
  'html',
  'eml',
  'msg',
  'vsdx',
  'dwg',
  'ps',
  'eps',
  'xps',
  'svg',
  'jpg',
  'jpeg',
  'png',
  'gif',
  'bmp',
  'tif',
  'tiff',
  'heic',
  'webp',
];
const extension = new RegExp(`[.](${kinds.join('|')})$`, 'i');

/** If nothing would be left of a name, it stays whole. */
export function titleOf(name: string): DocumentTitle {
  const called = name.replace(program, '') || name;
  const kind = extension.exec(called)?.[1];
  const title = kind === undefined ? called : called.slice(0, -kind.length - 1);
  return kind === undefined || title.trim() === '' ? { title: called } : { title, kind: kind.toUpperCase() };
}
