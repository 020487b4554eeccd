/**
 * Explains why a device that is there cannot be opened. EPERM comes from the control group of the unit: systemd reads
 * the allowed kinds of device from `/proc/devices` when the unit starts. A device whose driver was loaded later is
 * refused.
 */
const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be opened by this user. `sudo platen check` says what mends it',
  EPERM:
    'is there, but platen.service may not open it (EPERM). Its driver was loaded after the service started, or a drop-in is missing. Run: systemctl restart platen. If that does not help, run: sudo platen check',
  EBUSY: 'is used by another program',
};

/** The text to put after the path; `undefined` if the error itself says enough. */
export const whyRefused = (code: string): string | undefined => explanations[code];
