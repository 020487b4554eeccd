/**
 * The checksum that each row of ledger and outbox carries (reliability.md T31): it tells a row that a failing disk
 * changed, and which rows of a damaged file may be salvaged. CRC-32 as zlib has it: natively fast, where CRC-32C would
 * need a table of our own, and what a cleverer change might get past it the events' hash chain tells.
 */
import { crc32 } from 'node:zlib';

/** Of a row's columns, in the order of the table, the checksum left out. */
export const crcOf = (values: readonly unknown[]): number => crc32(JSON.stringify(values));
