/**
 * The form that RFC 8011 requires of each request, as tables: the operation attributes of each operation (section 4),
 * and the syntax and length of the known values (sections 4, 5.1 and 5.2).
 */
import type { Value } from '../../ipp/message.ts';

export const supportedOperations = [
  'Print-Job',
  'Validate-Job',
  'Create-Job',
  'Send-Document',
  'Cancel-Job',
  'Get-Job-Attributes',
  'Get-Jobs',
  'Get-Printer-Attributes',
  'Cancel-My-Jobs',
  'Close-Job',
  'Identify-Printer',
] as const;

export type KnownOperation = (typeof supportedOperations)[number];

interface OperationRule {
  /** The target of the operation: a printer, or one of its jobs (section 4.1.5). */
  readonly target: 'printer' | 'job';
  /** Besides the charset, the natural language, the target and requesting-user-name. */
  readonly attributes: readonly string[];
  readonly section: string;
  /** Whether the request may carry a job-attributes group and a document. */
  readonly template: 'allowed' | 'none';
  readonly document: 'allowed' | 'none';
}

const jobSizes = ['job-k-octets', 'job-impressions', 'job-media-sheets'];
const aboutDocument = ['document-name', 'compression', 'document-format', 'document-natural-language'];
const aboutJob = ['job-name', 'ipp-attribute-fidelity', ...jobSizes];

export const operationRules: Readonly<Record<KnownOperation, OperationRule>> = {
  'Print-Job': {
    target: 'printer',
    attributes: [...aboutJob, ...aboutDocument],
    section: '4.2.1',
    template: 'allowed',
    document: 'allowed',
  },
  'Validate-Job': {
    target: 'printer',
    attributes: [...aboutJob, ...aboutDocument],
    section: '4.2.3',
    template: 'allowed',
    document: 'none',
  },
  'Create-Job': {
    target: 'printer',
    attributes: aboutJob,
    section: '4.2.4',
    template: 'allowed',
    document: 'none',
  },
  'Get-Printer-Attributes': {
    target: 'printer',
    attributes: ['requested-attributes', 'document-format'],
    section: '4.2.5',
    template: 'none',
    document: 'none',
  },
  'Get-Jobs': {
    target: 'printer',
    attributes: ['limit', 'requested-attributes', 'which-jobs', 'my-jobs'],
    section: '4.2.6',
    template: 'none',
    document: 'none',
  },
  'Send-Document': {
    target: 'job',
    attributes: [...aboutDocument, 'last-document'],
    section: '4.3.1',
    template: 'none',
    document: 'allowed',
  },
  'Cancel-Job': {
    target: 'job',
    attributes: ['message'],
    section: '4.3.3',
    template: 'none',
    document: 'none',
  },
  'Get-Job-Attributes': {
    target: 'job',
    attributes: ['requested-attributes'],
    section: '4.3.4',
    template: 'none',
    document: 'none',
  },
  'Cancel-My-Jobs': {
    target: 'printer',
    attributes: ['job-ids', 'message'],
    section: 'PWG 5100.11 5.2',
    template: 'none',
    document: 'none',
  },
  'Close-Job': {
    target: 'job',
    attributes: [],
    section: 'PWG 5100.11 5.3',
    template: 'none',
    document: 'none',
  },
  'Identify-Printer': {
    target: 'printer',
    attributes: ['identify-actions', 'job-id', 'message'],
    section: 'PWG 5100.13 5.2',
    template: 'none',
    document: 'none',
  },
};

type Tag = Value['tag'];

const name = ['nameWithoutLanguage', 'nameWithLanguage'] as const;
const keywordOrName = ['keyword', ...name] as const;

/** Syntaxes of operation attributes and Job Template attributes. The syntax of other attributes is not checked. */
export const syntaxes: Readonly<Record<string, readonly Tag[]>> = {
  'attributes-charset': ['charset'],
  'attributes-natural-language': ['naturalLanguage'],
  'printer-uri': ['uri'],
  'job-uri': ['uri'],
  'job-id': ['integer'],
  'requesting-user-name': name,
  'job-name': name,
  'document-name': name,
  'document-format': ['mimeMediaType'],
  'document-natural-language': ['naturalLanguage'],
  'ipp-attribute-fidelity': ['boolean'],
  compression: ['keyword'],
  'last-document': ['boolean'],
  'job-k-octets': ['integer'],
  'job-impressions': ['integer'],
  'job-media-sheets': ['integer'],
  limit: ['integer'],
  'job-ids': ['integer'],
  'identify-actions': ['keyword'],
  'which-jobs': ['keyword'],
  'my-jobs': ['boolean'],
  'requested-attributes': ['keyword'],
  message: ['textWithoutLanguage', 'textWithLanguage'],
  copies: ['integer'],
  finishings: ['enum'],
  'job-hold-until': keywordOrName,
  'job-priority': ['integer'],
  'job-sheets': keywordOrName,
  media: keywordOrName,
  'media-col': ['begCollection'],
  'multiple-document-handling': ['keyword'],
  'number-up': ['integer'],
  'orientation-requested': ['enum'],
  'output-bin': keywordOrName,
  'page-ranges': ['rangeOfInteger'],
  'print-color-mode': ['keyword'],
  'print-quality': ['enum'],
  'print-scaling': ['keyword'],
  'printer-resolution': ['resolution'],
  sides: ['keyword'],
};

/** The attributes that may have more than one value. */
export const setsOfValues: readonly string[] = [
  'requested-attributes',
  'finishings',
  'page-ranges',
  'job-ids',
  'identify-actions',
];

/** The longest value of each syntax in octets (section 5.1). */
export const longest: Partial<Readonly<Record<Tag, number>>> = {
  textWithoutLanguage: 1023,
  nameWithoutLanguage: 255,
  keyword: 255,
  uri: 1023,
  uriScheme: 63,
  charset: 63,
  naturalLanguage: 63,
  mimeMediaType: 255,
};
