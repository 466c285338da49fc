import { importsApi } from '../../src/api/imports.ts'
import { projectsApi } from '../../src/api/projects.ts'
import type { Call } from '../../src/api/endpoint.ts'
import v1 from './bookshop-1.0.0.yaml' with { type: 'text' }
import v2 from './bookshop-2.0.0.yaml' with { type: 'text' }

/** The label of each published version of the sample project, and its document. */
const sampleVersions = [
  { label: '1.0.0', content: v1 as unknown as string },
  { label: '2.0.0', content: v2 as unknown as string },
]

/** Slug of the sample project. */
export const sampleSlug = 'bookshop'

/**
 * Puts the sample project into a tenant that has none of its name: two published versions with a breaking change
 * between them. It goes through the same imports as any document. Gives its id; null when it was there already.
 */
export async function seedSample(call: Call, tenantSlug: string): Promise<string | null> {
  const params = { tenant_slug: tenantSlug }
  const { items } = await call(projectsApi.list, { params, query: { q: sampleSlug, limit: 200 } })
  if (items.some((project) => project.slug === sampleSlug)) return null
  let projectId: string | null = null
  for (const { label, content } of sampleVersions) {
    const source = { kind: 'inline' as const, name: `${sampleSlug}-${label}.yaml`, content }
    const body = { format: 'openapi', source, project_slug: sampleSlug, publish: 'public' as const }
    let job = await call(importsApi.create, { params, body })
    while (job.finished_at === null)
      job = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    if (job.result === null)
      throw new Error(`the sample ${label} was not imported: ${job.error?.message ?? job.status}`)
    projectId = job.result.project_id
  }
  return projectId
}
