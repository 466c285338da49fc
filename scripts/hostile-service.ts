/**
 * Sends hostile documents to servers of the executable and measures whether they keep answering:
 * `bun scripts/hostile-service.ts [FOLDER]`. FOLDER has folders with two documents each; without one the shapes of the tests are sent.
 * Each document is sent to be compared, with a key that may only compare, checked as a candidate, imported with publication, and
 * used as rules of a style guide and as a contract test, four at once. One server on SQLite, then two on one Postgres. Exit code 1
 * where an answer of /healthz took more than 200 ms (99 of 100) or more than a second, a request got no answer, or a server did
 * not stop within five seconds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary, freshFolder, startServer } from '../bench/measure.ts'
import { signIn } from '../bench/queue.ts'
import { openDatabase, type DatabaseTarget } from '../db/open.ts'
import { tenants } from '../db/tables.gen.ts'
import { addApiKey } from '../test/fixtures/accounts.ts'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { shapes } from '../test/src/diff/hostile.ts'

const [folder] = process.argv.slice(2)
const generatedSize = 40
const atOnce = 4
const stopMs = 5000

interface Hostile {
  readonly name: string
  readonly base: string
  readonly head: string
}

function pairs(): Hostile[] {
  if (folder === undefined)
    return Object.entries(shapes).map(([name, make]) => {
      const [base, head] = make(generatedSize)
      return { name, base: JSON.stringify(base), head: JSON.stringify(head) }
    })
  return readdirSync(folder).map((name) => {
    const [base = '', head = ''] = readdirSync(join(folder, name)).toSorted()
    return {
      name,
      base: readFileSync(join(folder, name, base), 'utf8'),
      head: readFileSync(join(folder, name, head), 'utf8'),
    }
  })
}

// Asked by a process of its own, as an operator's probe does.
const poller = (url: string): string => `
const times = []
process.on('SIGTERM', () => { console.log(JSON.stringify(times)); process.exit(0) })
for (;;) {
  const begun = performance.now()
  await (await fetch(${JSON.stringify(`${url}/healthz`)})).text()
  times.push(performance.now() - begun)
  await Bun.sleep(10)
}`

interface Asked {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

const projectPath = '/v1/tenants/local/projects/hostile'

/** Everything that one pair is sent to. */
function requestsOf({ name, base, head }: Hostile, key: string, guide: string): Asked[] {
  const inline = { kind: 'inline', name: `${name}.json`, content: head }
  const published = { publish: 'public', force: true, force_reason: 'measured', project_slug: 'hostile' }
  const stored = { base: { project: 'hostile', version: `${name}-base` }, head: { inline: head, name: 'head.json' } }
  const rules = `/v1/style-guides/local/${guide}/custom-rules`
  const pact = {
    consumer: { name },
    provider: { name: 'p' },
    interactions: [
      { description: 'd', request: { method: 'post', path: '/x', body: {} }, response: { status: 200, body: {} } },
    ],
  }
  const pactText = JSON.stringify(pact).replace('"body":{}', () => `"body":${head}`)
  const stage = { kind: 'inline', name: `${name}.json`, content: base }
  return [
    {
      what: 'import of the base',
      method: 'POST',
      path: '/v1/tenants/local/imports',
      body: { source: stage, version: `${name}-base`, ...published },
    },
    { what: 'comparison', method: 'POST', path: '/v1/diff/local/classified', body: stored, key },
    {
      what: 'preflight',
      method: 'POST',
      path: '/v1/lint/local/preflight',
      body: { source: inline, target: 'project' },
    },
    {
      what: 'import',
      method: 'POST',
      path: '/v1/tenants/local/imports',
      body: { source: inline, version: name, ...published },
    },
    { what: 'rules', method: 'PUT', path: rules, body: { yaml: head } },
    {
      what: 'contract test',
      method: 'POST',
      path: `${projectPath}/consumer-pact-imports`,
      body: { pact: pactText, version: '1.0.0', consumer_slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') },
    },
  ]
}

async function onServers(
  engine: string,
  target: DatabaseTarget,
  env: Record<string, string>,
  count: number,
): Promise<boolean> {
  const command = [binary, 'serve', '--port', '0', '--log-level', 'silent']
  const servers = []
  for (let n = 0; n < count; n++) servers.push(await startServer(command, env))
  const urls = servers.map(({ url }) => url)
  const token = await signIn(env, urls[0] ?? '')
  const db = await openDatabase(target)
  const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
  const key = await addApiKey(db, tenant?.id ?? '', { scopes: ['diff:read'] })
  await db.close()
  const statuses = new Map<string, number>()
  const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1)
  const send = async (n: number, { method, path, body, key: own }: Asked): Promise<Response> =>
    fetch(`${urls[n % urls.length]}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(own ? { 'x-api-key': own } : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    })
  const json = async (asked: Asked) => (await (await send(0, asked)).json()) as Record<string, unknown>
  const first = {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1.0.0' },
    paths: { '/x': { post: { responses: { '200': { description: 'OK' } } } } },
  }
  const source = { kind: 'inline', name: 'first.json', content: JSON.stringify(first) }
  const start = {
    source,
    version: '1.0.0',
    project_slug: 'hostile',
    publish: 'public',
    force: true,
    force_reason: 'measured',
  }
  await json({ what: 'first', method: 'POST', path: '/v1/tenants/local/imports', body: start })
  await Bun.sleep(3000)
  const guide = String(
    (await json({ what: 'guide', method: 'POST', path: '/v1/style-guides/local', body: { name: 'Hostile' } }))['id'],
  )
  const polls = urls.map((url) =>
    Bun.spawn([process.execPath, '-e', poller(url)], { stdout: 'pipe', stderr: 'inherit' }),
  )
  const waiting = pairs().map((pair) => requestsOf(pair, key, guide))
  let sent = 0
  let lost = 0
  /** Sends a request; of an import it waits for the end, at whichever server. */
  const run = async (asked: Asked): Promise<void> => {
    const answer = await send(sent++, asked)
    const value = (await answer.json()) as { job_id?: string; status?: string; finished_at?: string | null }
    note(`${asked.what} ${answer.status}`)
    if (answer.status >= 500 && answer.status !== 503) lost += 1
    if (answer.status !== 202) return
    let job = value
    while (typeof job.finished_at !== 'string')
      job = await json({ what: 'job', method: 'GET', path: `/v1/imports/${value.job_id}?wait=20` })
    note(`${asked.what} ${job.status}`)
  }
  const lane = async () => {
    for (let pair = waiting.shift(); pair !== undefined; pair = waiting.shift())
      for (const asked of pair)
        try {
          await run(asked)
        } catch (error) {
          lost += 1
          note(`${asked.what} without an answer (${error instanceof Error ? error.name : ''})`)
        }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  let ok = lost === 0
  for (const [n, poll] of polls.entries()) {
    poll.kill('SIGTERM')
    const times = (JSON.parse(await new Response(poll.stdout).text()) as number[]).toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? Number.NaN)
    const isFast = at(0.99) <= 200 && at(1) <= 1000
    ok &&= isFast
    console.log(
      `${engine}, server ${n + 1}: /healthz ${times.length} answers, median ${at(0.5)} ms, 99 of 100 ${at(0.99)} ms, slowest ${at(1)} ms${isFast ? '' : ', too slow'}`,
    )
  }
  const begun = performance.now()
  await Promise.all(servers.map((server) => server.stop()))
  const stopped = Math.round(performance.now() - begun)
  ok &&= stopped <= stopMs
  console.log(`${engine}: ${sent} requests, ${lost} without a proper answer; stopped in ${stopped} ms`)
  for (const [what, n] of [...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`  ${what}: ${n}`)
  return ok
}

const postgres = await startPostgres()
let ok = true
try {
  const workspace = freshFolder('hostile')
  const sqlite = { SVC_WORKSPACE: workspace, SVC_MCP_HTTP_PORT: '0' }
  ok = await onServers('SQLite', { kind: 'sqlite', path: join(workspace, 'svc.db') }, sqlite, 1)
  const url = `${postgres.url}/postgres`
  const shared = { SVC_WORKSPACE: freshFolder('hostile'), SVC_DATABASE_URL: url, SVC_MCP_HTTP_PORT: '0' }
  ok = (await onServers('Postgres', { kind: 'postgres', url }, shared, 2)) && ok
} finally {
  await postgres.stop()
}
process.exit(ok ? 0 : 1)
