/**
 * Changes one decision at a time and checks that a test fails: `npm run mutate`. Works on copies of the checkout.
 * `-- --stale` takes the targets whose source or tests changed since their result was recorded, `--only=PART` those whose
 * path has PART (several, with commas between), `--sample=N` at most N mutations of each, spread evenly (then nothing is recorded).
 * `--survivors` tries only what survived the last run of a source that did not change since: for a look at whether new tests kill it.
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
import { type Engine, openWorkshop, type Run, type RunLimits, type Workshop } from './mutate/workshop.ts'

const argument = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = argument('only')
const sample = Number(argument('sample') ?? 'Infinity')
const isStaleOnly = process.argv.includes('--stale')
const isSurvivorsOnly = process.argv.includes('--survivors')
const workers = Number(argument('workers') ?? 2)

/** A test file on one engine, and the time after which it counts as endless: a multiple of what it takes without a mutation. */
interface Step {
  readonly test: string
  readonly engine: Engine
  readonly limits: RunLimits
}

let server: ReturnType<typeof startPostgres> | undefined
const postgres = async (): Promise<Engine> => ({ name: 'postgres', url: (await (server ??= startPostgres())).url })

const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T)

async function chosenTargets(results: Results): Promise<Target[]> {
  const chosen: Target[] = []
  for (const target of targets) {
    if (only !== undefined && !only.split(',').some((part) => target.file.includes(part))) continue
    const { source, tests } = await digestsOf(target)
    const known = results[target.file]
    if (isStaleOnly && known?.source === source && known.tests === tests) continue
    if (isSurvivorsOnly && (known?.source !== source || known.survivors.length === 0)) continue
    chosen.push(target)
  }
  return chosen
}

/** The tests of a target fail without a mutation; the other targets are still tried. */
class TestsFail extends Error {}

/** How long a run may take that took so long without a mutation. */
const limitsOf = ({ tookMs, cpuMs }: Pick<Run, 'tookMs' | 'cpuMs'>): RunLimits => ({
  timeoutMs: Math.round(5000 + 10 * tookMs),
  cpuSeconds: Math.ceil(2 + cpuMs / 100),
})
/** Of a run without a mutation. */
const mostPatient: RunLimits = { timeoutMs: 600_000, cpuSeconds: 300 }

/** Runs the tests without a mutation: those that fail would count as noticing every one. */
async function stepsOf(target: Target, workshop: Workshop): Promise<Step[]> {
  const sqlite: Engine = { name: 'sqlite' }
  const planned = [
    ...target.tests.map((test) => ({ test, engine: sqlite })),
    ...(await Promise.all((target.postgres ?? []).map(async (test) => ({ test, engine: await postgres() })))),
  ]
  const steps: Step[] = []
  for (const { test, engine } of planned) {
    const usual = await workshop.run(test, engine, mostPatient)
    if (!usual.passed) throw new TestsFail(`${test} fails without a mutation:\n${usual.output}`)
    steps.push({ test, engine, limits: limitsOf(usual) })
  }
  return steps
}

/**
 * Whether a run of one test file notices a mutation: it fails, or it does not end where it ends without the mutation. The machine may be
 * busier than when the limit was measured: a run out of time is only believed if one without the mutation, right after it, is within a tenth.
 * Out of processor time is out of time on any machine.
 */
async function notices(step: Step, target: Target, mutation: Mutation, workshop: Workshop): Promise<boolean> {
  for (let { limits } = step; ;) {
    const { passed, timedOut } = await workshop.with(target.file, mutation, () =>
      workshop.run(step.test, step.engine, limits),
    )
    if (!timedOut) return !passed
    const usual = await workshop.run(step.test, step.engine, mostPatient)
    const { timeoutMs } = limitsOf(usual)
    if (usual.passed && timeoutMs <= limits.timeoutMs) return true
    limits = { ...limits, timeoutMs: Math.max(timeoutMs, 2 * limits.timeoutMs) }
  }
}

async function isNoticed(
  steps: readonly Step[],
  target: Target,
  mutation: Mutation,
  workshop: Workshop,
): Promise<boolean> {
  for (const step of steps) if (await notices(step, target, mutation, workshop)) return true
  return false
}

/** The mutations that this run tries of a target. */
function chosenOf(all: readonly Mutation[], known: TargetResult | undefined): readonly Mutation[] {
  if (!isSurvivorsOnly) return spread(all, sample)
  return all.filter((one) => known?.survivors.some((it) => it.before === one.before && it.change === one.change))
}

/** Tries mutations of a target, in all workshops; gives the survivors in the order of their places. */
async function tryTarget(target: Target, known: TargetResult | undefined, workshops: readonly Workshop[]) {
  const all = mutationsOf(await readFile(join(workshops[0]!.folder, target.file), 'utf8'))
  const mutations = chosenOf(all, known)
  const steps = await stepsOf(target, workshops[0]!)
  const survived = new Set<Mutation>()
  const left = [...mutations]
  const work = async (workshop: Workshop): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      if (!(await isNoticed(steps, target, one, workshop))) survived.add(one)
  }
  await Promise.all(workshops.map(work))
  return { mutations: mutations.length, survivors: mutations.filter((it) => survived.has(it)) }
}

/** Writes a result beside those that are there now, which another run may have written meanwhile; drops those of files that were targets once. */
async function keep(file: string, result: TargetResult): Promise<void> {
  const files = new Set(targets.map((it) => it.file))
  const others = Object.entries(await readResults()).filter(([other]) => files.has(other))
  await writeResults({ ...Object.fromEntries(others), [file]: result })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const explained = await readExplained()
const results = await readResults()
const chosen = await chosenTargets(results)
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
    const tried = await tryTarget(target, results[target.file], workshops).catch((error: unknown) => {
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
    const known = results[target.file]
    const result = {
      // That the tests changed stays visible: what they killed before was not tried again.
      ...(isSurvivorsOnly && known !== undefined ? known : { ...digests, mutations }),
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
