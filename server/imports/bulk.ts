/** Imports each independent document of a tree on its own: what one of them meets does not touch the others. */
import type { ImportItem } from '../../src/api/imports.ts'
import { SvcError } from '../../src/errors.ts'
import { type Override, readImportOverrides } from '../../src/import/override.ts'
import { slugify } from '../../src/import/slug.ts'
import { assertTheirs } from '../auth/door.ts'
import { assertPlannedProject } from '../license/door.ts'
import { assess } from '../publishing/door.ts'
import { LeaseLostError } from '../../db/jobs.ts'
import type { Deps } from '../kit/door.ts'
import type { Persist } from '../jobs/door.ts'
import { bulkFiles, type BulkFiles } from './bulk-files.ts'
import type { FileImports } from './file-imports.ts'
import { type FinishedItem, listItems, storeItem, summarise } from './items.ts'
import type { ImportOutcome, ImportPayload, ImportWork, JobResult } from './payload.ts'
import {
  assessPublication,
  type ImportCandidate,
  unwrittenOutcome,
  endedWell,
  persist,
  prepareImport,
} from './persist.ts'
import type { ImportTarget, Planned } from './import-target.ts'
import { planImport } from './plan.ts'
import { candidateOf, invalidity, refusal, underGuide } from './candidate.ts'
import { findAll, findEntry, type FoundTexts, textsOf } from './find.ts'
import type { Opened } from './open.ts'
import { scopeOf, type Tree } from '../sources/door.ts'

const nothing: ImportOutcome = {
  result: null,
  plan: null,
  lint: null,
  gate: null,
  warnings: [],
  findings: [],
  findings_total: 0,
}

// All items together keep about as many findings as a few jobs do.
const findingsOfItem = (documents: number): number => Math.max(5, Math.min(100, Math.floor(4000 / documents)))

/** A document of a bulk import before it is read. */
interface Listed {
  readonly path: string
  readonly format: string
  readonly find: () => Promise<FoundTexts>
}

/** What is the same for every document of a bulk import. */
interface Bulk {
  readonly deps: Deps
  readonly payload: ImportPayload
  readonly work: ImportWork
  readonly tree: Tree
  readonly overrides: ReadonlyMap<string, Override>
  readonly total: number
  /** Versions that documents before took, by project and label: no document takes the place of another of the same import. */
  readonly taken: Map<string, string>
  /** Slugs of the projects that a dry run would have created. */
  readonly planned: Set<string>
  readonly files: BulkFiles
}

// Every override is for one of the documents, or nothing is done at all.
function assertKnown(overrides: Bulk['overrides'], found: readonly FoundTexts[]): void {
  const paths = new Set(found.map(({ path }) => path))
  const slugs = new Set(found.map(({ slug }) => slug))
  const key = [...overrides.keys()].find((one) => !paths.has(one) && !slugs.has(one))
  if (key === undefined) return
  const known = [...paths].slice(0, 10).join(', ')
  throw new SvcError('override-invalid', {
    key,
    reason: `no document has this path or proposed slug (there are ${known})`,
  })
}

function targetFor(payload: ImportPayload, override: Override | undefined): ImportTarget {
  const { version, publish } = payload.request
  const label = override?.version ?? version
  return {
    ...(label === undefined ? {} : { version: label }),
    ...(publish === undefined ? {} : { publish }),
    ...(override?.target === 'new' ? { isNew: true } : {}),
    ...(override?.target === 'existing' && override.projectId === null ? { mustExist: true } : {}),
    ...(override?.projectId == null ? {} : { project_id: override.projectId }),
  }
}

const placeOf = (plan: NonNullable<ImportOutcome['plan']>): string => `${plan.project.slug} ${plan.version.slug}`

function claim({ taken }: Bulk, path: string, plan: NonNullable<ImportOutcome['plan']>): void {
  const place = placeOf(plan)
  const other = taken.get(place)
  if (other !== undefined && other !== path)
    throw new SvcError('import-same-version', {
      version: plan.version.label,
      project: plan.project.slug,
      document: other,
    })
  taken.set(place, path)
}

/** A dry run refuses the projects that the plan has no room for, as the import would. */
async function planProject({ planned, deps, payload }: Bulk, slug: string): Promise<void> {
  if (planned.has(slug)) return
  await assertPlannedProject(deps.db.read, deps.plans, payload.tenant.id, planned.size)
  planned.add(slug)
}

