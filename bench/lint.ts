/** Lint by the executable in a cold process and warm in this one, against the linters of others. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import { lint } from '../src/lint/lint.ts'
import { recommended } from '../src/lint/rulesets/recommended.ts'
import { largeYaml, packedDocument } from './large-document.ts'
import { binary, cacheFolder, type Measured, measureCommand, median, type Measurement } from './measure.ts'
import { goTool, npmTool, within } from './tools.ts'

const runs = 5
const limitMs = 180_000
// Found something, or nothing; of ours also a grade missed.
const own = [0, 4]
const theirs = [0, 1]

interface Document {
  readonly name: string
  readonly path: string
  readonly goals: { readonly ms: number; readonly mb: number }
}

async function documents(): Promise<readonly Document[]> {
  const folder = join(cacheFolder, 'lint')
  mkdirSync(folder, { recursive: true })
  const small = join(folder, 'small.yaml')
  writeFileSync(small, 'openapi: 3.0.0\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n')
  return [
    { name: 'three lines', path: small, goals: { ms: 50, mb: 100 } },
    {
      name: process.env.SVC_BENCH_YAML ? 'YAML' : 'YAML of 4.2 MB',
      path: await largeYaml(),
      goals: { ms: 450, mb: 170 },
    },
    { name: 'JSON of 13 MB', path: packedDocument('23.0.2'), goals: { ms: 900, mb: 300 } },
  ]
}

interface Linter {
  readonly name: string
  readonly command: (path: string) => readonly string[]
  /** How many times as long as ours it takes at least. */
  readonly factor: number
}

function linters(): readonly Linter[] {
  const found: Linter[] = []
  const redocly = npmTool('@redocly/cli', '2.77.0', 'redocly')
  if (redocly !== null)
    found.push({
      name: '@redocly/cli',
      command: (path) => within(12, [redocly, 'lint', path, '--extends', 'recommended', '--max-problems', '100000']),
      factor: 3,
    })
  const spectral = npmTool('@stoplight/spectral-cli', '6.16.3', 'spectral')
  if (spectral !== null) {
    const ruleset = join(cacheFolder, 'lint', 'spectral.yaml')
    writeFileSync(ruleset, 'extends: spectral:oas\n')
    found.push({
      name: '@stoplight/spectral-cli',
      command: (path) => within(20, [spectral, 'lint', '--ruleset', ruleset, '--quiet', path]),
      factor: 12,
    })
  }
  const vacuum = goTool('github.com/daveshanley/vacuum', 'latest')
  if (vacuum !== null)
    found.push({ name: 'vacuum', command: (path) => within(12, [vacuum, 'lint', path, '--silent']), factor: 1 })
  return found
}

const row = (
  name: string,
  ours: number,
  reference: number,
  referenceName: string,
  unit: Measurement['unit'],
  goal: string,
): Measurement => ({
  name,
  ours,
  reference,
  referenceName,
  unit,
  goal,
})

function against({ name, path, goals }: Document, ours: Measured): Measurement[] {
  const rows = [
    row(`lint of ${name}`, ours.ms, goals.ms, 'the bound', 'ms', `≤ ${goals.ms} ms`),
    row('memory of it', ours.mb, goals.mb, 'the bound', 'MB', `≤ ${goals.mb} MB`),
  ]
  for (const other of linters()) {
    const reference = measureCommand(other.command(path), { runs, limitMs, ends: theirs })
    if (reference === null) continue
    const goal = `≤ ${(1 / other.factor).toFixed(2)}: ${other.factor} times as fast`
    rows.push(row(`lint of ${name}`, ours.ms, reference.ms, other.name, 'ms', goal))
    rows.push(row('memory of it', ours.mb, reference.mb, other.name, 'MB', 'less'))
  }
  return rows
}

/** A warm process, as a server is: reading the text, and linting what was read. */
async function warm({ name, path }: Document): Promise<Measurement[]> {
  const text = await Bun.file(path).text()
  const [parses, lints]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs * 2; run++) {
    const begun = performance.now()
    const document = parseDocument(text, { source: path })
    parses.push(performance.now() - begun)
    const parsed = performance.now()
    lint(document, recommended.ruleset)
    lints.push(performance.now() - parsed)
  }
  return [
    row(`warm lint of ${name}`, median(lints.slice(runs)), 150, 'the bound', 'ms', '≤ 150 ms'),
    row('reading it, with positions', median(parses.slice(runs)), 150, 'the same bound', 'ms', 'less'),
  ]
}

/** All recommended rules with positions: whole processes, then a warm one. */
export async function lints(): Promise<readonly Measurement[]> {
  const rows: Measurement[] = []
  for (const document of await documents()) {
    const ours = measureCommand([binary, 'lint', '--no-cache', document.path], { runs, limitMs, ends: own })
    if (ours === null) throw new Error(`svc lint failed on ${document.path}`)
    rows.push(...against(document, ours))
    if (document.name.startsWith('YAML')) rows.push(...(await warm(document)))
  }
  return rows
}
