import { SvcError } from '../../src/errors.ts'
import type { JobOutcome } from '../../db/jobs.ts'
import type { Subject } from '../analysis/door.ts'
import { assertTheirs } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertPlannedProject } from '../license/door.ts'
import type { JobHandler, Persist } from '../jobs/door.ts'
import { isFinal } from '../egress/door.ts'
import type { FileImports } from './file-imports.ts'
import { runBulk } from './bulk.ts'
import { candidateOf, invalidity, refusal, underGuide } from './candidate.ts'
import { reachWith } from './git-account.ts'
import { importJob, type ImportPayload, type ImportWork, type JobResult, sourceName } from './payload.ts'
import {
  assessPublication,
  type ImportCandidate,
  unwrittenOutcome,
  endedWell,
  persist,
  prepareImport,
} from './persist.ts'
import { planImport } from './plan.ts'
import { recordEnd } from './record-end.ts'
import { findOne, type FoundSource, withOverlays } from './find.ts'
import { type Opened, openSource } from './open.ts'
import { type Reach, scopeOf, type SourceTexts, type Tree } from '../sources/door.ts'
import { readUpload, removeUpload } from './stored-uploads.ts'

/** A job keeps so many findings; the whole list is one lint call away. */
const maxFindings = 1000

const phases = ['fetching', 'detecting', 'parsing', 'validating', 'linting', 'planning', 'persisting', 'publishing']

/** Shows which part of one import is under way. */
const step = (work: ImportWork, phase: string) =>
  work.progress({ phase, done: phases.indexOf(phase), total: phases.length })

async function conclude(read: ImportCandidate, work: ImportWork): Promise<Persist<JobResult>> {
  const { deps, payload, analysis, digest, target } = read
  const invalid = invalidity(read)
  if (invalid !== null)
    return ends({ status: 'failed', result: { ...unwrittenOutcome(read), summary: null }, error: refusal(invalid) })
  await step(work, 'planning')
  const planned = await planImport(deps.db.read, payload.tenant, target, analysis.summary, digest)
  const { plan, project } = planned
  if (project !== null) await assertTheirs(deps.db.read, payload.tenant.id, payload.principal, project)
  const it = await underGuide(read, project)
  const unwritten: JobResult = { ...unwrittenOutcome(it), summary: null }
  const result: JobResult = { ...unwritten, plan }
  if (unwritten.gate?.passed === false) return ends({ status: 'blocked', result })
  if (payload.request.dry_run === true) {
    // As the import itself would be refused.
    if (project === null) await assertPlannedProject(deps.db.read, deps.plans, payload.tenant.id, 0)
    return ends({ status: endedWell(unwritten), result })
  }
  await step(work, plan.publish === null ? 'persisting' : 'publishing')
  await assessPublication(deps.db.read, it, planned)
  const prepared = await prepareImport(it)
  return async (tx) => {
    try {
      const { outcome, status } = await tx.savepoint((inner) => persist(inner, prepared))
      return { status, result: { ...outcome, summary: null } satisfies JobResult }
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'publish-gates-failed') throw error
      // Policy refused to publish: nothing is stored, and the job says which gates did.
      return { status: 'blocked', result, error: refusal(error) }
    }
  }
}

const ends =
  (outcome: JobOutcome<JobResult>): Persist<JobResult> =>
  () =>
    Promise.resolve(outcome)

async function runSingle(
  deps: Deps,
  payload: ImportPayload,
  opened: Opened,
  work: ImportWork,
  readFile: (madeOf: readonly string[], tree: Tree, head: Subject) => Promise<void>,
): Promise<Persist<JobResult>> {
  const { request, source } = payload
  // The name of a schema is in the schema by then; that of an API is the name of its project.
  const project_name = request.project_name ?? request.name
  const rest = { target: project_name === undefined ? request : { ...request, project_name }, maxFindings }
  const { signal } = work
  const { overlays = [] } = request
  let texts: SourceTexts & Partial<FoundSource>
  let from: ImportCandidate['from'] = { source: sourceName(source), path: null, commit: null }
  if (opened.kind === 'text') texts = withOverlays(opened.texts, overlays)
  else {
    await step(work, 'detecting')
    const scope = scopeOf(opened.tree, request.root, opened.path)
    const { analysis } = deps
    const { tree } = opened
    const format = request.format ?? 'auto'
    texts = await findOne({ analysis, tenantId: payload.tenant.id, tree, scope, format, overlays, signal })
    from = { source: tree.name, path: texts.path, commit: tree.commit }
  }
  await step(work, 'parsing')
  const read = await candidateOf(deps, payload, texts, { ...rest, from, signal })
  if (opened.kind === 'tree') await readFile(texts.madeOf ?? [], opened.tree, read.analysis.subject)
  return conclude(read, work)
}

/**
 * Runs import jobs: opens the source, finds the documents, parses, validates, lints and plans. One document is then written in the
 * transaction that ends the job; of a bulk import each is written by itself.
 * @param files what follows where the document is a file of a registered repository
 */
export const importHandler = <Facts>(deps: Deps, reach: Reach, files: FileImports<Facts>): JobHandler => {
  /** Of the jobs that run in this process and read a file of a registered repository. */
  const known = new Map<string, Facts>()
  const run = async (work: ImportWork): Promise<Persist<JobResult>> => {
    const { job, signal } = work
    const { payload } = job
    const { origin } = payload
    const readFile = async (others: readonly string[], tree: Tree, head: Subject): Promise<void> => {
      if (origin === undefined) return
      known.set(job.id, await files.read(job.tenantId, origin, { tree, others, head }))
    }
    const read = async (): Promise<Persist<JobResult>> => {
      await step(work, 'fetching')
      const upload = () => readUpload(deps.db, job.tenantId, job.id)
      const reader = { analysis: deps.analysis, tenantId: job.tenantId }
      const own = reachWith(deps, job.tenantId, payload.source, reach)
      const opened = await openSource(payload.source, own, reader, upload, signal)
      try {
        return payload.request.bulk === true
          ? await runBulk(deps, payload, opened, work, files)
          : await runSingle(deps, payload, opened, work, readFile)
      } finally {
        if (opened.kind === 'tree') await opened.tree.close()
      }
    }
    const persisting = await read().catch((error: unknown) => {
      // What a repetition may fix is left to the queue.
      if (!(error instanceof SvcError) || (error.status >= 500 && !isFinal(error))) throw error
      return ends({ status: 'failed', error: refusal(error) })
    })
    return async (tx) => {
      // Before its document is stored: the same bytes do not count twice.
      await removeUpload(tx, job.tenantId, job.id)
      return persisting(tx)
    }
  }
  return importJob.handle(run, async (tx, job) => {
    await recordEnd(deps, tx, job)
    const { origin, request, actor } = job.payload
    if (origin === undefined) return
    const stored = job.result?.result ?? null
    const at = job.finishedAt ?? deps.clock.iso()
    const ended = { tenantId: job.tenantId, origin, request, actor, stored, error: job.error?.message ?? null, at }
    await files.recordEnd(tx, ended, known.get(job.id) ?? null)
    tx.afterCommit(() => known.delete(job.id))
  })
}
