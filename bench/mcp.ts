import { join } from 'node:path'
import { sizeOf } from '../mcp/budget.ts'
import { callTool } from '../mcp/call-tool.ts'
import { cursorSeal } from '../mcp/cursor-seal.ts'
import { listTools } from '../mcp/server.ts'
import { tools } from '../mcp/tools.gen.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { openDatabase } from '../db/open.ts'
import { contents, operations, projects, versions } from '../db/tables.gen.ts'
import { analyseText } from '../server/analysis/analyse-text.ts'
import type { Analysis } from '../server/analysis/analysis.ts'
import { createService, type Service } from '../server/app.ts'
import { indexVersion } from '../server/search-index/entries.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { importsApi } from '../src/api/imports.ts'
import { largeDocument } from './large-document.ts'
import { binary, freshFolder, median, type Measurement } from './measure.ts'

const seal = cursorSeal('a secret of the benchmark')
const budgetTokens = 8000

interface Answer {
  readonly items?: readonly { readonly ref: string }[]
  readonly referenced?: Readonly<Record<string, unknown>>
  readonly total: number
  readonly truncated: boolean
  readonly next_cursor: string | null
}

/** Calls a tool as a server does; a reply over its budget ends the benchmark. */
function userOf(service: Service) {
  const call = service.callWith(null)
  let largest = 0
  return {
    largest: () => largest,
    async use(name: string, args: object): Promise<Answer> {
      const reply = await callTool({ tools, name, args, call, seal, onFault: (fault) => console.error(fault) })
      if ('isError' in reply) throw new Error(`${name} ${JSON.stringify(args)}: ${reply.content[0]?.text}`)
      const tokens = sizeOf(reply) / 4
      if (tokens > budgetTokens) throw new Error(`${name} ${JSON.stringify(args)} takes ${tokens} tokens`)
      largest = Math.max(largest, tokens)
      return reply.structuredContent as Answer
    },
  }
}

async function timed(runs: number, work: (run: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    await work(run)
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** Milliseconds from the start of the process to the answer of `initialize`. */
async function timeReady(command: readonly string[], workspace: string): Promise<number> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } }
  const begun = performance.now()
  const child = Bun.spawn([...command], {
    env: { ...process.env, SVC_WORKSPACE: workspace },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  await child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await child.stdin.flush()
  const reader = child.stdout.getReader()
  await reader.read()
  const took = performance.now() - begun
  await child.stdin.end()
  await child.exited
  return took
}

const service = (db: Database): Service =>
  createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })

const projectCount = 100
const versionsEach = 10
const operationsEach = 100

/** 1,000 published versions with 100,000 operations, taken in turn from a real document. */
async function seed(db: Database, analysis: Analysis): Promise<void> {
  const { tenantId } = await ensureLocalTenant(db, Date.now())
  const at = new Date().toISOString()
  const digest = `sha256:${'0'.repeat(64)}`
  await db.inTransaction((tx) =>
    tx.insert(contents).values({ tenantId, digest, compressed: new Uint8Array(1), sizeBytes: 1, createdAt: at }),
  )
  for (let one = 0; one < projectCount; one++)
    await db.inTransaction(async (tx) => {
      const slug = `project-${one}`
      const projectId = newId()
      const names = { name: slug, description: null, createdBy: null, createdAt: at, updatedAt: at }
      await tx.insert(projects).values({ id: projectId, tenantId, slug, ...names })
      const all = analysis.operations
      const first = (one * operationsEach) % all.length
      const places = Array.from({ length: operationsEach }, (_, n) => (first + n) % all.length)
      const own = places.map((at) => all[at]!)
      const words = places.map((at) => analysis.words[at]!)
      for (let number = 0; number < versionsEach; number++) {
        const row = versionRow({ tenantId, projectId, digest, at, label: `${number}.0.0` })
        await tx.insert(versions).values(row)
        await tx.insert(operations).values(
          own.map((entry, ordinal) => ({
            ...entry,
            versionId: row.id,
            ordinal,
            tenantId,
            summary: entry.summary ?? '',
            tags: [...entry.tags],
          })),
        )
        await indexVersion(tx, row, { operations: own, words, classNames: [], findings: [] })
      }
    })
}

