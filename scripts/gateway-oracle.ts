/**
 * Compares what svc compiles for gateways with what the engine does: `bun run scripts/gateway-oracle.ts FOLDER [--json=FILE]`. For every
 * document of the folder and every operation, requests made from its schemas have to pass; requests that it does not describe have to be
 * refused, unless the place is listed as not enforced. Needs Go, which builds test/gateway/oracle. `--record` writes instead what the
 * engine does with the requests of test/gateway/golden, which the tests compare without the engine.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import { Side } from '../src/diff/side.ts'
import type { NotEnforced } from '../src/gateway/compile/model.ts'
import { positiveChecks, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { coraza } from '../src/gateway/dialects/coraza.ts'
import { compilePositive, type CompiledPositive } from '../src/gateway/positive/index.ts'
import { Requests, type Expected } from './gateway/requests.ts'
import { median } from './gateway/median.ts'

interface Verdict {
  readonly id: string
  readonly status: number
  readonly rules: readonly { readonly id: number; readonly tags: readonly string[] }[]
  readonly micros: number
}

interface Row {
  readonly document: string
  readonly operations: number
  readonly bodies: number
  readonly compileMs: number
  readonly loadMs: number
  readonly heapMiB: number
  readonly passed: number
  readonly refused: number
  readonly listed: number
  readonly wrong: readonly string[]
  readonly without: number
  /** The median time of a described request, in microseconds: positive rules alone, the Core Rule Set alone. */
  readonly micros: readonly [number, number]
}

const root = join(import.meta.dir, '..')
const oracleFolder = join(root, 'test/gateway/oracle')

const filesOf = (folder: string): string[] =>
  statSync(folder).isFile()
    ? [folder]
    : readdirSync(folder, { withFileTypes: true }).flatMap((it) => {
        const path = join(folder, it.name)
        return it.isDirectory() ? filesOf(path) : /\.(?:json|ya?ml)$/.test(it.name) ? [path] : []
      })

