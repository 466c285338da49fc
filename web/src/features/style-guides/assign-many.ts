import { mostAtOnce, projectBulkApi } from '../../../../src/api/project-bulk.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { pieceSize } from '../../query-client.ts'

/** The slugs of all projects of a list of assignments, however many pages it has. */
export const readAssignedSlugs = async (tenant: string, guide: string, q: string): Promise<readonly string[]> => {
  const slugs: string[] = []
  for (;;) {
    const { items, total } = await call(styleGuidesApi.assignments, {
      params: { tenant_slug: tenant },
      query: {
        limit: pieceSize,
        offset: slugs.length,
        ...(q === '' ? {} : { q }),
        ...(guide === '' ? {} : { guide_id: guide }),
      },
    })
    slugs.push(...items.map((it) => it.projectSlug))
    if (items.length === 0 || slugs.length >= total) return slugs
  }
}

/** Assigns a guide to projects, or the default where it is null. Gives those that were refused, each with the reason. */
export const assignMany = async (tenant: string, slugs: readonly string[], guide: string | null) => {
  const refused: { slug: string; reason: string }[] = []
  for (let from = 0; from < slugs.length; from += mostAtOnce) {
    const { results } = await call(projectBulkApi.change, {
      params: { tenant_slug: tenant },
      body: { projects: slugs.slice(from, from + mostAtOnce), change: { style_guide: guide } },
    })
    refused.push(...results.flatMap(({ slug, reason }) => (reason === null ? [] : [{ slug, reason: reason.message }])))
  }
  return refused
}