/** What a dry run says of the step from what the project of a file has published; nothing of other imports. */
async function comparedOf(
  { payload, deps }: Bulk,
  candidate: ImportCandidate,
  { plan, project }: Planned,
): Promise<Pick<ImportItem, 'compared'>> {
  if (payload.origins === undefined) return {}
  if (project === null) return { compared: null }
  const { label, slug } = plan.version
  const { current } = await assess(deps, deps.db.read, payload.tenant, {
    projectId: project.id,
    projectSlug: project.slug,
    label,
    slug,
    analysis: candidate.analysis,
    isStored: false,
    reviewed: null,
  })
  if (current === null) return { compared: null }
  const { changes } = current.result
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length
  return { compared: { label: current.version.label, breaking, changes: changes.length } }
}

async function runItem(bulk: Bulk, listed: Listed, ordinal: number): Promise<FinishedItem> {
  const { payload, tree, work, deps } = bulk
  const found = await listed.find()
  const { path, format } = found
  const at = { done: ordinal, total: bulk.total }
  const texts = await textsOf(tree, found)
  const from = { source: tree.name, path, commit: tree.commit }
  await work.progress({ phase: 'linting', ...at })
  const maxFindings = findingsOfItem(bulk.total)
  const known = await candidateOf(deps, payload, texts, { target: {}, maxFindings, from, signal: work.signal })
  const slug = slugify(known.analysis.summary.name)
  const base = { path, slug, format }
  const override = bulk.overrides.get(path) ?? bulk.overrides.get(slug)
  let it: ImportCandidate = { ...known, target: targetFor(payload, override) }
  const fails = (error: SvcError, status: 'failed' | 'blocked' = 'failed'): FinishedItem => ({
    item: { ...base, ...unwrittenOutcome(it), status, error: refusal(error) },
    action: null,
  })
  const invalid = invalidity(it)
  if (invalid !== null) return fails(invalid)
  await bulk.files.read(path, { tree, others: texts.madeOf, head: known.analysis.subject })
  try {
    const planned = await planImport(deps.db.read, payload.tenant, it.target, it.analysis.summary, it.digest)
    const { plan, project } = planned
    if (project !== null) await assertTheirs(deps.db.read, payload.tenant.id, payload.principal, project)
    const judged = await underGuide(it, project)
    it = judged
    const unwritten = unwrittenOutcome(judged)
    const item = { ...base, ...unwritten, plan, error: null }
    if (unwritten.gate?.passed === false) return { item: { ...item, status: 'blocked' }, action: null }
    claim(bulk, path, plan)
    if (payload.request.dry_run === true) {
      if (project === null) await planProject(bulk, plan.project.slug)
      const compared = await comparedOf(bulk, judged, planned)
      return { item: { ...item, ...compared, status: endedWell(unwritten) }, action: plan.version.action }
    }
    await assessPublication(deps.db.read, judged, planned)
    const prepared = await prepareImport(judged)
    // Written here, with the row of its item; the caller has nothing left to write.
    return await work.commit({ phase: 'persisting', ...at }, async (tx) => {
      const { outcome, status, action } = await persist(tx, prepared)
      const finished: FinishedItem = { item: { ...base, ...outcome, status, error: null }, action }
      await storeItem(tx, work.job, { ...finished, ordinal, at: deps.clock.iso() })
      await bulk.files.recordEnd(tx, path, { stored: outcome.result, error: null })
      return { ...finished, isStored: true }
    })
  } catch (error) {
    if (!(error instanceof SvcError) || error.status >= 500) throw error
    return fails(error, error.code === 'publish-gates-failed' ? 'blocked' : 'failed')
  }
}