function build(go: string, into: string): string {
  const binary = join(into, 'oracle')
  const built = Bun.spawnSync([go, 'build', '-o', binary, '.'], {
    cwd: oracleFolder,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if (built.exitCode !== 0) throw new Error('test/gateway/oracle could not be built')
  return binary
}

function ask(
  binary: string,
  folder: string,
  requests: readonly Expected[],
  options: readonly string[],
): { load: { loadMillis: number; heapMiB: number }; verdicts: Verdict[] } {
  const input = requests.map((it) => JSON.stringify(it)).join('\n')
  const run = Bun.spawnSync([binary, '-folder', folder, ...options], { stdin: Buffer.from(input), maxBuffer: 1 << 30 })
  if (run.exitCode !== 0) throw new Error(`the engine does not take what was compiled: ${run.stderr.toString()}`)
  const [first = '{}', ...lines] = run.stdout.toString().trimEnd().split('\n')
  return {
    load: JSON.parse(first) as { loadMillis: number; heapMiB: number },
    verdicts: lines.map((it) => JSON.parse(it) as Verdict),
  }
}

const isListed = (
  { check, scope, operation }: NonNullable<Expected['refusedBy']>,
  losses: readonly NotEnforced[],
): boolean =>
  losses.some(
    (it) =>
      it.check === check &&
      (it.pointer === operation || scope.some((at) => it.pointer === at || it.pointer.startsWith(`${at}/`))),
  )

function judge(request: Expected, verdict: Verdict | undefined, losses: readonly NotEnforced[]): string {
  const status = verdict?.status ?? -1
  const by = verdict?.rules.flatMap((it) => it.tags.filter((tag) => tag.startsWith('svc/'))).join(', ') ?? ''
  if (request.refusedBy === null)
    return status === 0
      ? 'passed'
      : `refused with ${status} by ${by}: ${request.id}: ${request.method} ${request.uri} ${request.body.slice(0, 300)}`
  const { check } = request.refusedBy
  if (status !== 0)
    return by.includes(`svc/positive/${check}`)
      ? 'refused'
      : `refused with ${status} by ${by} and not by ${check}: ${request.id}`
  return isListed(request.refusedBy, losses)
    ? 'listed'
    : `let through: ${request.id}: ${request.method} ${request.uri.slice(0, 300)} ${request.body.slice(0, 300)}`
}

const block = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>

const compile = (document: unknown): CompiledPositive =>
  compilePositive({
    document,
    positive: { projectId: 'p', version: 'latest', mode: 'block', checks: block, stripPrefix: null },
    dialect: coraza,
    basePaths: [],
    firstId: 30_000,
    schemaFolder: 'schemas',
  })

function writeRelease(folder: string, { text, files }: CompiledPositive): void {
  rmSync(folder, { recursive: true, force: true })
  for (const file of [{ path: '40-positive.conf', text }, ...files]) {
    mkdirSync(dirname(join(folder, file.path)), { recursive: true })
    writeFileSync(join(folder, file.path), file.text)
  }
}

function check(path: string, name: string, binary: string, folder: string): Row | null {
  const text = readFileSync(path, 'utf8')
  const document = parseDocument(text, { source: path, syntax: path.endsWith('.json') ? 'json' : 'yaml' })
  const { format } = document
  if (format === null || (format.kind !== 'openapi' && format.kind !== 'swagger')) return null
  const start = performance.now()
  const compiled = compile(document.value)
  const compileMs = performance.now() - start
  if (compiled.operations === 0) return null
  writeRelease(folder, compiled)
  const requests = new Requests(new Side('head', document))
  requests.make()
  const { load, verdicts } = ask(binary, folder, requests.list, [])
  const answers = requests.list.map((it, i) => judge(it, verdicts[i], compiled.notEnforced))
  const described = requests.list.filter((it) => it.refusedBy === null)
  const step = Math.ceil(described.length / 60)
  const few = described.filter((_, i) => i % step === 0)
  const timed = (options: readonly string[]): number =>
    median(ask(binary, folder, few, ['-repeat', '30', ...options]).verdicts.map((it) => it.micros))
  const isWord = (it: string): boolean => ['passed', 'refused', 'listed'].includes(it)
  return {
    document: name,
    operations: compiled.operations,
    bodies: compiled.bodies,
    compileMs: Math.round(compileMs),
    loadMs: Math.round(load.loadMillis),
    heapMiB: Math.round(load.heapMiB * 10) / 10,
    passed: answers.filter((it) => it === 'passed').length,
    refused: answers.filter((it) => it === 'refused').length,
    listed: answers.filter((it) => it === 'listed').length,
    wrong: answers.filter((it) => !isWord(it)),
    without: requests.without.length,
    micros: [timed([]), timed(['-crs', '-positive=false'])],
  }
}

/** Writes the verdicts of the engine beside the requests that are kept for the tests. */
function record(binary: string, scratch: string): void {
  const golden = join(root, 'test/gateway/golden')
  const text = readFileSync(join(golden, 'document.json'), 'utf8')
  const release = join(scratch, 'release')
  const document = parseDocument(text, { source: 'document.json', syntax: 'json' })
  writeRelease(release, compile(document.value))
  const kept = JSON.parse(readFileSync(join(golden, 'requests.json'), 'utf8')) as Expected[]
  const requests = new Requests(new Side('head', document))
  requests.make()
  const all = [...kept, ...requests.list.filter((it) => it.body.length < 400 && it.uri.length < 200)]
  const { verdicts } = ask(binary, release, all, [])
  const lines = all.map(({ id, method, uri, headers, body }, i) => {
    const tags = verdicts[i]?.rules.flatMap((it) => it.tags) ?? []
    const checks = [...new Set(tags.filter((it) => it.startsWith('svc/positive/')).map((it) => it.slice(13)))]
    return JSON.stringify({ id, method, uri, headers, body, status: verdicts[i]?.status, checks })
  })
  writeFileSync(join(golden, 'verdicts.ndjson'), `${lines.join('\n')}\n`)
  process.stdout.write(`${lines.length} verdicts written\n`)
}

const [folder, ...options] = process.argv.slice(2)
if (folder === undefined) throw new Error('bun run scripts/gateway-oracle.ts FOLDER [--json=FILE] or --record')
const scratch = mkdtempSync(join(tmpdir(), 'svc-oracle-'))
const binary = build(Bun.which('go') ?? '/usr/local/go/bin/go', scratch)
const rows: Row[] = []
if (folder === '--record') record(binary, scratch)
for (const path of folder === '--record' ? [] : filesOf(folder)) {
  const name = path.slice(folder.length).replace(/^\//, '') || path
  const row = check(path, name, binary, join(scratch, 'release'))
  if (row === null) continue
  rows.push(row)
  const { operations, bodies, compileMs, loadMs, heapMiB, passed, refused, listed, wrong, without, micros } = row
  process.stdout.write(
    `${name}: ${operations} operations, ${bodies} bodies, compiled in ${compileMs} ms, loaded in ${loadMs} ms (${heapMiB} MiB); passed ${passed}, refused ${refused}, listed ${listed}, wrong ${wrong.length}, without a request ${without}; ${micros.map((it) => Math.round(it)).join(' against ')} µs\n`,
  )
  for (const it of wrong.slice(0, 10)) process.stdout.write(`  ${it}\n`)
}
const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)
if (folder !== '--record')
  process.stdout.write(
    `${rows.length} documents, ${sum((it) => it.operations)} operations: passed ${sum((it) => it.passed)}, refused ${sum((it) => it.refused)}, listed ${sum((it) => it.listed)}, wrong ${sum((it) => it.wrong.length)}\n`,
  )
const into = options.find((it) => it.startsWith('--json='))?.slice(7)
if (into !== undefined) writeFileSync(into, `${JSON.stringify(rows, null, 2)}\n`)
rmSync(scratch, { recursive: true, force: true })
process.exitCode = rows.some((it) => it.wrong.length > 0) ? 1 : 0
