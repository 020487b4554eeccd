/**
 * How a stick is read, as a program for sh(1) that runs only in a sandbox (stick-room.ts). The Sleuth Kit (4.11 as of
 * Debian 12) reads the filesystem from the device, block by block: FAT, exFAT, NTFS, ext and ISO 9660. Nothing is
 * mounted, so untrusted data never reaches the kernel's drivers, where a fault affects the whole machine.
 * `systemd/stick-room` has the same text, and a test compares the two.
 */

/** The most files that are listed of a filesystem, and the most filesystems of a stick. */
export const listed = { files: 500, filesystems: 8 } as const;

/** The exit status of `file` for a PDF that needs a password. */
export const lockedStatus = 3;

/**
 * Uses `device`, and `copy`, a file that may be written. Only printable files are listed: no folder, link or stream,
 * and no hidden file. A file is read whole before its first octet goes out. If the stick is pulled out during that,
 * nothing goes out.
 */
export const stickRecipes = String.raw`
tab=$(printf '\t')
printable="^r/r [0-9-]*:$tab.*[.](pdf|jpe?g|png)$tab"
hidden="^r/r [0-9-]*:$tab([.$]|.*/[.$])"

# Sectors of 512 octets before each filesystem; a table may count in larger ones. A stick without partitions is one.
beginnings() {
  table=$(mmls -i raw -a "$device") || table=
  sector=$(printf '%s\n' "$table" | sed -n 's/^Units are in \([0-9]\{3,5\}\)-byte sectors$/\1/p' | head -n 1)
  found=$(printf '%s\n' "$table" |
    sed -n 's/^[0-9]\{3,\}:  *[0-9:-]*  *0*\([0-9][0-9]*\)  .*/\1/p' | head -n 8)
  [ -n "$found" ] || found=0 sector=512
  for start in $found; do
    printf '%s\n' $((start * sector / 512))
  done
}

# Nothing but that the room is there.
look() {
  :
}

list() {
  none=1
  for beginning in $(beginnings); do
    fls -i raw -o "$beginning" "$device" >/dev/null || continue
    none=0
    printf '@%s\n' "$beginning"
    fls -i raw -o "$beginning" -r -p -l -F -u "$device" | LC_ALL=C grep -a -i -E "$printable" |
      LC_ALL=C grep -a -v -E "$hidden" | head -n 501
  done
  return "$none"
}

# BEGINNING INODE OCTETS FORMAT
file() {
  icat -i raw -o "$1" "$device" "$2" >"$copy" || return 1
  [ "$(stat -c %s "$copy")" = "$3" ] || return 1
  [ "$4" != pdf ] || ! qpdf --requires-password "$copy" || return 3
  cat "$copy"
}
`;
