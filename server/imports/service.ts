import { checkRepository, detectArchive } from '../sources/door.ts'
import type { ImportItem, ImportJob } from '../../src/api/imports.ts'
import type { Gate } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { joinBytes } from '../../src/kernel/bytes.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import { cancelJob } from '../../db/jobs.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertJobRoom, waitForJob } from '../jobs/door.ts'
import { assertStorageRoom } from '../license/door.ts'
import { digestOf } from '../../db/content.ts'
import { readArchiveText } from './archive-text.ts'
import { withAccount } from './git-account.ts'
import { listItems } from './items.ts'
import {
  importJob,
  type ImportJobRow,
  type ImportPayload,
  type JobResult,
  type PayloadSource,
  sourceName,
} from './payload.ts'
import type { ReceivedImport } from './read-import-request.ts'
import { prepareUpload, removeUpload, storeUpload } from './stored-uploads.ts'

const nothingYet: JobResult = {
  result: null,
  plan: null,
  lint: null,
  gate: null,
  warnings: [],
  findings: [],
  findings_total: 0,
  summary: null,
}

/** An import job as the contract shows it. */
export function toImportJob(job: ImportJobRow, items: readonly ImportItem[]): ImportJob {
  const { payload } = job
  const { error } = job
  return {
    job_id: job.id,
    kind: 'import',
    format: payload.request.format ?? 'auto',
    source: sourceName(payload.source),
    dry_run: payload.request.dry_run ?? false,
    status: job.status,
    phase: job.phase as ImportJob['phase'],
    progress: { done: job.progressDone, total: job.progressTotal },
    created_at: job.createdAt,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
    ...nothingYet,
    ...job.result,
    items: [...items],
    error:
      error === null
        ? null
        : {
            code: error.code,
            message: error.message,
            hint: error.hint ?? '',
            ...(error.gates === undefined ? {} : { gates: error.gates as Gate[] }),
          },
  }
}

function assertAllowed(request: ReceivedImport['options'], grant: Grant): void {
  // An Editor without it is one who edits only their own projects: the job asks for each of them.
  const isAskedLater = grant.role === 'editor'
  if (request.publish !== undefined && !isAskedLater && !grant.permissions.has('versions:publish'))
    throw new SvcError('permission-denied', { permission: 'versions:publish' })
  if (request.force !== true) return
  if (request.publish === undefined)
    throw new SvcError('usage', { reason: '"force" needs "publish": it skips publish gates.' })
  if (!grant.permissions.has('versions:publish_force'))
    throw new SvcError('permission-denied', { permission: 'versions:publish_force' })
}

// What names one project or version means nothing for many documents.
const forOneDocument = [
  'project_id',
  'project_name',
  'project_slug',
  'version_slug',
  'version_id',
  'as',
  'name',
  'overlays',
] as const

/** The row of a job has them. */
const mostOverlayCharacters = 4_000_000

function assertConsistent({ options, source }: ReceivedImport): void {
  const usage = (reason: string) => new SvcError('usage', { reason })
  const isText = source.kind === 'inline'
  if (options.bulk !== true) {
    if (options.overrides !== undefined) throw usage('Overrides are for bulk imports only.')
  } else {
    if (isText) throw usage('A bulk import takes an archive, a folder or a repository, not a single document.')
    const one = forOneDocument.find((key) => options[key] !== undefined)
    if (one !== undefined)
      throw usage(
        `"${one}" is for one document; a bulk import takes ${one === 'overlays' ? 'those of svc.yaml' : 'overrides'} instead.`,
      )
  }
  if (isText && options.root !== undefined) throw usage('"root" needs an archive, a folder or a repository.')
  const named = (isText || source.kind === 'url') && (options.overlays ?? []).some((it) => 'path' in it)
  if (named) throw usage('An overlay is named by its path in an archive, folder or repository; send its text instead.')
  const sent = (options.overlays ?? []).reduce((sum, it) => sum + ('content' in it ? it.content.length : 0), 0)
  if (sent > mostOverlayCharacters)
    throw usage(`The overlays of an import have at most ${mostOverlayCharacters} characters together.`)
}

const bytesPerTurn = 1024 * 1024

/** A list as JSON in UTF-8, item by item: writing 60 MB at once would keep others waiting. */
async function writeList(items: readonly unknown[]): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let size = 0
  for (const item of items) {
    const piece = encoder.encode(`${pieces.length === 0 ? '[' : ','}${JSON.stringify(item)}`)
    pieces.push(piece)
    size += piece.byteLength
    if (size < bytesPerTurn) continue
    size = 0
    await yieldToEventLoop()
  }
  pieces.push(encoder.encode(items.length === 0 ? '[]' : ']'))
  const written = joinBytes(pieces)
  await yieldToEventLoop()
  return written
}

