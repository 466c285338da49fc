/**
 * Loads a server for a long time with what people do to it, and watches its memory: `npm run soak -- [--minutes 120] [--every 30]
 * [--rest 0] [--program PATH]`. Each of three clients rests that many milliseconds after a request. Prints a line for each sample: the
 * resident set of the server and what it consists of (the heap of JavaScript, memory outside it that objects own, mapped files, and what
 * is left: SQLite, the runtime, and freed memory that the allocator keeps), and that of the analysis processes. Exit code 1 where the resident set of the last third of the time is larger than
 * that of the second third by more than a tenth and 30 MB, or where an answer was wrong.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    minutes: { type: 'string', default: '120' },
    every: { type: 'string', default: '30' },
    rest: { type: 'string', default: '0' },
    program: { type: 'string' },
  },
})
const end = Date.now() + Number(values.minutes) * 60_000
const program =
  values.program === undefined
    ? [process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')]
    : [values.program]
const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'))
const env = {
  ...process.env,
  SVC_WORKSPACE: folder,
  SVC_MCP_HTTP_PORT: '0',
  SVC_USER_PASSWORD: 'plum Kettle 91 harbour',
}

const server = Bun.spawn([...program, 'serve', '--port', '0', '--log-level', 'silent'], {
  env,
  stdout: 'pipe',
  stderr: 'ignore',
})

async function addressOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of stream) {
    text += new TextDecoder().decode(piece)
    const url = /http:\/\/[\d.]+:\d+/.exec(text)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`the server ended: ${text}`)
}
const url = await addressOf(server.stdout)
const email = 'soak@example.test'
const created = Bun.spawnSync([...program, 'user', 'create', email], { env })
if (created.exitCode !== 0) throw new Error(created.stderr.toString())

let token = ''
async function signIn(): Promise<void> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: env.SVC_USER_PASSWORD }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${text}`)
  token = (JSON.parse(text) as { access_token: string }).access_token
}

const counts = { requests: 0, wrong: 0 }
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  counts.requests++
  if (response.status >= 500 || response.status === 401 || response.status === 403) {
    counts.wrong++
    console.log(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  }
  return { status: response.status, text }
}

/** A description of some 100 kB, different for each number. */
function describe(n: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [
      `/things${n % 7}/${at}/{id}`,
      {
        get: {
          operationId: `get${at}`,
          summary: `Finds thing ${at} of ${n}`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 10 + (n % 3) } }],
          responses: {
            200: {
              description: 'It',
              content: { 'application/json': { schema: { $ref: `#/components/schemas/T${at % 20}` } } },
            },
          },
        },
      },
    ]),
  )
  const schema = (at: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `p${i}`,
        { type: i % 2 ? 'string' : 'integer', description: `${at} ${n}` },
      ]),
    ),
    required: [`p${n % 20}`],
  })
  const schemas = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`T${at}`, schema(at)]))
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: `Soak ${n % 5}`, version: `1.${n}.0` },
    paths,
    components: { schemas },
  })
}

let next = 0
async function importOne(): Promise<void> {
  const n = next++
  const source = { kind: 'inline', name: 'api.json', content: describe(n) }
  const forced = { publish: 'public', force: true, force_reason: 'soak' }
  const { text } = await ask('POST', '/v1/tenants/local/imports', { source, project_slug: `soak-${n % 5}`, ...forced })
  const { job_id } = JSON.parse(text) as { job_id?: string }
  // On a busy machine an import may take longer than one answer waits.
  let ended: { readonly finished_at: string | null; readonly status: string }
  do ended = JSON.parse((await ask('GET', `/v1/imports/${job_id}?wait=30`)).text) as typeof ended
  while (ended.finished_at === null)
  if (ended.status.startsWith('completed')) return
  counts.wrong++
  console.log(`the import of version ${n} ended: ${JSON.stringify(ended)}`)
}

