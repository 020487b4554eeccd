/**
 * How a stick is read, as a program for sh(1) that runs in a room (stick-room.ts) and nowhere else. The Sleuth Kit reads
 * the filesystem from the device, block by block: FAT, exFAT, NTFS, ext and ISO 9660. Nothing is mounted, so the kernel's
 * drivers, whose faults are faults of the whole machine, never see what a stranger wrote. `systemd/stick-room` has the same
 * text; a test holds the two together. In The Sleuth Kit 4.11 as of Debian 12.
 */

/** Files of a filesystem that are listed, and filesystems of a stick. */
export const listed = { files: 500, filesystems: 8 } as const;

/** `status` of `file` for a PDF that asks for a password. */
export const lockedStatus = 3;

/**
 * With `device`, and `copy`, a file that may be written. Only what is printable goes into the list: no folder, link or
 * stream, and nothing that hides. A file is read whole before the first octet goes out: of a stick that is pulled out in
 * the middle nothing goes out at all.
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
