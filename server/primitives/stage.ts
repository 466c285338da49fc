import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { primitiveImports } from '../../db/tables.gen.ts'
import type { PrimitiveImportCounts } from '../../db/tables/primitive-imports.ts'
import { isoOf } from '../../db/clock.ts'
import type { PrimitiveStageBody } from '../../src/api/primitive-shapes.ts'
import { textOf } from '../../src/document/text.ts'
import { SvcError, type Code } from '../../src/errors.ts'
import type { SourceKind } from '../../src/types/limits.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { reachWith, withAccount } from '../imports/door.ts'
import type { Reach } from '../sources/door.ts'
import { findRepository } from '../repositories/door.ts'
import { digestOf } from '../../db/content.ts'
import { unresolvedOf } from './classify.ts'
import { readTypes, sourceKindOf, sourceLimit, type TypesRead } from './read-types.ts'
import { namespaceOf } from './service.ts'

/** How long a staged source is kept. */
const keepMs = 24 * 3_600_000

const methods = ['paste', 'file', 'url', 'git'] as const
type Method = (typeof methods)[number]

/** Where a source is, as far as it is written down. */
interface Located {
  readonly bytes: Uint8Array
  /** Without credentials; null for a text. */
  readonly locator: string | null
}

export const noCounts: PrimitiveImportCounts = {
  total: 0,
  created: 0,
  updated: 0,
  kept: 0,
  identical: 0,
  invalid: 0,
  unresolved_refs: 0,
}

function methodOf(method: string): Method {
  const found = methods.find((it) => it === method)
  if (found === undefined) throw new SvcError('stage-method-unknown', { method })
  return found
}

/** An address as it is kept: what signs in is left out. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

const unreached: ReadonlySet<Code> = new Set(['git-failed', 'egress-denied', 'repository-unreadable'])

// What could not be fetched is a failed fetch, by the address or by the guard.
async function fetched<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SvcError && unreached.has(error.code)) {
      const { reason } = error.detail as { readonly reason: string }
      throw new SvcError('fetch-failed', { url: withoutCredentials(url), reason })
    }
    throw error
  }
}

interface Locating {
  readonly deps: Deps & { readonly reach: Reach }
  readonly grant: Grant
  readonly body: PrimitiveStageBody
  readonly signal: AbortSignal
}

/** @throws SvcError `stage-locator-missing` */
function must(value: string | null | undefined, method: Method, field: string): string {
  if (value === undefined || value === null || value.trim() === '')
    throw new SvcError('stage-locator-missing', { method, field })
  return value
}

/** A file of a repository, read with the linked account of the request or of the registered repository that it names. */
async function locateInGit({ deps, grant, body, signal }: Locating): Promise<Located> {
  const { repository_id: repositoryId, linked_account_id: accountId, ref } = body
  const isRegistered = typeof repositoryId === 'string' && !body.repo_url
  const url = isRegistered
    ? (await findRepository(deps.db.read, tenantOf(grant).id, repositoryId)).cloneUrl
    : must(body.repo_url, 'git', 'repo_url')
  const path = must(body.path, 'git', 'path').replace(/^\/+/, '')
  const named = {
    kind: 'git' as const,
    url,
    ...(typeof ref === 'string' ? { ref } : {}),
    ...(typeof repositoryId === 'string' ? { repository_id: repositoryId } : {}),
    ...(typeof accountId === 'string' ? { linked_account_id: accountId } : {}),
  }
  const source = await withAccount(deps, grant, named)
  const reach = reachWith(deps, tenantOf(grant).id, source, deps.reach)
  const tree = await fetched(url, () => reach.openRepository(source, signal))
  try {
    if (!tree.paths.includes(path))
      throw new SvcError('fetch-failed', { url: tree.name, reason: `there is no file "${path}"` })
    const bytes = await fetched(url, () => tree.read(path))
    return { bytes, locator: `${tree.name} ${path} ${tree.commit ?? ''}`.trim() }
  } finally {
    await tree.close()
  }
}

async function locate(method: Method, locating: Locating): Promise<Located> {
  const { deps, body, signal } = locating
  switch (method) {
    case 'paste':
      return { bytes: new TextEncoder().encode(must(body.content, method, 'content')), locator: null }
    case 'file':
      return {
        bytes: new TextEncoder().encode(must(body.content, method, 'content')),
        locator: body.filename ?? body.path ?? null,
      }
    case 'url': {
      const url = must(body.url, method, 'url')
      const { bytes } = await fetched(url, () => deps.reach.fetch(url, signal))
      return { bytes, locator: withoutCredentials(url) }
    }
    case 'git':
      return locateInGit(locating)
  }
}