const some = (n: number): number => Math.max(0, next - 1 - Math.floor(Math.random() * n))
const versionAt = (n: number): string => `soak-${n % 5}/1.${n}.0`
const steps: readonly (() => Promise<unknown>)[] = [
  importOne,
  () => ask('GET', `/v1/schema/local/${versionAt(some(50))}`),
  () => ask('GET', `/v1/json/local/${versionAt(some(200))}/T3`),
  () =>
    ask('POST', '/v1/lint/local/preflight', {
      source: { kind: 'inline', name: 'a.json', content: describe(some(1000)) },
    }),
  () => {
    const n = some(50)
    const base = { project: `soak-${n % 5}`, version: `1.${n}.0` }
    return ask('POST', '/v1/diff/local/classified', { base, head: { inline: describe(next + 1), name: 'head' } })
  },
  () => ask('GET', '/v1/tenants/local/projects'),
  () => ask('GET', `/v1/lint/local/catalog/${versionAt(some(50))}`),
  () => ask('GET', '/healthz'),
]

async function work(): Promise<void> {
  while (Date.now() < end) {
    await steps[Math.floor(Math.random() * steps.length)]!()
    await Bun.sleep(Number(values.rest))
  }
}

/** Megabytes that the kernel counts of a process: `VmRSS`, or its part in mapped files, `RssFile`; 0 where it has ended. */
const memoryMb = (pid: number, part: 'VmRSS' | 'RssFile'): number => {
  try {
    return Number(new RegExp(`${part}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
const residentMb = (pid: number): number => memoryMb(pid, 'VmRSS')
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((it) => /^\d+$/.test(it))
    .filter((entry) => {
      try {
        return (
          readFileSync(`/proc/${entry}/stat`, 'utf8')
            .replace(/^.*\) /, '')
            .split(' ')[1] === String(pid)
        )
      } catch {
        return false
      }
    })
    .map(Number)

interface Sample {
  readonly minute: number
  readonly server: number
  readonly analyses: number
}
const samples: Sample[] = []

async function sample(): Promise<void> {
  const analyses = childrenOf(server.pid).map(residentMb)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const caches = [...metrics.matchAll(/^svc_cache_size\{cache="(\w+)"\} (\S+)/gm)]
    .filter(([, , size]) => Number(size) > 0)
    .map(([, name, size]) => `${name} ${Math.round(Number(size) / 1000)}k`)
  const one = {
    minute: Math.round((Date.now() - end) / 6000) / 10 + Number(values.minutes),
    server: residentMb(server.pid),
    analyses: analyses.reduce((sum, it) => sum + it, 0),
  }
  samples.push(one)
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? 0) / 2 ** 20
  const [heap, external, files] = [
    metric('svc_heap_size_bytes'),
    metric('svc_external_memory_bytes'),
    memoryMb(server.pid, 'RssFile'),
  ]
  const parts = { heap, external, files, other: one.server - heap - external - files }
  const consists = Object.entries(parts).map(([name, mb]) => `${name} ${mb.toFixed(0)}`)
  console.log(
    `${one.minute.toFixed(1).padStart(6)} min  server ${one.server.toFixed(0)} MB (${consists.join(', ')}), processor ${(metric('process_cpu_seconds_total') * 2 ** 20).toFixed(0)} s, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}  ${analyses.length} analyses ${one.analyses.toFixed(0)} MB  ${counts.requests} requests, ${next} versions, ${counts.wrong} wrong  ${caches.join(', ')}`,
  )
}

const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0

try {
  await signIn()
  await importOne()
  const workers = [work(), work(), work()]
  for (let at = 0; Date.now() < end; at++) {
    await Bun.sleep(Number(values.every) * 1000)
    if (at % 8 === 0) await signIn()
    await sample()
  }
  await Promise.all(workers)
  const third = Math.floor(samples.length / 3)
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map((part) => ({
    server: median(part.map((it) => it.server)),
    analyses: median(part.map((it) => it.analyses)),
  }))
  console.log(`second third: server ${middle!.server.toFixed(0)} MB, analyses ${middle!.analyses.toFixed(0)} MB`)
  console.log(`last third:   server ${last!.server.toFixed(0)} MB, analyses ${last!.analyses.toFixed(0)} MB`)
  const grows = (before: number, after: number): boolean => after > before * 1.1 && after - before > 30
  const failed = grows(middle!.server, last!.server) || grows(middle!.analyses, last!.analyses) || counts.wrong > 0
  console.log(failed ? 'It grows, or answered wrongly.' : 'Flat.')
  process.exitCode = failed ? 1 : 0
} finally {
  server.kill('SIGTERM')
  await server.exited
  rmSync(folder, { recursive: true, force: true })
}
