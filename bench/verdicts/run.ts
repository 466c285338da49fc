/**
 * Asks tools about every case: `bun run.ts [--tools NAME,NAME] [--tracks NAME,NAME] [--cases FOLDER] [--out FILE] [--limit SECONDS]`. Prints the
 * table and writes the results, beside those of tools that were asked before. Every answer is a process of its own, one after the other.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCases, type Json, type StoredCase } from './case.ts'
import { publishedSeed } from './generator/cases.ts'
import { print } from './generator/print.ts'
import { runners } from './runners/index.ts'
import type { Runner } from './runners/runner.ts'
import { tableOf, toolScore, type Answer, type ToolScore } from './score.ts'

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: 'svc' },
    tracks: { type: 'string' },
    cases: { type: 'string', default: join(import.meta.dir, 'cases') },
    out: { type: 'string', default: join(import.meta.dir, 'results.json') },
    limit: { type: 'string', default: '30' },
  },
})

const names = values.tools.split(',').filter((name) => name !== '')
const unknown = names.filter((name) => !runners.some((runner) => runner.name === name))
if (unknown.length > 0) {
  console.error(`There is no runner ${unknown.join(', ')}; there are ${runners.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const limitMs = Number(values.limit) * 1000
if (!(limitMs > 0)) {
  console.error(`--limit takes a number of seconds, not "${values.limit}".`)
  process.exit(2)
}
const tracks = values.tracks?.split(',')

/**
 * Writes the cases of the track size, which are too large to be kept. Another process makes them: the system counts what a process takes
 * from its fork on, so the largest memory of a tool is never less than what this process has.
 */
function largeCases(): StoredCase[] {
  const folder = join(import.meta.dir, '.size')
  rmSync(folder, { recursive: true, force: true })
  const { success } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, 'generate.ts'), '--size', '--out', folder],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (!success) throw new Error('The cases of the track size could not be made.')
  return readCases(folder)
}

const isChosen = (track: string): boolean => tracks?.includes(track) ?? true
const cases = [
  ...readCases(values.cases).filter(({ track }) => isChosen(track)),
  ...(isChosen('size') ? largeCases() : []),
]
if (cases.length === 0) {
  console.error(`${values.cases} has no case of the tracks: bun generate.ts writes them.`)
  process.exit(2)
}

/** A score with what was true of the machine when it was made; `leastMb` is the least memory that any tool can show. */
type RecordedScore = ToolScore & {
  readonly run: { readonly date: string; readonly load: number; readonly leastMb: number }
}

function ask(runner: Runner, made: StoredCase): Answer {
  const begun = performance.now()
  const result = Bun.spawnSync([...runner.command(made.base, made.head, made)], {
    stdin: 'ignore',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ms = performance.now() - begun
  const { maxRSS, cpuTime } = result.resourceUsage
  const outcome = {
    exitCode: result.exitCode ?? -1,
    stdout: result.stdout.toString(),
    stderr: result.stderr.toString(),
  }
  const isOut = result.exitedDueToTimeout === true
  return {
    said: isOut ? 'out of time' : runner.said(outcome, made),
    ms,
    cpuMs: Number(cpuTime.total) / 1000,
    mb: maxRSS / 1024 / 1024,
  }
}

const scores: RecordedScore[] = []
const missing: string[] = []
for (const runner of runners.filter(({ name }) => names.includes(name))) {
  const version = runner.version()
  if (version === null) {
    missing.push(`${runner.name} is not installed: ${runner.install}`)
    continue
  }
  const asked = cases.filter((made) => runner.reads(made))
  console.error(`${runner.name} ${version}: ${asked.length} cases`)
  const answered = asked.map((made) => [made, ask(runner, made)] as const)
  const run = {
    date: new Date().toISOString().slice(0, 10),
    load: Math.round(loadavg()[0] ?? 0),
    leastMb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  }
  if (answered.length > 0) scores.push({ ...toolScore(runner.name, version, answered), run })
}

for (const line of missing) console.error(line)
if (scores.length === 0) process.exit(1)
console.log(tableOf(scores))
for (const { tool, lost, policy } of scores) {
  console.log(
    `\n${tool}: ${
      Object.entries(policy)
        .map(([said, count]) => `${count} × ${said}`)
        .join(', ') || 'none'
    } for questions of policy`,
  )
  for (const [mark, ids] of Object.entries(lost)) if (ids.length > 0) console.log(`  ${mark}: ${ids.join(', ')}`)
}

/** Results of tools that were not asked now: the cases have to be those of the same seed. */
function earlierScores(): RecordedScore[] {
  if (!existsSync(values.out)) return []
  const { seed, tools } = JSON.parse(readFileSync(values.out, 'utf8')) as { seed: string; tools: RecordedScore[] }
  return seed === publishedSeed ? tools.filter(({ tool }) => !names.includes(tool)) : []
}

const tools = [...earlierScores(), ...scores].toSorted((one, two) => (one.tool < two.tool ? -1 : 1))
const results = { seed: publishedSeed, cores: cpus().length, limitSeconds: limitMs / 1000, missing, tools }
writeFileSync(values.out, print(results as unknown as Json))