function readText(bytes: Uint8Array, source: string): string {
  try {
    return textOf(bytes, source)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'document-invalid')
      throw new SvcError('stage-unparseable', { reason: (error.detail as { readonly reason: string }).reason })
    throw error
  }
}

// A source that is staged is either read or not: a malformed bundle is unreadable here.
async function readStage(work: () => Promise<TypesRead>): Promise<TypesRead> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'types-unreadable' || error.code === 'bundle-malformed'))
      throw new SvcError('stage-unparseable', { reason: (error.detail as { readonly reason: string }).reason })
    throw error
  }
}

/**
 * Fetches a source, shows its types and keeps it for 24 hours. Nothing is registered.
 * @throws SvcError `source-kind-unknown`, `stage-method-unknown`, `stage-locator-missing`, `stage-unparseable`, `fetch-failed`,
 *   `types-too-many`, `namespace-invalid`, `source-too-large`, `source-refused`, `repository-not-found`, `linked-account-not-found`
 */
export async function stageTypes(
  deps: Deps & { readonly reach: Reach },
  grant: Grant,
  body: PrimitiveStageBody,
  signal: AbortSignal,
) {
  const kind = sourceKindOf(body.source_kind)
  const method = methodOf(body.method)
  const namespace = body.namespace === undefined || body.namespace === null ? null : namespaceOf(body.namespace)
  const { bytes, locator } = await locate(method, { deps, grant, body, signal })
  const source = locator ?? 'the text'
  if (bytes.byteLength > sourceLimit)
    throw new SvcError('source-too-large', { source, limit: sourceLimit, what: 'bytes' })
  const text = readText(bytes, source)
  const request = { text, source, kind, namespace, name: null, root: false, names: {}, select: null }
  const { types, problems } = await readStage(() => readTypes(deps, grant, request))
  const unresolved = await unresolvedOf(deps, grant, types)
  const candidates = types.map((entry) => {
    const missing = unresolved.get(entry.key)?.length ?? 0
    return {
      key: entry.key,
      name: entry.name,
      namespace: entry.namespace,
      source_kind: kind,
      pointer: entry.pointer,
      schema_id: entry.schemaId,
      size_bytes: Buffer.byteLength(entry.schema),
      refs: { resolved: entry.edges.length - missing, unresolved: missing },
      problems: [...entry.errors],
    }
  })
  const id = newId()
  const tenantId = tenantOf(grant).id
  const createdAt = deps.clock.iso()
  const expiresAt = isoOf(deps.clock.now() + keepMs)
  const compressed = new Uint8Array(await Bun.zstdCompress(new TextEncoder().encode(text), { level: 3 }))
  await deps.db.inTransaction(async (tx) => {
    await tx.insert(primitiveImports).values({
      id,
      tenantId,
      sourceKind: kind,
      method,
      locator,
      status: 'staged',
      counts: { ...noCounts, total: candidates.length },
      digest: digestOf(bytes),
      source: compressed,
      report: { namespace, candidates, problems },
      createdBy: actorOf(grant),
      createdAt,
      expiresAt,
    })
    const detail = { method, locator, types: candidates.length }
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'primitives.staged',
      targetId: id,
      detail,
      at: createdAt,
    })
  })
  return {
    import_id: id,
    status: 'staged' as const,
    source_kind: kind,
    candidates,
    problems: [...problems],
    expires_at: expiresAt,
  }
}

/** A staged source. */
export interface Staged {
  readonly kind: SourceKind
  readonly text: string
  readonly source: string
  readonly namespace: string | null
}

/**
 * Reads a staged source.
 * @throws SvcError `stage-not-found`, `stage-expired`
 */
export async function readStaged(deps: Deps, grant: Grant, id: string): Promise<Staged> {
  const [row] = await deps.db.read
    .select()
    .from(primitiveImports)
    .where(inTenant(primitiveImports, tenantOf(grant).id, eq(primitiveImports.id, id)))
    .limit(1)
  if (!row) throw new SvcError('stage-not-found', { import: id })
  const isOld = row.expiresAt !== null && row.expiresAt <= deps.clock.iso()
  const status = row.status === 'staged' && isOld ? 'expired' : row.status
  if (status !== 'staged' || row.source === null) throw new SvcError('stage-expired', { import: id, status })
  const text = new TextDecoder().decode(await Bun.zstdDecompress(new Uint8Array(row.source)))
  const { namespace } = row.report as { readonly namespace?: string | null }
  return { kind: row.sourceKind, text, source: row.locator ?? 'the text', namespace: namespace ?? null }
}
