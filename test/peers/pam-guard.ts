/** One user whom PAM knows, for a peer that asks for a login, without touching the machine's PAM. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PeerLogin {
  readonly user: string;
  readonly password: string;
}

/** Services in the folder; gives the environment that makes it so. */
export async function guard(folder: string, { user, password }: PeerLogin) {
  const services = join(folder, 'pam');
  await mkdir(services);
  const check = join(folder, 'check.sh');
  const lines = `#!/bin/sh\nread -r said; [ "$PAM_USER" = '${user}' ] && [ "$said" = '${password}' ]\n`;
  await writeFile(check, lines, { mode: 0o755 });
  const rules = `auth required pam_exec.so expose_authtok quiet ${check}\naccount required pam_permit.so\n`;
  for (const service of ['lab', 'cups', 'other']) await writeFile(join(services, service), rules);
  return { LD_PRELOAD: 'libpam_wrapper.so', PAM_WRAPPER: '1', PAM_WRAPPER_SERVICE_DIR: services };
}
