/** What the last runs of the mutations found: `test/mutation/result.json`, with what explains survivors beside it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mutation } from './mutations.ts'
import type { Target } from './targets.ts'

const root = join(import.meta.dir, '../..')
const resultPath = join(root, 'test/mutation/result.json')
const explainedPath = join(root, 'test/mutation/explained.json')

/** A mutation that no test noticed: the line as it was, and the change. */
export type Survivor = Pick<Mutation, 'before' | 'change'>

/** What the last run of one target found. */
export interface TargetResult {
  /** Digests of the source and of its tests as they were then. */
  readonly source: string
  readonly tests: string
  readonly mutations: number
  readonly survivors: readonly Survivor[]
}

/** Results by the path of the target. */
export type Results = Readonly<Record<string, TargetResult>>

/** Why mutations that survive change nothing that anybody could notice, by `explanationKey`. */
export type Explained = Readonly<Record<string, string>>

/** How an explanation names a survivor. */
export const explanationKey = (file: string, { before, change }: Survivor): string => `${file}: ${before} [${change}]`

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T

export const readResults = (): Promise<Results> => readJson(resultPath)
export const readExplained = (): Promise<Explained> => readJson(explainedPath)

/** Writes results in the order of their paths. */
export const writeResults = async (results: Results): Promise<void> => {
  const sorted = Object.fromEntries(Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await Bun.write(resultPath, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** The survivors that nothing explains. */
export const unexplained = (file: string, { survivors }: TargetResult, explained: Explained): Survivor[] =>
  survivors.filter((it) => explained[explanationKey(file, it)] === undefined)

async function filesOf(folder: string, path: string): Promise<string[]> {
  if (/\.tsx?$/.test(path)) return [path]
  const names = await readdir(join(folder, path), { recursive: true })
  return names
    .filter((it) => it.endsWith('.ts'))
    .toSorted()
    .map((it) => `${path}/${it}`)
}

async function digestOf(folder: string, paths: readonly string[]): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const files = await Promise.all(paths.map((path) => filesOf(folder, path)))
  for (const path of files.flat()) hash.update(await readFile(join(folder, path)))
  return hash.digest('hex').slice(0, 16)
}

/** Digests of a target as it is in a checkout: of its source and of the tests that are run for it. */
export const digestsOf = async (
  { file, tests, postgres = [] }: Target,
  folder = root,
): Promise<Pick<TargetResult, 'source' | 'tests'>> => ({
  source: await digestOf(folder, [file]),
  tests: await digestOf(folder, [...tests, ...postgres]),
})