const versionRow = (entry: { tenantId: string; projectId: string; digest: string; at: string; label: string }) => ({
  id: newId(),
  tenantId: entry.tenantId,
  projectId: entry.projectId,
  label: entry.label,
  slug: entry.label.replaceAll('.', '-'),
  status: 'published' as const,
  visibility: 'public' as const,
  title: 'One of a thousand',
  description: null,
  format: { kind: 'openapi' as const, version: '3.0' as const },
  syntax: 'json' as const,
  digest: entry.digest,
  sizeBytes: 1,
  grade: null,
  scoreTenths: null,
  operationsCount: operationsEach,
  classesCount: 0,
  provenance: { source: '-', digest: entry.digest, importer: '-', imported_at: entry.at, commit: null, warnings: [] },
  createdBy: null,
  createdAt: entry.at,
  updatedAt: entry.at,
  publishedAt: entry.at,
  deprecatedAt: null,
  sunsetAt: null,
  retiredAt: null,
  replacement: null,
})

const questions = [
  'list pull requests',
  'create issue',
  'delete repository',
  'artifact download workflow run',
  'branch protection',
  'get user email',
  'code scanning alert',
  'team members',
  'star',
  'repository webhook delivery',
  'list',
  'organization secret public key',
]

async function searches(analysis: Analysis): Promise<Measurement[]> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('mcp-search'), 'svc.db') })
  await seed(db, analysis)
  const it = service(db)
  const { use } = userOf(it)
  for (const q of questions) await use('spec.search', { q })
  const perQuestion: Measurement[] = []
  const everything: number[] = []
  for (const q of questions) {
    const ours = await timed(15, () => use('spec.search', { q }))
    everything.push(ours)
    if (process.env.SVC_BENCH_DETAIL) console.log(`  ${q}: ${ours.toFixed(1)} ms`)
  }
  const list = await timed(15, () => use('spec.list', {}))
  await it.stop()
  await db.close()
  return [
    ...perQuestion,
    absolute('spec.search over 1,000 versions, 100,000 operations: median question', median(everything), 'ms', 20),
    absolute('the slowest of its questions', Math.max(...everything), 'ms', 20),
    absolute('spec.list over them', list, 'ms', 20),
  ]
}

const absolute = (name: string, ours: number, unit: Measurement['unit'], bound: number): Measurement => ({
  name,
  ours,
  reference: bound,
  referenceName: 'the bound',
  unit,
  goal: `≤ ${bound} ${unit}`,
})

/** Describes every operation of the large document in each detail; follows every cursor to its end. */
async function describes(text: string): Promise<Measurement[]> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('mcp-describe'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const it = service(db)
  const call = it.callAs(local.ownerId)
  const body = {
    source: { kind: 'inline' as const, name: '-', content: text },
    project_slug: 'large',
    publish: 'public' as const,
  }
  const job = await call(importsApi.create, { params: { tenant_slug: local.slug }, body })
  const ended = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
  if (ended.result === null) throw new Error(`the import ended ${ended.status}: ${ended.error?.message ?? ''}`)
  const { use, largest } = userOf(it)
  const spec = 'local/large'
  const refs = await following(use, { spec }, ({ items = [] }) => items.map(({ ref }) => ref))
  const first = await use('spec.describe', { spec })
  if (new Set(refs).size !== first.total) throw new Error(`${refs.length} of ${first.total} operations were reached`)
  const warm: number[] = []
  for (const operation of refs) {
    const begun = performance.now()
    await use('spec.describe', { spec, operation })
    warm.push(performance.now() - begun)
    for (const more of [{ detail: 'summary' }, { detail: 'full' }, { refs: 'inline' }])
      await use('spec.describe', { spec, operation, ...more })
  }
  // The operations that hang together with most of the document: everything they refer to is reached as well.
  for (const operation of refs.filter((_, index) => index % 40 === 0)) {
    const shown = await following(use, { spec, operation }, ({ referenced = {} }) => Object.keys(referenced))
    const { total } = await use('spec.describe', { spec, operation })
    if (new Set(shown).size + 1 !== total)
      throw new Error(`${operation}: ${shown.length} of ${total} parts were reached`)
  }
  const bytes = (text.length / 1e6).toFixed(1)
  await it.stop()
  await db.close()
  return [
    absolute(`spec.describe of one of ${refs.length} operations of ${bytes} MB, warm`, median(warm), 'ms', 10),
    absolute('the slowest of its operations', Math.max(...warm.slice(1)), 'ms', 10),
    absolute('largest answer about any operation, in any detail', largest(), 'tokens', budgetTokens),
  ]
}

