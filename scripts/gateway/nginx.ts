/** nginx with ModSecurity in front of a small service, all of it in a folder of its own and on the loopback interface. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReleaseFile } from '../../src/gateway/compile/index.ts'
import { writeFiles } from './coraza.ts'

export interface RawRequest {
  readonly method?: string
  /** Sent as it is. */
  readonly uri: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string
  readonly ip?: string
}

const longestMs = 20_000
const program = Bun.which('nginx')

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** Answers 200 to whatever comes. */
const listen = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'),
      )
    })
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

export class Nginx {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'))
  private readonly upstream: Server
  private readonly port: number
  private process: Bun.Subprocess | null = null
  private loads = 0
  /** How long the error log was when the release was loaded. */
  private logged = 0

  private constructor(upstream: Server, port: number) {
    this.upstream = upstream
    this.port = port
    for (const name of ['logs', 'tmp']) mkdirSync(join(this.folder, name))
  }

  /** @throws Error where nginx is missing */
  static async start(): Promise<Nginx> {
    if (program === null)
      throw new Error('nginx is needed: apt-get install nginx libnginx-mod-http-modsecurity modsecurity-crs')
    return new Nginx(await listen(), await freePort())
  }

  private configuration(release: string): string {
    const address = this.upstream.address()
    const upstream = typeof address === 'object' && address !== null ? address.port : 0
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (it) => `${it}_temp_path ${this.folder}/tmp/${it};`,
    )
    return `include /etc/nginx/modules-enabled/*.conf;
daemon off;
master_process off;
pid ${this.folder}/nginx.pid;
error_log ${this.folder}/logs/error.log info;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${this.port};
    merge_slashes off;
    modsecurity on;
    modsecurity_rules_file ${release}/svc.conf;
    location / { proxy_pass http://127.0.0.1:${upstream}; }
  }
}
`
  }

  private async stop(): Promise<void> {
    this.process?.kill('SIGTERM')
    await this.process?.exited
    this.process = null
  }

  /**
   * Starts nginx with a release.
   * @throws Error with what nginx says is wrong
   */
  async load(files: readonly ReleaseFile[]): Promise<void> {
    await this.stop()
    const release = join(this.folder, `release-${++this.loads}`)
    writeFiles(release, files)
    const file = join(this.folder, 'nginx.conf')
    writeFileSync(file, this.configuration(release))
    const log = join(this.folder, 'logs/error.log')
    this.logged = existsSync(log) ? statSync(log).size : 0
    const tested = spawnSync(program ?? '', ['-t', '-q', '-c', file], { encoding: 'utf8' })
    if (tested.status !== 0) throw new Error(tested.stderr)
    this.process = Bun.spawn([program ?? '', '-c', file], { stdout: 'ignore', stderr: 'ignore' })
    const end = Date.now() + longestMs
    while (!(await this.answers())) {
      if (Date.now() > end) throw new Error('nginx does not listen')
      await Bun.sleep(20)
    }
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  }

  /** The status that a client gets. */
  send({ method = 'GET', uri, headers, body = '', ip = '127.0.0.1' }: RawRequest): Promise<number> {
    const lines = [
      `${method} ${uri} HTTP/1.1`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
    ]
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: ip })
      let answer = ''
      socket.setTimeout(longestMs, () => socket.destroy(new Error('no answer')))
      socket.on('error', reject)
      socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
      socket.on('close', () => {
        const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]
        if (status === undefined) reject(new Error('no status'))
        else resolve(Number(status))
      })
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    })
  }

  /**
   * The rules that found something since the release was loaded, by the address of the client: who sends each request from another address
   * of the loopback network finds its rules.
   */
  found(): ReadonlyMap<string, ReadonlySet<number>> {
    const found = new Map<string, Set<number>>()
    for (const line of readFileSync(join(this.folder, 'logs/error.log'), 'latin1').slice(this.logged).split('\n')) {
      const [id, client] = [/ModSecurity: .*\[id "(\d+)"\]/.exec(line)?.[1], / client: ([\d.]+),/.exec(line)?.[1]]
      if (id === undefined || client === undefined) continue
      const ids = found.get(client) ?? new Set()
      found.set(client, ids.add(Number(id)))
    }
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.upstream.close()
    rmSync(this.folder, { recursive: true })
  }
}
