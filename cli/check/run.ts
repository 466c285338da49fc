/** All gates of all APIs: those whose results are kept at once, the others in processes of their own where there is much to do. */
import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { SvcError } from '../../src/errors.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import { openCache, type ResultCache } from '../cache/cache.ts'
import { GitObjects } from '../input/git/objects.ts'
import type { LintInvocation } from '../lint/files.ts'
import { lintOptions } from '../lint/options.ts'
import { defaultsOf } from '../options.ts'
import { findProjectFile, type ProjectFile } from '../project-file/find.ts'
import { namedApi } from '../project-file/compare.ts'
import { planLint } from '../lint/plan.ts'
import { checkApi, type ApiResult, type CheckAround } from './gates.ts'
import type { CheckInvocation } from './options.ts'
import { touchedApis } from './touched.ts'

/** What a run checks. */
export interface Check extends CheckAround {
  readonly apis: readonly ProjectApi[]
}

/** `svc lint` of the documents of APIs, by the options of `svc check`. */
function lintInvocation(apis: readonly ProjectApi[], invocation: CheckInvocation): LintInvocation {
  const { options, given } = invocation
  const { profile, cache } = options
  return {
    ...invocation,
    args: { files: apis.map((it) => it.root) },
    given: new Set([...given].filter((it) => it === 'fail-on' || it === 'min-grade')),
    options: {
      ...defaultsOf(lintOptions),
      profile,
      cache,
      'allow-functions': options['allow-functions'],
      'allow-skipped': options['allow-skipped'],
      ...(options['fail-on'] === undefined ? {} : { 'fail-on': options['fail-on'] }),
      ...(options['min-grade'] === undefined ? {} : { 'min-grade': options['min-grade'] }),
    },
  }
}

/**
 * Reads `svc.yaml` and finds what is to be checked.
 * @throws SvcError `project-file-missing`, `project-file-invalid`; `usage` for an unknown API
 */
export async function openCheck(invocation: CheckInvocation, cache: ResultCache | null): Promise<Check> {
  const { args, options, cwd } = invocation
  const file: ProjectFile | null = await findProjectFile(cwd, options.profile ?? null)
  if (file === null) throw new SvcError('project-file-missing', { folder: cwd })
  const apis = args.apis.length === 0 ? file.apis : [...new Set(args.apis.map((it) => namedApi(file, it, cwd)))]
  const lint = lintInvocation(apis, invocation)
  return { file, plan: await planLint(lint), lint, invocation, cache, objects: new GitObjects(invocation), apis }
}

const keptAtOnce = 8

/** A result is not kept: the API is checked with the others of its kind. */
class NotKept extends Error {}

/** A cache that has what it needs, or says so. */
const keptIn = (cache: ResultCache): ResultCache => ({
  key: (...parts) => cache.key(...parts),
  async get(key) {
    const found = await cache.get(key)
    if (found === null) throw new NotKept()
    return found
  },
  put() {},
})

const isSmall = async (apis: readonly ProjectApi[]): Promise<boolean> => {
  const sizes = await Promise.all(apis.map(async ({ root }) => (await stat(root).catch(() => null))?.size ?? 0))
  return Math.max(...sizes) < 256_000 && sizes.reduce((sum, it) => sum + it, 0) < 1_000_000
}

/** The results that are kept, of APIs that did not change. */
async function findKept(check: Check, cache: ResultCache): Promise<Map<ProjectApi, ApiResult>> {
  const results = new Map<ProjectApi, ApiResult>()
  const kept = { ...check, cache: keptIn(cache) }
  const waiting = [...check.apis]
  const look = async (): Promise<void> => {
    for (let api = waiting.shift(); api !== undefined; api = waiting.shift()) {
      const result = await checkApi(api, kept).catch((thrown: unknown) => {
        if (thrown instanceof NotKept) return null
        throw thrown
      })
      if (result !== null) results.set(api, result)
    }
  }
  // Looking waits for files and for git, not for this process.
  await Promise.all(Array.from({ length: keptAtOnce }, look))
  return results
}

async function evaluate(check: Check): Promise<readonly ApiResult[]> {
  const { apis, cache, invocation } = check
  const results = cache !== null && apis.length > 1 ? await findKept(check, cache) : new Map<ProjectApi, ApiResult>()
  const left = apis.filter((it) => !results.has(it))
  const processes = Math.min(availableParallelism(), left.length)
  if (processes < 2 || (await isSmall(left))) for (const api of left) results.set(api, await checkApi(api, check))
  else {
    const { checkApart } = await import('./apart.ts')
    for (const result of await checkApart(left, processes, invocation)) {
      const api = left.find((it) => it.name === result.api)
      if (api !== undefined) results.set(api, result)
    }
  }
  return apis.flatMap((it) => results.get(it) ?? [])
}

/** Opens what a run needs, and closes it after the run. */
async function withCheck<T>(invocation: CheckInvocation, run: (check: Check) => Promise<T>): Promise<T> {
  const cache = await openCache(invocation)
  const opened = await openCheck(invocation, cache)
  const { since } = invocation.options
  const check = since === undefined ? opened : { ...opened, apis: await touchedApis(opened.apis, opened, since) }
  try {
    const done = await run(check)
    await cache?.close()
    return done
  } finally {
    check.objects.close()
  }
}

/**
 * Evaluates the gates of all APIs, in the order of `svc.yaml`.
 * @throws SvcError as `openCheck` and `checkApi` do
 */
export const checkAll = (
  invocation: CheckInvocation,
): Promise<{ readonly check: Check; readonly results: readonly ApiResult[] }> =>
  withCheck(invocation, async (check) => ({ check, results: await evaluate(check) }))

/** Checks the APIs of a process that another one started, and prints each result at once. */
export const checkForParent = (invocation: CheckInvocation): Promise<void> =>
  withCheck(invocation, async (check) => {
    for (const api of check.apis) await invocation.io.stdout(`${JSON.stringify(await checkApi(api, check))}\n`)
  })
