/**
 * Changes one decision at a time and checks that a test fails: `npm run mutate`. Works on copies of the checkout.
 * `-- --stale` takes the targets whose source or tests changed since their result was recorded, `--only=PART` those whose
 * path has PART, `--sample=N` at most N mutations of each, spread evenly (then nothing is recorded).
 * Records each target in test/mutation/result.json when it is done, so that a run can be interrupted and continued.
 * Fails where a mutation survived that test/mutation/explained.json does not explain.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { type Mutation, mutationsOf } from './mutate/mutations.ts'
import {
  digestsOf,
  explanationKey,
  readExplained,
  readResults,
  type Results,
  type Survivor,
  type TargetResult,
  unexplained,
  writeResults,
} from './mutate/result.ts'
import { type Target, targets } from './mutate/targets.ts'
import { type Engine, openWorkshop, type Workshop } from './mutate/workshop.ts'

const argument = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = argument('only')
const sample = Number(argument('sample') ?? 'Infinity')
const isStaleOnly = process.argv.includes('--stale')
const workers = Number(argument('workers') ?? 2)

/** A test file on one engine, and the time after which it counts as endless. */
interface Step {
  readonly test: string
  readonly engine: Engine
  readonly timeoutMs: number
}

let server: ReturnType<typeof startPostgres> | undefined
const postgres = async (): Promise<Engine> => ({ name: 'postgres', url: (await (server ??= startPostgres())).url })

const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T)

async function chosenTargets(results: Results): Promise<Target[]> {
  const chosen: Target[] = []
  for (const target of targets) {
    if (only !== undefined && !target.file.includes(only)) continue
    const { source, tests } = await digestsOf(target)
    const known = results[target.file]
    if (isStaleOnly && known?.source === source && known.tests === tests) continue
    chosen.push(target)
  }
  return chosen
}

/** The tests of a target fail without a mutation; the other targets are still tried. */
class TestsFail extends Error {}

/** Runs the tests without a mutation: those that fail would count as noticing every one. */
async function stepsOf(target: Target, workshop: Workshop): Promise<Step[]> {
  const sqlite: Engine = { name: 'sqlite' }
  const planned = [
    ...target.tests.map((test) => ({ test, engine: sqlite })),
    ...(await Promise.all((target.postgres ?? []).map(async (test) => ({ test, engine: await postgres() })))),
  ]
  const steps: Step[] = []
  for (const { test, engine } of planned) {
    const { passed, tookMs, output } = await workshop.run(test, engine, 180_000)
    if (!passed) throw new TestsFail(`${test} fails without a mutation:\n${output}`)
    steps.push({ test, engine, timeoutMs: Math.round(5000 + 10 * tookMs) })
  }
  return steps
}

async function isNoticed(workshop: Workshop, steps: readonly Step[]): Promise<boolean> {
  for (const { test, engine, timeoutMs } of steps)
    if (!(await workshop.run(test, engine, timeoutMs)).passed) return true
  return false
}

/** Tries all mutations of a target, in both workshops; gives the survivors in the order of their places. */
async function tryTarget(target: Target, workshops: readonly Workshop[]) {
  const mutations = spread(mutationsOf(await readFile(join(workshops[0]!.folder, target.file), 'utf8')), sample)
  const steps = await stepsOf(target, workshops[0]!)
  const survived = new Set<Mutation>()
  const left = [...mutations]
  const work = async (workshop: Workshop): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      if (!(await workshop.with(target.file, one, () => isNoticed(workshop, steps)))) survived.add(one)
  }
  await Promise.all(workshops.map(work))
  const survivors = mutations.filter((it) => survived.has(it))
  return { mutations: mutations.length, survivors }
}

/** Writes a result beside those that are there now, which another run may have written meanwhile; drops those of files that were targets once. */
async function keep(file: string, result: TargetResult): Promise<void> {
  const files = new Set(targets.map((it) => it.file))
  const others = Object.entries(await readResults()).filter(([other]) => files.has(other))
  await writeResults({ ...Object.fromEntries(others), [file]: result })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const explained = await readExplained()
const chosen = await chosenTargets(await readResults())
if (chosen.length === 0) {
  console.log(isStaleOnly ? 'No target changed.' : 'No target has this in its path.')
  process.exit(isStaleOnly ? 0 : 2)
}
const workshops = await Promise.all(Array.from({ length: workers }, openWorkshop))
let open = 0
let total = 0
try {
  for (const target of chosen) {
    const started = performance.now()
    const digests = await digestsOf(target, workshops[0]!.folder)
    const tried = await tryTarget(target, workshops).catch((error: unknown) => {
      if (error instanceof TestsFail) return error
      throw error
    })
    if (tried instanceof TestsFail) {
      console.error(`${target.file}: ${tried.message}`)
      open += 1
      continue
    }
    const { mutations, survivors } = tried
    total += mutations
    const result = {
      ...digests,
      mutations,
      survivors: survivors.map(({ before, change }): Survivor => ({ before, change })),
    }
    const missing = unexplained(target.file, result, explained)
    open += missing.length
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${target.file}: ${mutations - survivors.length} of ${mutations} noticed, in ${seconds} s`)
    for (const it of survivors) {
      const why = explained[explanationKey(target.file, it)]
      console.log(`  line ${it.line}: ${it.before} [${it.change}]${why === undefined ? '' : `\n    ${why}`}`)
    }
    if (sample === Infinity) await keep(target.file, result)
  }
} finally {
  await server?.then((it) => it.stop())
}
console.log(`${total} mutations, ${open} survivors that nothing explains.`)
process.exit(open > 0 ? 1 : 0)
