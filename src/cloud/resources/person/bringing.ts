/** The port Bringing (spec, Input ports and Documents), with the user's token. */
import type { Bringing } from '../../../domain/ports/bringing.ts';
import type { ResourceDeps } from '../../http/caller.ts';
import { createInputPorts } from '../input-ports.ts';
import { uploadDocument } from '../upload.ts';

export const createBringing = (deps: ResourceDeps): Bringing => ({
  async queue(wanted, { user, token }, options) {
    const ports = await createInputPorts(deps).list({ user }, { ...options, token });
    const waiting = ports.filter(({ kind }) => kind === 'pull');
    return waiting.find(({ name }) => wanted === undefined || name === wanted)?.name;
  },
  bring: (file, { queue: portName }, { user, token }, options) =>
    uploadDocument(
      deps,
      { file, title: file.name, portName, userName: user.userName, providerId: user.providerId },
      { ...options, token },
    ),
});
