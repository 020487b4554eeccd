/** The newest lines of a log, kept in memory up to so many octets: what a support bundle shows where no journal is. */

/** Half an hour of a busy terminal, or days of a quiet one. */
const mostOctets = 256 * 1024;

export interface RecentLines {
  add(line: string): void;
  /** The oldest first. */
  all(): readonly string[];
}

export function createRecentLines(most = mostOctets): RecentLines {
  const lines: string[] = [];
  let octets = 0;
  return {
    add(line) {
      lines.push(line);
      octets += Buffer.byteLength(line);
      while (octets > most) octets -= Buffer.byteLength(lines.shift() ?? '');
    },
    all: () => [...lines],
  };
}
