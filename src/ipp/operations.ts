/** Operation ids (RFC 8011 section 5.4.15, PWG 5100.11 and 5100.13; CUPS has its own) under their registered names. */
export const operations = {
  'Print-Job': 0x0002,
  'Validate-Job': 0x0004,
  'Create-Job': 0x0005,
  'Send-Document': 0x0006,
  'Cancel-Job': 0x0008,
  'Get-Job-Attributes': 0x0009,
  'Get-Jobs': 0x000a,
  'Get-Printer-Attributes': 0x000b,
  'Cancel-My-Jobs': 0x0039,
  'Close-Job': 0x003b,
  'Identify-Printer': 0x003c,
  'CUPS-Get-Printers': 0x4002,
} as const;
export type Operation = keyof typeof operations;
