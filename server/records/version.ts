import type { VersionRecord } from '../../src/api/versions.ts'
import type { versions } from '../../db/tables.gen.ts'

export type VersionRow = typeof versions.$inferSelect

/** Where a version's document and page are served: the Arazzo document where the version is one, else OpenAPI. */
export function urlsOf(publicUrl: string, tenant: string, project: string, version: string, kind = 'openapi') {
  const place = [tenant, project, version].map(encodeURIComponent).join('/')
  const format = kind === 'arazzo' ? 'arazzo' : 'schema'
  return { document: `${publicUrl}/v1/${format}/${place}`, page: `${publicUrl}/v1/swagger/${place}` }
}

/** A version as the contract shows it. */
export function toVersionRecord(
  row: VersionRow,
  projectSlug: string,
  tenantSlug: string,
  publicUrl: string,
): VersionRecord {
  return {
    id: row.id,
    project_id: row.projectId,
    project_slug: projectSlug,
    label: row.label,
    slug: row.slug,
    status: row.status,
    visibility: row.visibility,
    title: row.title,
    format: { kind: row.format.kind, version: row.format.version },
    digest: row.digest,
    size_bytes: row.sizeBytes,
    grade: row.grade,
    score: row.scoreTenths === null ? null : row.scoreTenths / 10,
    operations_count: row.operationsCount,
    classes_count: row.classesCount,
    provenance: row.provenance,
    joined: row.joined ?? [],
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    published_at: row.publishedAt,
    deprecated_at: row.deprecatedAt,
    sunset_at: row.sunsetAt,
    replacement: row.replacement,
    urls: urlsOf(publicUrl, tenantSlug, projectSlug, row.slug, row.format.kind),
  }
}

/** What a path names of a version, as `findVersion` takes it. */
export const versionRefsOf = (params: { readonly project_ref: string; readonly version_ref: string }) => ({
  project: params.project_ref,
  version: params.version_ref,
})