async function finishItem(bulk: Bulk, listed: Listed, ordinal: number): Promise<void> {
  const { work, deps } = bulk
  const at = { phase: 'persisting', done: ordinal + 1, total: bulk.total }
  let finished: FinishedItem & { readonly isStored?: boolean }
  try {
    finished = await runItem(bulk, listed, ordinal)
  } catch (error) {
    if (error instanceof LeaseLostError || !(error instanceof SvcError) || error.status >= 500) throw error
    const base: Pick<ImportItem, 'path' | 'slug' | 'format'> = {
      path: listed.path,
      slug: slugify(listed.path),
      format: listed.format,
    }
    finished = { item: { ...base, ...nothing, status: 'failed', error: refusal(error) }, action: null }
  }
  if (finished.isStored === true) return work.progress(at)
  await work.commit(at, async (tx) => {
    await storeItem(tx, work.job, { ...finished, ordinal, at: deps.clock.iso() })
    await bulk.files.recordEnd(tx, listed.path, { stored: null, error: finished.item.error?.message ?? null })
  })
}

/** The documents: the files that were chosen, or every independent document of the tree. */
async function listDocuments(
  deps: Deps,
  { request, tenant, origins }: ImportPayload,
  { tree, path: folder }: Extract<Opened, { kind: 'tree' }>,
  overrides: Bulk['overrides'],
  signal: AbortSignal,
): Promise<readonly Listed[]> {
  const format = request.format ?? 'auto'
  const search = { analysis: deps.analysis, tenantId: tenant.id, tree, format, signal }
  if (origins !== undefined)
    return origins.map(({ path }) => ({
      path,
      format,
      find: async () => findEntry({ ...search, scope: scopeOf(tree, undefined, path) }),
    }))
  const scope = scopeOf(tree, request.root, folder)
  if (scope.entry !== null)
    throw new SvcError('source-refused', {
      source: `"${scope.entry}"`,
      reason: 'a bulk import needs a folder, not a file',
    })
  const found = await findAll(
    { ...search, scope },
    overrides.size === 0 ? null : { nameField: request.project_name_field },
  )
  assertKnown(overrides, found)
  return found.map((one) => ({ path: one.path, format: one.format, find: () => Promise.resolve(one) }))
}

function statusOf(items: readonly FinishedItem[]): 'completed' | 'completed_with_warnings' | 'blocked' | 'failed' {
  const are = (status: ImportItem['status']) => items.filter(({ item }) => item.status === status).length
  if (are('completed') === items.length) return 'completed'
  if (are('completed') + are('completed_with_warnings') > 0) return 'completed_with_warnings'
  return are('blocked') === items.length ? 'blocked' : 'failed'
}

/**
 * Runs a bulk import of a tree, or of files of a repository (`files` keeps what refreshes need of each). Documents that are done with are skipped, so that a job that was interrupted continues where it was.
 * @throws SvcError `source-refused`, `source-empty`, `override-invalid`, and what reading the tree refuses
 */
export async function runBulk<Facts>(
  deps: Deps,
  payload: ImportPayload,
  opened: Opened,
  work: ImportWork,
  files: FileImports<Facts>,
): Promise<Persist<JobResult>> {
  if (opened.kind !== 'tree')
    throw new SvcError('source-refused', {
      source: opened.texts.path,
      reason: 'a bulk import takes an archive, a folder or a repository',
    })
  const { request, tenant } = payload
  await work.progress({ phase: 'detecting', done: 0, total: 0 })
  const { tree } = opened
  const overrides = readImportOverrides(request.overrides ?? {})
  const listed = await listDocuments(deps, payload, opened, overrides, work.signal)
  const shared = { deps, payload, work, tree, overrides, total: listed.length, files: bulkFiles(deps, payload, files) }
  const { read } = deps.db
  const done = await listItems(read, tenant.id, work.job.id)
  const taken = new Map(
    done.flatMap(({ item }): [string, string][] =>
      item.plan !== null && item.error === null ? [[placeOf(item.plan), item.path]] : [],
    ),
  )
  const finished = new Set(done.map(({ item }) => item.path))
  const created = done.filter(({ item }) => item.error === null && item.plan?.project.action === 'create')
  const planned = new Set(created.map(({ item }) => item.plan?.project.slug ?? ''))
  const bulk: Bulk = { ...shared, taken, planned }
  for (const [ordinal, one] of listed.entries()) {
    if (finished.has(one.path)) continue
    await work.progress({ phase: 'parsing', done: ordinal, total: listed.length })
    await finishItem(bulk, one, ordinal)
  }
  return async (tx) => {
    const items = await listItems(tx, tenant.id, work.job.id)
    return { status: statusOf(items), result: { ...nothing, summary: summarise(items) } satisfies JobResult }
  }
}
