/** The projects that a command is about, by the options of `svc project list`. */
import type { Call } from '../../src/api/endpoint.ts'
import { projectViewsApi, type ViewFilter } from '../../src/api/project-views.ts'
import { lifecycles } from '../../src/api/projects.ts'

export const filterOptions = {
  search: { type: 'string', placeholder: 'TEXT', summary: 'only projects that contain each word' },
  owner: { type: 'string', placeholder: 'NAME', summary: 'only projects of this owner' },
  lifecycle: { type: 'string', placeholder: 'STATE', choices: [...lifecycles], summary: 'only in this state' },
  tag: { type: 'string', placeholder: 'TAG', summary: 'only with this tag' },
  grade: {
    type: 'string',
    placeholder: 'GRADE',
    choices: ['A', 'B', 'C', 'D', 'F', 'none'],
    summary: 'only those whose latest version has this grade',
  },
  status: {
    type: 'string',
    placeholder: 'STATUS',
    choices: ['draft', 'published', 'deprecated', 'retired', 'none'],
    summary: 'only those whose latest version has this status; none: without versions',
  },
  format: { type: 'string', placeholder: 'FORMAT', summary: 'only of this format, as "openapi 3.1"' },
  draft: { type: 'string', placeholder: 'ANSWER', choices: ['yes', 'no'], summary: 'only with or without a draft' },
} as const

export const viewOption = {
  type: 'string',
  placeholder: 'NAME',
  summary: 'the saved view whose filter and order apply; other options win over it',
} as const

export interface FilterGiven extends Omit<{ [K in keyof ViewFilter]: ViewFilter[K] | undefined }, 'q' | 'sort'> {
  readonly search?: string | undefined
}

/** What the options say, as the service takes it. */
export function filterOf(options: FilterGiven): Omit<ViewFilter, 'sort'> {
  const { search, owner, lifecycle, tag, grade, status, format, draft } = options
  const given = { q: search === '' ? undefined : search, owner, lifecycle, tag, grade, status, format, draft }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/**
 * The filter of a saved view; an empty one without its name.
 * @throws SvcError `project-view-not-found`
 */
export async function filterOfView(call: Call, tenant: string, view: string | undefined): Promise<ViewFilter> {
  if (view === undefined) return {}
  return (await call(projectViewsApi.get, { params: { tenant_slug: tenant, view_ref: view } })).filter
}
