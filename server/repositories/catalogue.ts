import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { repositories, repositoryImports, repositorySpecs } from '../../db/tables.gen.ts'
import type { GitProvider } from '../../src/api/linked-accounts.ts'
import type { CatalogSpec, catalogSorts } from '../../src/api/repository-shapes.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { Guard } from '../bounds/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { fileIdOf } from './files.ts'
import { namesIn, versionNames } from './version-names.ts'
import { compareText } from '../../src/kernel/order.ts'

export interface CatalogQuery {
  readonly q?: string
  readonly kind?: string
  readonly provider?: GitProvider
  readonly repository_id?: string
  readonly imported?: boolean
  readonly sort?: (typeof catalogSorts)[number]
  readonly include_facets?: boolean
}

type Spec = Omit<CatalogSpec, 'project_slug' | 'version_label'>

const orders: Readonly<Record<(typeof catalogSorts)[number], (a: Spec, b: Spec) => number>> = {
  repository: (a, b) => compareText(a.repository_full_name, b.repository_full_name) || compareText(a.path, b.path),
  '-repository': (a, b) => compareText(b.repository_full_name, a.repository_full_name) || compareText(a.path, b.path),
  path: (a, b) => compareText(a.path, b.path) || compareText(a.repository_full_name, b.repository_full_name),
  kind: (a, b) => compareText(a.kind, b.kind) || orders.repository(a, b),
}

function countBy(specs: readonly Spec[], valueOf: (spec: Spec) => string): Record<string, number> {
  const counts = new Map<string, number>()
  for (const spec of specs) counts.set(valueOf(spec), (counts.get(valueOf(spec)) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([a], [b]) => compareText(a, b)))
}

async function allSpecs(deps: Deps, tenantId: string): Promise<Spec[]> {
  const rows = await deps.db.read
    .select({
      spec: repositorySpecs,
      fullName: repositories.fullName,
      provider: repositories.provider,
      projectId: repositoryImports.projectId,
      versionId: repositoryImports.versionId,
      refreshStatus: repositoryImports.refreshStatus,
    })
    .from(repositorySpecs)
    .innerJoin(
      repositories,
      and(eq(repositories.id, repositorySpecs.repositoryId), eq(repositories.tenantId, tenantId)),
    )
    .leftJoin(
      repositoryImports,
      and(eq(repositoryImports.id, repositorySpecs.id), eq(repositoryImports.tenantId, tenantId)),
    )
    .where(inTenant(repositorySpecs, tenantId))
  return rows.map(({ spec, fullName, provider, projectId, versionId, refreshStatus }) => ({
    repository_id: spec.repositoryId,
    repository_full_name: fullName,
    provider,
    branch: spec.branch,
    path: spec.path,
    file_id: fileIdOf(spec.branch, spec.path),
    kind: spec.kind,
    size_bytes: spec.sizeBytes,
    imported: versionId !== null,
    project_id: projectId,
    version_id: versionId,
    refresh_status: refreshStatus,
  }))
}

/** The documents on the default branches of all repositories. */
export async function listCatalog(deps: Deps, grant: Grant, query: CatalogQuery, page: Page, signal: AbortSignal) {
  const all = await allSpecs(deps, tenantOf(grant).id)
  const needle = query.q?.toLowerCase() ?? ''
  const { kind, provider, repository_id: repository, imported, sort = 'repository' } = query
  const fitting = await new Guard('repository-catalogue', signal).filter(
    all,
    (it) => it.path.length + it.repository_full_name.length,
    (file) =>
      (needle === '' || `${file.repository_full_name}/${file.path}`.toLowerCase().includes(needle)) &&
      (kind === undefined || file.kind === kind) &&
      (provider === undefined || file.provider === provider) &&
      (repository === undefined || file.repository_id === repository) &&
      (imported === undefined || file.imported === imported),
  )
  const found = fitting.toSorted(orders[sort])
  const shown = found.slice(page.offset, page.offset + page.limit)
  const ids = shown.map((it) => it.version_id)
  const names = await versionNames(deps.db.read, tenantOf(grant).id, ids)
  return {
    success: true,
    catalog_total: all.length,
    match_count: found.length,
    ...page,
    sort,
    specs: shown.map((it) => ({ ...it, ...namesIn(names, it.version_id) })),
    ...(query.include_facets === true
      ? {
          facets: {
            kind: countBy(found, (it) => it.kind),
            provider: countBy(found, (it) => it.provider),
            repository: countBy(found, (it) => it.repository_full_name),
            imported: countBy(found, (it) => String(it.imported)),
          },
        }
      : {}),
  }
}
