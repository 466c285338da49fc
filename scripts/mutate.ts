/**
 * Changes one decision at a time and asks whether a test notices: `npm run mutate`. Works on copies of the checkout.
 * `-- --only=PART` takes the targets whose path has PART, `--sample=N` at most N mutations of each file, spread evenly.
 * Writes test/mutation/result.json, fails where a mutation survived that test/mutation/explained.json does not explain.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { type Mutation, mutationsOf } from './mutate/mutations.ts'
import { targets } from './mutate/targets.ts'

const root = join(import.meta.dir, '..')
const argument = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = argument('only')
const sample = Number(argument('sample') ?? 'Infinity')
const workers = 2
const timeoutMs = 180_000

interface Task {
  readonly file: string
  readonly tests: readonly string[]
  readonly mutation: Mutation
}
interface Survivor {
  readonly file: string
  readonly line: number
  readonly before: string
  readonly change: string
  readonly why: string | null
}
type Explained = Readonly<Record<string, string>>

const keyOf = (file: string, { before, change }: Mutation): string => `${file}: ${before} [${change}]`

const tracked = async (): Promise<string[]> => {
  const child = Bun.spawn(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: root, stdout: 'pipe' })
  return (await new Response(child.stdout).text()).split('\n').filter(Boolean)
}

const copyOf = async (files: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mutate-'))
  await Promise.all(files.map((file) => cp(join(root, file), join(folder, file), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs the tests in a copy; true where all of them pass. */
const passes = async (folder: string, tests: readonly string[], url: string): Promise<boolean> => {
  const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout=20000', ...tests], {
    cwd: folder,
    env: { ...process.env, TEST_DATABASE_URL: url, NODE_ENV: 'test' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const code = await child.exited
  clearTimeout(timer)
  return code === 0
}

const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T)

const chosen = targets.filter(({ file }) => only === undefined || file.includes(only))
const tasks: Task[] = []
for (const { file, tests } of chosen)
  for (const mutation of spread(mutationsOf(await readFile(join(root, file), 'utf8')), sample))
    tasks.push({ file, tests, mutation })
if (tasks.length === 0) {
  console.error('No target has this in its path.')
  process.exit(2)
}
const explained = JSON.parse(await readFile(join(root, 'test/mutation/explained.json'), 'utf8')) as Explained
const [files, postgres] = await Promise.all([tracked(), startPostgres()])
const survivors: Survivor[] = []
let done = 0

const work = async (): Promise<void> => {
  const folder = await copyOf(files)
  try {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { file, tests, mutation } = task
      const path = join(folder, file)
      const source = await readFile(path, 'utf8')
      await writeFile(path, source.slice(0, mutation.start) + mutation.replacement + source.slice(mutation.end))
      const survived = await passes(folder, tests, postgres.url)
      await writeFile(path, source)
      done += 1
      if (!survived) continue
      const { line, before, change } = mutation
      const why = explained[keyOf(file, mutation)] ?? null
      survivors.push({ file, line, before, change, why })
      console.log(`survived  ${keyOf(file, mutation)}${why === null ? '' : `\n          ${why}`}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// Tests that fail without any mutation would count as noticing every one.
const probe = await copyOf(files)
for (const tests of new Set(chosen.map((it) => it.tests))) {
  if (await passes(probe, tests, postgres.url)) continue
  console.error(`These tests fail without a mutation: ${tests.join(' ')}`)
  process.exit(1)
}
await rm(probe, { recursive: true, force: true })
await Promise.all(Array.from({ length: workers }, work))
await postgres.stop()
survivors.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
const unexplained = survivors.filter((it) => it.why === null)
const result = {
  mutations: done,
  killed: done - survivors.length,
  explained: survivors.length - unexplained.length,
  unexplained: unexplained.length,
  files: chosen.map((it) => it.file),
  survivors,
}
const out = join(root, 'test/mutation/result.json')
if (only === undefined) {
  await Bun.write(join(dirname(out), 'result.json'), `${JSON.stringify(result, null, 2)}\n`)
}
console.log(`${result.killed} of ${done} mutations were noticed, ${result.explained} survivors are explained.`)
process.exit(unexplained.length > 0 ? 1 : 0)
