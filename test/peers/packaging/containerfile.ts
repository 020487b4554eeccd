/** A Containerfile as its instructions: what of Dockerfile(5) ours needs, no more. Nothing here builds an image. */
import { readFileSync } from 'node:fs';

export interface Instruction {
  /** `RUN` */
  readonly name: string;
  readonly rest: string;
}

/** Throws for a line that is no instruction. */
export function readContainerfile(file: string): readonly Instruction[] {
  const lines = readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const [, name, rest] =
      /^(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|FROM|HEALTHCHECK|RUN|STOPSIGNAL|USER|VOLUME) (\S.*)$/.exec(line) ??
      [];
    if (name === undefined || rest === undefined) throw new Error(`no instruction: ${line}`);
    return { name, rest };
  });
}