/** What all pages of an answer hold, one after the other. */
async function following(
  use: (name: string, args: object) => Promise<Answer>,
  args: object,
  take: (answer: Answer) => readonly string[],
): Promise<string[]> {
  const taken: string[] = []
  let cursor: string | null = null
  do {
    const answer: Answer = await use('spec.describe', { ...args, ...(cursor !== null && { cursor }) })
    taken.push(...take(answer))
    if (answer.truncated !== (answer.next_cursor !== null)) throw new Error('truncated and next_cursor disagree')
    cursor = answer.next_cursor
  } while (cursor !== null)
  return taken
}

/** The text with another type in one of its schemas, a different one in each run. */
function edited(text: string, run: number): string {
  const before = '{"type":"string"'
  let at = text.indexOf('"schemas":{')
  for (let skipped = 0; skipped < 40 + 3 * run; skipped++) at = text.indexOf(before, at + 1)
  if (at < 0) throw new Error(`There is nothing to edit in run ${run}`)
  // As a host sends it: one piece.
  return Buffer.from(`${text.slice(0, at)}{"type":"integer"${text.slice(at + before.length)}`).toString()
}

/** The first paths of a document with what they refer to, and nothing that refers elsewhere, as JSON of at least so many characters. */
function firstPaths(text: string, least: number): string {
  const whole = JSON.parse(text) as {
    paths: Record<string, unknown>
    components: Record<string, Record<string, unknown>>
  }
  const names = Object.keys(whole.paths)
  const written = (count: number): string => {
    const paths = Object.fromEntries(names.slice(0, count).map((name) => [name, whole.paths[name]]))
    const components: Record<string, Record<string, unknown>> = {}
    const open: unknown[] = [paths]
    while (open.length > 0)
      for (const [, kind = '', name = ''] of JSON.stringify(open.pop()).matchAll(
        /#\/components\/([^/"]+)\/([^/"]+)/g,
      )) {
        const group = (components[kind] ??= {})
        if (Object.hasOwn(group, name)) continue
        group[name] = whole.components[kind]?.[name]
        open.push(group[name])
      }
    return JSON.stringify({ ...whole, 'x-webhooks': undefined, paths, components })
  }
  let [low, high] = [1, names.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (written(middle).length < least) low = middle
    else high = middle
  }
  return written(high)
}

/** Lints and compares texts: the first time, when the processes are up, and the same again, which is kept. */
async function checks(text: string): Promise<Measurement[]> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('mcp-checks'), 'svc.db') })
  const it = service(db)
  const { use } = userOf(it)
  const large = firstPaths(text, 4_000_000)
  const lint = (document: string) => use('lint.check', { document: { text: document } })
  const first = await timed(1, () => lint(large))
  const again = await timed(5, () => lint(large))
  const changed = await timed(5, (run) => lint(edited(large, run)))
  const base = firstPaths(text, 600_000)
  const compare = (run: number) => use('diff.compare', { base: { text: base }, head: { text: edited(base, run) } })
  for (let run = 100; run < 110; run++) await compare(run)
  const compared = await timed(9, compare)
  await it.stop()
  await db.close()
  const sizeOfLarge = `${(large.length / 1e6).toFixed(1)} MB`
  return [
    absolute(`lint.check of ${sizeOfLarge}, the first`, first, 'ms', 1500),
    absolute('the same text again', again, 'ms', 300),
    absolute('the text edited', changed, 'ms', 300),
    absolute(`diff.compare of ${Math.round(base.length / 1000)} kB with an edited text, warm`, compared, 'ms', 150),
  ]
}

/** What agents wait for, and what they pay. */
export async function mcp(): Promise<readonly Measurement[]> {
  const workspace = join(freshFolder('mcp'), 'workspace')
  const ready = await timed(25, () => timeReady([binary, 'mcp'], workspace))
  const design = await timed(25, () => timeReady([binary, 'mcp', '--design'], workspace))
  const text = await largeDocument('ghec.json')
  const analysis = analyseText(text, { source: '-', format: 'auto', projectNameField: null })
  return [
    absolute('svc mcp: from its start to the answer of initialize', ready, 'ms', 60),
    absolute('definitions of all read-only tools', sizeOf(listTools('dots')) / 4, 'tokens', 3700),
    absolute('svc mcp --design: the same', design, 'ms', 60),
    ...(await checks(text)),
    ...(await searches(analysis)),
    ...(await describes(text)),
  ]
}
