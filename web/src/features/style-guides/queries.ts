import { queryOptions } from '@tanstack/react-query'
import type { StyleGuideOut } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { guideParams, type GuideRef, guidesKey, lintKey } from '../lint/queries.ts'
import { projectsKey } from '../catalog/projects.ts'
import { versionsKey } from '../catalog/versions.ts'

const keyOf = (tenant: string, ...rest: readonly unknown[]) => [...guidesKey(tenant), ...rest]

/** After a change: reads guides again, and everything that shows a result of linting. */
export const refreshGuides = (tenant: string): Promise<unknown> =>
  Promise.all(
    [guidesKey(tenant), lintKey(tenant), versionsKey(tenant), projectsKey(tenant)].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

export const guidesQuery = (tenant: string) =>
  queryOptions({
    queryKey: keyOf(tenant, 'list'),
    queryFn: () => call(styleGuidesApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize } }),
  })

export const guideQuery = (at: GuideRef) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide),
    queryFn: () => call(styleGuidesApi.get, { params: guideParams(at) }),
  })

export const customRulesQuery = (at: GuideRef) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide, 'custom-rules'),
    queryFn: () => call(styleGuidesApi.customRules, { params: guideParams(at) }),
  })

export const policyQuery = (at: GuideRef) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide, 'policy'),
    queryFn: () => call(styleGuidesApi.policy, { params: guideParams(at) }),
  })

/** What rules are tried on: a stored version, or a text that was pasted. */
export type PreviewTarget =
  | { readonly kind: 'version'; readonly project: string; readonly version: string }
  | { readonly kind: 'text'; readonly content: string }

const bodyOf = (target: PreviewTarget | null) => {
  if (target === null) return {}
  return target.kind === 'text'
    ? { content: target.content, name: 'pasted document' }
    : { project: target.project, version: target.version }
}

/** What rules would say; nothing is stored. Without a target they are only read. */
export const previewQuery = (at: GuideRef, yaml: string, target: PreviewTarget | null) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide, 'preview', yaml, target),
    queryFn: () =>
      call(styleGuidesApi.previewCustomRules, { params: guideParams(at), body: { yaml, ...bodyOf(target) } }),
    staleTime: Number.POSITIVE_INFINITY,
    // Every pause in typing makes one: they are not kept for long.
    gcTime: 30_000,
    retry: false,
  })

/** What applies to which project; with `guide` only the projects that it applies to. */
export const assignmentsQuery = (tenant: string, guide: string, q: string, offset: number) =>
  queryOptions({
    queryKey: keyOf(tenant, 'assignments', guide, q, offset),
    queryFn: () =>
      call(styleGuidesApi.assignments, {
        params: { tenant_slug: tenant },
        query: {
          limit: pageSize,
          offset,
          ...(q === '' ? {} : { q }),
          ...(guide === '' ? {} : { guide_id: guide }),
        },
      }),
    placeholderData: (before) => before,
  })

/** How many versions would be linted for the impact, and the stamp of what the grades depend on; nothing is linted for it. */
export const impactScopeQuery = (at: GuideRef, versions: 'latest' | 'all') =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide, 'impact', versions),
    queryFn: () => call(styleGuidesApi.impact, { params: guideParams(at), query: { versions, limit: 0 } }),
  })

/** Asked again until the job has ended. */
export const relintQuery = (tenant: string, job: string) =>
  queryOptions({
    queryKey: keyOf(tenant, 'relint', job),
    queryFn: () => call(styleGuidesApi.relint, { params: { tenant_slug: tenant, job_id: job } }),
    refetchInterval: ({ state }) => (state.data?.finishedAt || state.error ? false : 700),
  })

export const packsQuery = (at: GuideRef, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.guide, 'packs', offset),
    queryFn: () => call(styleGuidesApi.policyVersions, { params: guideParams(at), query: { limit: pageSize, offset } }),
  })

/** A pack never changes: what was read of it holds. */
export const packQuery = (at: GuideRef, pack: string) =>
  queryOptions({
    queryKey: ['policy-pack', at.tenant, at.guide, pack],
    queryFn: () => call(styleGuidesApi.policyVersion, { params: { ...guideParams(at), policy_version_id: pack } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What may be done to a guide, and otherwise why not. */
export const whyReadOnly = (guide: StyleGuideOut, mayEdit: boolean): string | null => {
  if (guide.builtin) return 'Builtin guides cannot be changed. Duplicate the guide to customize it.'
  return mayEdit ? null : 'Read-only: editing style guides needs the role Owner or Admin.'
}
