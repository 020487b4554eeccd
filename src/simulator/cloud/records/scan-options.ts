/** The options of a scan workflow (spec, ScanWorkflowTemplateInfo). Each part has its own rules. */
import { z } from 'zod';

const flag = z.boolean().default(false);
const oneOf = <const Words extends readonly string[]>(...words: Words) => z.enum(words).optional();

export const scanOptions = z.strictObject({
  resolution: oneOf('LOW', 'NORMAL', 'FINE', 'HIGH', 'HIGHEST'),
  colorMode: oneOf('AUTO', 'BLACK_AND_WHITE', 'FULL_COLOR', 'ONE_COLOR', 'TWO_COLOR', 'GRAY_SCALE'),
  pageSides: oneOf('SIMPLEX', 'DUPLEX'),
  mergingOriginals: oneOf('DISABLED', 'ENABLED'),
  resolutionEditableByUser: flag,
  colorModeEditableByUser: flag,
  pageSidesEditableByUser: flag,
  mergingOriginalsEditableByUser: flag,
});

const barcodes =
  'UPC_A UPC_E EAN_8 EAN_13 CODE_39 CODE_93 CODE_128 CODABAR ITF RSS_14 RSS_EXPANDED ALL_1D AZTEC DATA_MATRIX ' +
  'MAXICODE PDF_417 QR_CODE';
const barcodeType = z.enum(barcodes.split(' '));

export const barcodeOptions = z.strictObject({ enabled: z.boolean(), barcodeType: barcodeType.optional() });

export const separationOptions = z
  .strictObject({
    enabled: z.boolean(),
    separationType: oneOf('BARCODE_TYPE', 'SEPARATION_SHEET', 'PAGE_COUNT'),
    separationBarcodeType: barcodeType.optional(),
    dropSeparator: z.boolean().nullish(),
    pageSplitSize: z
      .string()
      .regex(/^(?:variable|[1-9]\d*)$/, 'expected variable or a positive whole number')
      .optional(),
  })
  .superRefine((given, { addIssue }) => {
    const { separationType: type } = given;
    if (given.enabled && type === undefined) addIssue('separationType is missing');
    if (type !== 'BARCODE_TYPE' && given.separationBarcodeType !== undefined) {
      addIssue('separationBarcodeType is for BARCODE_TYPE only');
    }
    if (type !== 'PAGE_COUNT' && given.pageSplitSize !== undefined) {
      addIssue('pageSplitSize is for PAGE_COUNT only');
    }
    if (type === 'PAGE_COUNT' && typeof given.dropSeparator === 'boolean') {
      addIssue('dropSeparator is not for PAGE_COUNT');
    }
  })
  .transform((given) =>
    given.separationType === undefined || given.separationType === 'PAGE_COUNT'
      ? given
      : { ...given, dropSeparator: given.dropSeparator ?? given.separationType === 'SEPARATION_SHEET' },
  );

const text = z.string().optional();
const choice = z.boolean().optional();

export const ocrOptions = z.strictObject({
  enabled: z.boolean(),
  blankPages: choice,
  dualPages: choice,
  pageOrientation: choice,
  despeckle: choice,
  languages: z.array(z.string()).optional(),
  outputFormatParameters: z
    .strictObject({
      pdfaCompliance: oneOf('PDF_A_1A', 'PDF_A_1B', 'PDF_A_2A', 'PDF_A_2U', 'PDF_A_3A', 'PDF_A_3U'),
      modifyMetadata: choice,
      metaTitle: text,
      metaAuthor: text,
      metaSubject: text,
      metaKeywords: text,
      metaOverwriteUponChange: choice,
      mrcCompression: choice,
      encryptPdf: choice,
      encryptionStrength: oneOf('RC40BIT', 'RC128BIT', 'AES128BIT'),
      encryptionPasswordType: oneOf('GeneratePassword', 'ManualPassword'),
      encryptionPassword: text,
      sendEmail: choice,
      emailRecipients: text,
      emailSubject: text,
      emailBody: text,
    })
    .refine(
      (one) => one.encryptionPassword === undefined || one.encryptionPasswordType === 'ManualPassword',
      'encryptionPassword is for ManualPassword only',
    )
    .optional(),
});

export const redactionOptions = z
  .strictObject({
    enabled: z.boolean(),
    highlightColor: oneOf('GREEN', 'RED'),
    redactionType: oneOf('WHOLE_DOCUMENT', 'RANGE'),
    rangeFrom: z.string().nullish(),
    rangeTo: z.string().nullish(),
  })
  .refine(
    ({ redactionType, rangeFrom, rangeTo }) => redactionType === 'RANGE' || !(rangeFrom ?? rangeTo),
    'rangeFrom and rangeTo are for RANGE only',
  );

const overwriteBehavior = oneOf('KEEP_BOTH', 'REPLACE_ORIGINAL', 'APPEND_TO_PDF', 'PREPEND_TO_PDF');

export const mailTarget = z.strictObject({ mailTo: text, mailSubject: text, mailBody: text });
export const driveTarget = z.strictObject({ relativeTargetPath: text, overwriteBehavior });
export const siteTarget = z.strictObject({
  rootPath: text,
  relativeTargetPath: text,
  overwriteBehavior,
  /** Each entry maps the name of a column to its value. */
  columns: z.array(z.record(z.string(), z.string())).optional(),
});

export const userInput = z
  .strictObject({
    name: z.string(),
    label: z.string(),
    defaultValue: z.string().nullish(),
    required: z.boolean().nullish(),
    userInputType: z.enum(['LIST', 'BROWSE', 'TEXT', 'NUMBER', 'EMAIL']),
    values: z.array(z.strictObject({ value: z.string(), label: z.string() })).nullish(),
  })
  .refine(({ userInputType, values }) => userInputType === 'LIST' || !values, 'values are for LIST');
