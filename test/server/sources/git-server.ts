/** Real git servers for tests: `git http-backend` behind HTTP, and `git upload-pack` behind SSH. */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync, symlinkSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ssh2 from 'ssh2'

const env = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.test',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.test',
}

/** Repositories in a folder of their own. */
export interface Repositories {
  readonly root: string
  /** Makes a repository with a commit on main; gives the commit. A value `{link}` is a symbolic link. */
  create(name: string, files: Readonly<Record<string, string | { link: string }>>): string
  git(name: string, ...args: string[]): string
  remove(): void
}

export function makeRepositories(): Repositories {
  const root = mkdtempSync(join(tmpdir(), 'svc-git-test-'))
  const git = (name: string, ...args: string[]): string => {
    const done = Bun.spawnSync(['git', '-C', join(root, name), ...args], { env, stderr: 'pipe' })
    if (done.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr.toString()}`)
    return done.stdout.toString().trim()
  }
  return {
    root,
    git,
    create(name, files) {
      mkdirSync(join(root, name), { recursive: true })
      git(name, 'init', '-q', '-b', 'main')
      git(name, 'config', 'uploadpack.allowFilter', 'true')
      git(name, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
      for (const [path, content] of Object.entries(files)) {
        const at = join(root, name, path)
        mkdirSync(dirname(at), { recursive: true })
        if (typeof content === 'string') writeFileSync(at, content)
        else symlinkSync(content.link, at)
      }
      git(name, 'add', '-A')
      git(name, 'commit', '-q', '-m', 'one')
      return git(name, 'rev-parse', 'HEAD')
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** What was asked of a server: each request with the bytes that it answered. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly answered: number
  readonly body: string
}

/**
 * Serves the repositories below `root` by `git http-backend` (CGI, RFC 3875) on a free port of loopback.
 * @param accepts says of a path and an Authorization header whether they are answered; everything is where it is left out
 */
export function serveGitOverHttp(
  root: string,
  accepts: (path: string, authorization: string | null) => boolean = () => true,
): { readonly url: string; readonly seen: Seen[]; stop(): Promise<void> } {
  const seen: Seen[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (!accepts(pathname, request.headers.get('authorization')))
        return new Response('no', { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' } })
      const body = new Uint8Array(await request.arrayBuffer())
      const plain = request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(body) : body
      const child = Bun.spawn(['git', 'http-backend'], {
        stdin: body,
        stdout: 'pipe',
        stderr: 'ignore',
        env: {
          ...env,
          GIT_PROJECT_ROOT: root,
          GIT_HTTP_EXPORT_ALL: '1',
          PATH_INFO: decodeURIComponent(pathname),
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers.get('content-type') ?? '',
          CONTENT_LENGTH: String(body.byteLength),
          HTTP_CONTENT_ENCODING: request.headers.get('content-encoding') ?? '',
          GIT_PROTOCOL: request.headers.get('git-protocol') ?? '',
          REMOTE_ADDR: '127.0.0.1',
        },
      })
      const out = Buffer.from(await new Response(child.stdout).arrayBuffer())
      const end = out.indexOf('\r\n\r\n')
      const headers = new Headers()
      let status = 200
      for (const line of out.subarray(0, end).toString('latin1').split('\r\n')) {
        const colon = line.indexOf(':')
        const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
        if (name.toLowerCase() === 'status') status = Number(value.slice(0, 3))
        else headers.append(name, value)
      }
      const content = out.subarray(end + 4)
      seen.push({
        method: request.method,
        path: pathname + search,
        answered: content.length,
        body: new TextDecoder('latin1').decode(plain),
      })
      return new Response(content, { status, headers })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, seen, stop: () => server.stop(true) }
}

/** Serves the repositories below `root` by `git upload-pack` over SSH on a free port of loopback, to everyone. */
export async function serveGitOverSsh(
  root: string,
): Promise<{ readonly port: number; readonly commands: string[]; stop(): Promise<void> }> {
  const commands: string[] = []
  const server = new ssh2.Server({ hostKeys: [ssh2.utils.generateKeyPairSync('ed25519').private] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (context) => context.accept())
    client.on('session', (accept) => {
      const session = accept()
      session.on('env', (acceptEnv) => acceptEnv?.())
      session.on('exec', (acceptExec, _, { command }) => {
        commands.push(command)
        const name = /^git-upload-pack '\/?([\w.-]+)'$/.exec(command)?.[1]
        const stream = acceptExec()
        if (name === undefined) {
          stream.exit(1)
          return stream.end()
        }
        const child = spawn('git', ['upload-pack', join(root, name)], { env: { ...env, GIT_PROTOCOL: 'version=2' } })
        stream.on('data', (chunk) => child.stdin.write(chunk))
        stream.on('end', () => child.stdin.end())
        child.stdin.on('error', () => {})
        child.stdout.on('data', (chunk: Uint8Array) => stream.write(chunk))
        child.stderr.on('data', (chunk: Uint8Array) => stream.stderr.write(chunk))
        child.on('close', (code) => {
          stream.exit(code ?? 1)
          stream.end()
        })
      })
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: server.address().port,
    commands,
    stop: () => new Promise((done) => server.close(() => done())),
  }
}
