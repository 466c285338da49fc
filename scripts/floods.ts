/**
 * Floods a service with what strangers can send, on SQLite and on Postgres, and measures how fast others are answered meanwhile:
 * `node scripts/bun.mjs run scripts/floods.ts [--program PATH] [--database sqlite|postgres|both] [--only WORD]`. A process of its own asks
 * /healthz and, in turns, an idle HTTP server of Bun beside it. Exit code 1 where 99 of 100 answers of /healthz took more than 100 ms and
 * more than twice as long as those of the idle server, or where the service computed for more than 200 ms without answering anybody. The times need
 * a machine that does nothing else: elsewhere a process that works waits for the processor, and an idle one does not. The computing does not.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { makeRepositories, serveGitOverHttp } from '../test/server/sources/git-server.ts'
import { email, startScratch, type Scratch } from './schemathesis/scratch.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { program: { type: 'string' }, database: { type: 'string', default: 'both' }, only: { type: 'string' } },
})
const program =
  values.program === undefined
    ? [process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')]
    : [values.program]
const goalMs = 100
const stallMs = 200
const patience = 60_000

/** What a flood needs to know of its service. */
interface Place {
  readonly scratch: Scratch
  /** Address of a webhook whose secret nobody here has. */
  readonly hook: string
  readonly repository: string
  /** The file that it logs to. */
  readonly log: string
}

interface Flood {
  readonly count: number
  readonly atOnce: number
  readonly request: (place: Place, at: number) => readonly [string, RequestInit]
}

const json = { 'content-type': 'application/json' }
const push = (place: Place, token: string, hook = place.hook): readonly [string, RequestInit] => [
  hook,
  {
    method: 'POST',
    headers: { ...json, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': token },
    body: JSON.stringify({ ref: 'refs/heads/main', x: 'a'.repeat(200) }),
  },
]
const signIn = (address: string, at: number): readonly [string, RequestInit] => [
  '/v1/auth/login',
  { method: 'POST', headers: json, body: JSON.stringify({ email: address, password: `wrong ${at} password` }) },
]
/** 31 MB of line ends, which are 62 MB of escapes. */
const lineEnds = JSON.stringify({ source: { kind: 'inline', name: 'a.yaml', content: '\n'.repeat(31_000_000) } })
const keyed = { ...json, authorization: 'Bearer none' }

const floods: Readonly<Record<string, Flood>> = {
  'forged deliveries of a webhook': { count: 800, atOnce: 16, request: (place, at) => push(place, `bad ${at}`) },
  'deliveries to unknown addresses': {
    count: 800,
    atOnce: 16,
    request: (place, at) => push(place, 'x', `/v1/hooks/gitlab/${String(at).padStart(22, 'B')}`),
  },
  'failed sign-ins of one account': { count: 400, atOnce: 16, request: (_, at) => signIn(email, at) },
  'failed sign-ins of many accounts': { count: 400, atOnce: 16, request: (_, at) => signIn(`p${at}@example.test`, at) },
  'second steps with guessed tickets': {
    count: 400,
    atOnce: 16,
    request: (_, at) => [
      '/v1/auth/login/second-factor',
      { method: 'POST', headers: json, body: JSON.stringify({ ticket: `t${at}`, code: '123456' }) },
    ],
  },
  'device codes': {
    count: 400,
    atOnce: 16,
    request: () => ['/v1/auth/device/code', { method: 'POST', headers: json, body: '{"client_name":"flood"}' }],
  },
  'inlined types of a public document': {
    count: 12,
    atOnce: 6,
    request: (_, at) => [`/v1/schema/local/bomb/1.0.0?refs=inline&x=${at}`, {}],
  },
  'the description of the service': { count: 200, atOnce: 16, request: () => ['/v1/openapi.json', {}] },
  'regular expressions over a repository': {
    count: 20,
    atOnce: 4,
    request: ({ repository }, at) => [
      `/v1/tenants/local/repositories/${repository}/files?branch=main&regex=${encodeURIComponent(`(.*a){${20 + at}}X`)}`,
      { headers: keyed },
    ],
  },
  'bodies of 62 MB of escapes': {
    count: 6,
    atOnce: 3,
    request: () => ['/v1/tenants/local/imports', { method: 'POST', headers: keyed, body: lineEnds }],
  },
}

// Asked by a process of its own, as an operator's probe does.
const poller = (urls: readonly string[]): string => `
const times = ${JSON.stringify(urls.map(() => []))}
process.on('SIGTERM', () => { console.log(JSON.stringify(times)); process.exit(0) })
for (;;) for (const [at, url] of ${JSON.stringify(urls)}.entries()) {
  const begun = performance.now()
  await (await fetch(url)).text()
  times[at].push(performance.now() - begun)
  await Bun.sleep(5)
}`

/** Adds twenty-six types: each refers to the type before it ten times, and a public document refers to the last one. */
async function publishBomb({ ask }: Scratch): Promise<void> {
  let before = ''
  for (let at = 0; at < 26; at++) {
    const inner = before === '' ? { type: 'string' } : { $ref: before }
    const properties = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, inner]))
    await ask('POST', '/v1/primitives/local', {
      namespace: 'bomb',
      name: `T${at}`,
      schema: { properties },
    })
    before = `svc:bomb/T${at}`
  }
  const content = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Bomb', version: '1.0.0' },
    paths: {},
    components: { schemas: { P: { $ref: before } } },
  })
  const source = { kind: 'inline', name: 'bomb.json', content }
  const publish = { publish: 'public', force: true, force_reason: 'measured' }
  const job = await ask('POST', '/v1/tenants/local/imports', { source, project_slug: 'bomb', ...publish })
  await ask('GET', `/v1/imports/${String(job['job_id'])}?wait=30`)
}

