/**
 * The AppArmor profiles of the package (T17, T26): accepted by apparmor_parser without a word, named by the units, and before
 * a kernel that has AppArmor: whoever took the agent or a converter over gets nowhere, and neither misses anything.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { features, runBelowAppArmor } from '../peers/apparmor-machine.ts';
import { needsNamespaces, needsPeer } from '../peers/availability.ts';
import { kernelFolder } from '../peers/hid-machine.ts';

const run = promisify(execFile);
const profiles = ['platen', 'platen-converter', 'platen-kiosk'];

describe('the units', () => {
  it.each([
    ['platen.service', 'platen'],
    ['platen-converter@.service', 'platen-converter'],
    ['platen-kiosk.service', 'platen-kiosk'],
  ])('%s asks for its profile, and starts without it where there is no AppArmor', (unit, profile) => {
    expect(readFileSync(`systemd/${unit}`, 'utf8')).toContain(`\nAppArmorProfile=-${profile}\n`);
    expect(readFileSync(`systemd/apparmor/${profile}`, 'utf8')).toContain(`\nprofile ${profile} `);
  });
});

needsPeer('apparmor_parser', 'apparmor')('apparmor_parser', () => {
  it.each(profiles)('takes the profile %s, and warns of nothing', async (profile) => {
    const said = await run('/sbin/apparmor_parser', [
      ...['--skip-kernel-load', '--skip-cache', '-M', features, `systemd/apparmor/${profile}`],
    ]);
    expect(said).toEqual({ stdout: '', stderr: '' });
  });
});

const config = `
cloud: { baseUrl: "https://127.0.0.1:1", authUrl: "https://127.0.0.1:1", apiKey: sample-api-key }
stateDir: /var/lib/platen
terminals:
  - { id: lobby, serialNumber: SN-0001, printer: { uri: "ipp://127.0.0.1:2/ipp/print" } }
`;

const script = `
cat >/etc/platen/platen.yaml <<'end'
${config}
end
echo '--- taken over'
as_root_in platen sh -c '
  cat /proc/self/attr/current
  cat /etc/shadow
  echo >/etc/platen/platen.yaml
  echo >/opt/platen/tools/platen.js
  cat /bin/true >/var/lib/platen/tool
  cat /proc/1/environ
' 2>&1
cp /bin/true /var/lib/platen/tool
chmod 755 /var/lib/platen/tool
as_root_in platen /var/lib/platen/tool 2>&1
as_root_in platen sh -c '/var/lib/platen/tool || echo not started'
as_root_in platen-converter sh -c 'cat /etc/passwd /etc/platen/platen.yaml; echo >/run/x' 2>&1
as_root_in platen-kiosk sh -c 'cat /etc/platen/platen.yaml; ls /var/lib/platen /root' 2>&1
refusals >/dev/null
rm /var/lib/platen/tool

printf '%%!PS\\n/Helvetica findfont 20 scalefont setfont 72 700 moveto (x) show showpage\\n' >/page.ps
echo '--- converted'
cd /room
mkfifo /tmp/asked
convert() {
  exec 3<>/tmp/asked
  as_service_in platen-converter /opt/platen/systemd/converter-room </tmp/asked 3>&- | busybox strings 3>&- >/tmp/said &
  cat "$1" >&3
  for turn in $(seq 240); do ! grep -q '^end abc' /tmp/said || break; sleep 0.5; done
  # Else it would wait for its agent to hang up.
  exec 3>&-
  grep -E '^(/|%PDF|end abc)' /tmp/said
}
printf 'abc 0 0 look\\n' >/tmp/look
convert /tmp/look
{ printf 'abc 0 %s to-pdf\\n' $(stat -c %s /page.ps); cat /page.ps; } >/tmp/page
convert /tmp/page
cd /
refusals

echo '--- at work'
as_service_in platen /opt/platen/tools/platen.js run -c /etc/platen/platen.yaml 2>&1 | cat >/tmp/log &
until_log() { for turn in $(seq 240); do ! grep -q "$1" /tmp/log || return 0; sleep 0.5; done; tail -n 20 /tmp/log; }
until_log '"agent started"'
sleep 3
busybox pkill -TERM -f 'platen.js run'
until_log '"agent stopped"'
grep -o '"msg":"agent st[a-z]*"' /tmp/log
refusals
echo '--- over'
`;

needsNamespaces()('with mounts of its own', () => {
  needsPeer(kernelFolder, 'qemu-system-x86 busybox-static, and Debian’s kernel as tools/setup unpacks it')(
    'below a kernel with AppArmor',
    () => {
      const parts = new Map<string, readonly string[]>();

      beforeAll(async () => {
        // The sources would be translated by an emulated processor.
        await run('npm', ['run', '--silent', 'build']);
        const said = await runBelowAppArmor(script, { platen: process.cwd() });
        for (const part of said.split('--- ').slice(1)) {
          const [name = '', ...lines] = part.trim().split('\n');
          parts.set(name, lines);
        }
      }, 400_000);

      it('whoever has taken a process over reads nothing of the machine, and writes nothing that is started', () => {
        const lines = parts.get('taken over') ?? [];
        expect(lines[0]).toBe('platen (enforce)');
        expect(
          lines.slice(1).filter((line) => !/Permission denied|cannot (?:create|open)|not started/.test(line)),
        ).toEqual([]);
        expect(lines).toHaveLength(12);
      });

      it('a conversion misses nothing', () => {
        expect(parts.get('converted')).toEqual([
          ...['/usr/bin/gs', '/usr/bin/qpdf', 'end abc 000', '%PDF-1.7', 'end abc 000', 'none'],
        ]);
      });

      it('the agent starts, serves and stops, and misses nothing', () => {
        expect(parts.get('at work')).toEqual(['"msg":"agent started"', '"msg":"agent stopped"', 'none']);
      });
    },
  );
});
