/** What a person calls a document: its name without the program that printed it, and its kind apart from that. */

export interface DocumentTitle {
  readonly title: string;
  /** `PDF`: of the usual extensions; any other belongs to the name. */
  readonly kind?: string;
}

/** As the drivers of Windows hand names over: `Microsoft Word - Minutes.docx`. */
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

/** A name that is nothing else stays whole. */
export function titleOf(name: string): DocumentTitle {
  const called = name.replace(program, '') || name;
  const kind = extension.exec(called)?.[1];
  const title = kind === undefined ? called : called.slice(0, -kind.length - 1);
  return kind === undefined || title.trim() === '' ? { title: called } : { title, kind: kind.toUpperCase() };
}