/** The bytes that are kept for a job, and what its row says of them. */
async function toKeep(
  deps: Deps,
  grant: Grant,
  source: ReceivedImport['source'],
): Promise<{ readonly payload: PayloadSource; readonly bytes: Uint8Array | null }> {
  switch (source.kind) {
    case 'url':
      return { payload: source, bytes: null }
    case 'git':
      return { payload: await withAccount(deps, grant, source), bytes: null }
    case 'inline':
      return { payload: { kind: 'text', name: source.name ?? '-' }, bytes: new TextEncoder().encode(source.content) }
    case 'files': {
      return { payload: { kind: 'files', name: source.name ?? 'files' }, bytes: await writeList(source.files) }
    }
    case 'archive': {
      const { content_base64: text, name = 'archive' } = source
      return keepUploaded(name, readArchiveText(text))
    }
    case 'uploaded':
      return keepUploaded(source.name, source.bytes)
  }
}

// Anyone who sends a single text as a file means that text.
const keepUploaded = (name: string, bytes: Uint8Array) => ({
  payload: { kind: detectArchive(bytes) === null ? ('text' as const) : ('archive' as const), name },
  bytes,
})

/**
 * Stores an import as a job; what is acknowledged survives a crash. The same idempotency key gives the same job.
 * @throws SvcError `permission-denied`, `usage`, `request-malformed`, `quota-exceeded`, `jobs-exceeded`,
 *   `source-refused`, `repository-not-found`, `linked-account-not-found`, `idempotency-key-reused`
 */
export async function createImport(
  deps: Deps,
  grant: Grant,
  input: {
    readonly request: ReceivedImport
    readonly idempotencyKey: string | null
  },
): Promise<ImportJob> {
  const { request } = input
  const tenant = tenantOf(grant)
  const { options } = request
  assertAllowed(options, grant)
  assertConsistent(request)
  const { payload: source, bytes } = await toKeep(deps, grant, request.source)
  if (source.kind === 'git') checkRepository(source)
  const digest = digestOf(new TextEncoder().encode(JSON.stringify([options, source, bytes && digestOf(bytes)])))
  const idempotency = input.idempotencyKey === null ? {} : { idempotency: { key: input.idempotencyKey, digest } }
  const payload: ImportPayload = { request: options, source, tenant, actor: actorOf(grant), principal: grant.principal }
  const upload = bytes === null ? null : await prepareUpload(deps.db, tenant.id, bytes)
  const job = await deps.db.inTransaction(async (tx) => {
    const queued = await importJob.enqueue(tx, {
      tenantId: tenant.id,
      payload,
      now: deps.clock.now(),
      ...idempotency,
    })
    if (queued.isNew) await assertJobRoom(tx, tenant.id)
    if (queued.isNew && upload !== null) {
      await assertStorageRoom(tx, deps.plans, tenant.id, upload.sizeBytes)
      await storeUpload(tx, queued.job, upload, deps.clock.iso())
    }
    tx.afterCommit(() => deps.wake())
    return queued.job
  })
  return toImportJob(job, [])
}

/** Says whether a job is one of the organizations that the caller belongs to. */
export type Reaches = (job: ImportJobRow) => Promise<boolean>

async function findImport(deps: Deps, id: string, reaches: Reaches): Promise<ImportJobRow> {
  const job = await importJob.find(deps.db.read, id)
  if (!job || !(await reaches(job))) throw new SvcError('job-not-found', { job: id })
  return job
}

/**
 * The state of a job; with `waitMs` it answers when the job has ended, at the latest then.
 * @throws SvcError `job-not-found`
 */
export async function getImport(
  deps: Deps,
  id: string,
  reaches: Reaches,
  waitMs: number,
  signal: AbortSignal,
): Promise<ImportJob> {
  const job = await waitForJob(deps, () => findImport(deps, id, reaches), waitMs, signal)
  const items = job.payload.request.bulk === true ? await listItems(deps.db.read, job.tenantId, id) : []
  return toImportJob(
    job,
    items.map(({ item }) => item),
  )
}

/**
 * Cancels a job that has not ended; an ended one stays as it is.
 * @throws SvcError `job-not-found`
 */
export async function cancelImport(deps: Deps, id: string, reaches: Reaches): Promise<ImportJob> {
  const job = await findImport(deps, id, reaches)
  await deps.db.inTransaction(async (tx) => {
    if (await cancelJob(tx, job.id, deps.clock.now())) await removeUpload(tx, job.tenantId, job.id)
  })
  return getImport(deps, id, reaches, 0, AbortSignal.abort())
}
