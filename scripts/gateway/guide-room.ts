/**
 * A room in which a guide is followed as on a machine of its own: what it writes below /etc, /var and /usr/local is gone afterwards, its ports are
 * those of another loopback interface, and all that it started ends with it. The programs are those of this machine.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '../..')
const overlaid = ['/etc', '/var', '/usr/local']

/**
 * Runs this script again, in a room.
 * @param args what it gets there
 * @returns its exit code
 */
export async function inRoom(script: string, args: readonly string[]): Promise<number> {
  const mounts = overlaid.map((path, at) => {
    const [upper, work] = [`/mnt/upper-${at}`, `/mnt/work-${at}`]
    return `mkdir -p ${upper} ${work}; mount -t overlay room-${at} -o lowerdir=${path},upperdir=${upper},workdir=${work} ${path}`
  })
  const enter = `set -e; mount -t tmpfs room /mnt; ${mounts.join('; ')}; mount -t tmpfs room /run; ip link set lo up; exec "$@"`
  const room = ['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  const command = [...room, 'sh', '-c', enter, 'room', process.execPath, 'run', script, '--inside', ...args]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' })
  return await child.exited
}

/** Writes a file, with its folders. */
export function writeTo(path: string, text: string, isProgram = false): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  if (isProgram) chmodSync(path, 0o755)
}

/** Where the files of a guide are that name no folder, and where its commands run. */
export const guideFolder = '/mnt/guide'

/** Where the service of the guide keeps its data. */
export const workspace = '/mnt/workspace'

/**
 * The programs that a room has none of: svc as it is installed, a `systemctl` and `journalctl` that do with the unit of the guide what systemd
 * would, as far as a process shows it (the file of variables, the folder of the state, the command, its output), and a `docker` that does the same with
 * a file of Compose.
 */
export function furnish(): void {
  const svc = `#!/bin/sh\nexec ${process.execPath} run ${join(root, 'cli/main.ts')} "$@"\n`
  writeTo('/usr/local/bin/svc', svc, true)
  const systemctl = `#!/bin/bash
set -eu
[ "$*" = "reload nginx" ] && exec nginx -s reload
[ "$1 \${2:-} \${3:-}" = "enable --now svc-gateway" ] || { echo "systemctl $*: not in this room" >&2; exit 1; }
unit=/etc/systemd/system/svc-gateway.service
systemd-analyze verify "$unit"
value() { sed -e ':a' -e '/\\\\$/N; s/\\\\\\n *//; ta' "$unit" | sed -n "s/^$1=//p"; }
mkdir -p "/var/lib/$(value StateDirectory)"
set -a; . "$(value EnvironmentFile)"; set +a
unset SVC_WORKSPACE
cd /
setsid sh -c "exec $(value ExecStart)" >> /run/svc-gateway.journal 2>&1 < /dev/null &
`
  writeTo('/usr/local/bin/systemctl', systemctl, true)
  const docker = join(root, 'scripts/gateway/guide-compose.ts')
  writeTo('/usr/local/bin/docker', `#!/bin/sh\nexec ${process.execPath} run ${docker} "$@"\n`, true)
  mkdirSync(guideFolder)
  // It ends where the one of systemd would go on: what comes later is asked for again.
  writeTo('/usr/local/bin/journalctl', '#!/bin/sh\nexec cat /run/svc-gateway.journal\n', true)
}