/** A registered repository of long paths, with a webhook. */
async function register(scratch: Scratch, cloneUrl: string, log: string): Promise<Place> {
  const base = '/v1/tenants/local/repositories'
  const made = await scratch.ask('POST', base, { source: 'public_url', cloneUrl })
  const { id } = made['repository'] as { readonly id: string }
  const secret = 'a long enough secret'
  const hook = await scratch.ask('POST', `${base}/${id}/webhook`, { create: 'manual', secret })
  const { url } = hook['subscription'] as { readonly url: string }
  return { scratch, hook: new URL(url, scratch.url).pathname, repository: id, log }
}

/** Sends a flood. @returns how often each status came */
async function send({ count, atOnce, request }: Flood, place: Place): Promise<ReadonlyMap<string, number>> {
  const statuses = new Map<string, number>()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      const [path, init] = request(place, next++)
      const headers = new Headers(init.headers)
      if (headers.has('authorization')) headers.set('authorization', place.scratch.bearer)
      const status = await fetch(place.scratch.url + path, { ...init, headers, signal: AbortSignal.timeout(patience) })
        .then(async (answer) => (await answer.arrayBuffer(), String(answer.status)))
        .catch((error: unknown) => (error as Error).name)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return statuses
}

/** How long the service computed without answering, where that was too long: milliseconds of the processor. */
const stallsIn = (log: string): readonly number[] =>
  [...readFileSync(log, 'utf8').matchAll(/"cpu_ms":(\d+)/g)].map(([, ms]) => Number(ms)).filter((ms) => ms > stallMs)

const at = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN)

/** Does one flood. @returns whether others were answered fast enough */
async function measure(engine: string, name: string, flood: Flood, place: Place, idle: string): Promise<boolean> {
  const before = stallsIn(place.log).length
  const child = Bun.spawn([process.execPath, '-e', poller([`${place.scratch.url}/healthz`, idle])], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  await Bun.sleep(1000)
  const statuses = await send(flood, place)
  await Bun.sleep(500)
  child.kill('SIGTERM')
  const [ours = [], others = []] = JSON.parse(await new Response(child.stdout).text()) as number[][]
  const [slow, machine] = [at(ours, 0.99), at(others, 0.99)]
  const stalls = stallsIn(place.log).slice(before)
  const isFast = (slow <= goalMs || slow <= 2 * machine) && stalls.length === 0
  const counts = [...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')
  console.log(
    `${isFast ? ' ' : '!'} ${engine}, ${name} (${counts}): /healthz median ${at(ours, 0.5)} ms, 99 of 100 ${slow} ms, slowest ${at(ours, 1)} ms of ${ours.length}; idle server ${at(others, 0.5)}, ${machine}, ${at(others, 1)} ms; computed for more than ${stallMs} ms: ${stalls.join(', ') || 'never'}; load ${loadavg()[0]?.toFixed(1)}`,
  )
  return isFast
}

async function onEngine(
  engine: string,
  settings: Readonly<Record<string, string>>,
  cloneUrl: string,
): Promise<boolean> {
  const host = new URL(cloneUrl).host
  const reach = { SVC_GIT_HOSTS: `${host}=gitlab`, SVC_EGRESS_ALLOW: '127.0.0.0/8' }
  const folder = mkdtempSync(join(tmpdir(), 'svc-floods-'))
  const log = join(folder, 'log')
  const scratch = await startScratch(program, { ...settings, ...reach }, log)
  const idle = Bun.spawn([process.execPath, '-e', idleServer], { stdout: 'pipe' })
  try {
    const { value } = await idle.stdout.getReader().read()
    const place = await register(scratch, cloneUrl, log)
    await publishBomb(scratch)
    let isFast = true
    for (const [name, flood] of Object.entries(floods))
      if (values.only === undefined || name.includes(values.only))
        isFast = (await measure(engine, name, flood, place, new TextDecoder().decode(value).trim())) && isFast
    return isFast
  } finally {
    idle.kill()
    await scratch.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const idleServer = `console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('ok') }).url.href)`

const git = makeRepositories()
const longPath = (n: number): string => `${'a'.repeat(100)}/${'a'.repeat(100)}/${n}.yaml`
git.create('t/long', Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [longPath(n), 'a\n'])))
const served = serveGitOverHttp(git.root)
const cloneUrl = `${served.url}/t/long/.git`
let isFast = true
try {
  if (values.database !== 'postgres') isFast = await onEngine('SQLite', {}, cloneUrl)
  if (values.database !== 'sqlite') {
    const postgres = await startPostgres()
    try {
      isFast =
        (await onEngine(
          'Postgres',
          { SVC_DATABASE_URL: `${postgres.url}/postgres`, SVC_SECRET_KEY: randomBytes(32).toString('base64') },
          cloneUrl,
        )) && isFast
    } finally {
      await postgres.stop()
    }
  }
} finally {
  await served.stop()
  git.remove()
}
process.exitCode = isFast ? 0 : 1
