import { queryOptions } from '@tanstack/react-query'
import { lintFindingsApi, severities } from '../../../../src/api/lint-findings.ts'
import type { FindingShape, StaticOf } from '../../../../src/api/shapes.ts'
import { call } from '../../call.ts'
import { pieceSize } from '../../query-client.ts'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { type FindingFilter, type ReportView } from './report.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'

export type Finding = StaticOf<typeof FindingShape>

/** The first part of the key of every lint report. */
export const lintKey = (tenant: string) => ['lint', tenant] as const

const keyOf = ({ tenant, project, version }: VersionRef, what: string) => [...lintKey(tenant), what, project, version]

const filterOf = ({ q, severity, rule, place, by }: FindingFilter & Pick<ReportView, 'by'>) => {
  const named = severities.find((it) => it === severity)
  return {
    by,
    ...(q === '' ? {} : { q }),
    ...(named === undefined ? {} : { severity: named }),
    ...(rule === '' ? {} : { rule }),
    ...(place === '' ? {} : { place }),
  }
}

/**
 * The grade of a stored version under the guide that applies to its project, and how many findings there are of what. While other
 * filters are applied the last result stays, with the filters that it is of.
 */
export const lintSummaryQuery = (ref: VersionRef, view: ReportView) => {
  const { q, severity, rule, place, by } = view
  const of = keyOf(ref, 'summary')
  return queryOptions({
    queryKey: [...of, q, severity, rule, place, by],
    queryFn: async () => ({
      report: await call(lintFindingsApi.summary, { params: versionParams(ref), query: filterOf(view) }),
      filter: { q, severity, rule, place, by },
    }),
    placeholderData: (before, last) =>
      last !== undefined && of.every((part, index) => last.queryKey[index] === part) ? before : undefined,
  })
}

/** Findings of a report are read in pieces of this length. */
export const findingsInPiece = 50

/** A piece of the findings in the order of the report, with the lines around each where they are shown. */
export const findingsQuery = (ref: VersionRef, { q, severity, rule, place, by, frames }: ReportView, piece: number) =>
  queryOptions({
    queryKey: [...keyOf(ref, 'piece'), q, severity, rule, place, by, frames, piece],
    queryFn: () =>
      call(lintFindingsApi.findings, {
        params: versionParams(ref),
        query: {
          ...filterOf({ q, severity, rule, place, by }),
          lines: frames,
          limit: findingsInPiece,
          offset: piece * findingsInPiece,
        },
      }),
  })

/** More findings than these are not marked beside the lines of a source. */
const mostMarked = 2000

/** The findings of a version in the order of its text, as many as are marked, and how many there are. */
export const marksQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf(ref, 'marks'),
    queryFn: async (): Promise<{ readonly findings: readonly Finding[]; readonly total: number }> => {
      const findings: Finding[] = []
      for (;;) {
        const { items, total } = await call(lintFindingsApi.findings, {
          params: versionParams(ref),
          query: { by: 'text', limit: pieceSize, offset: findings.length },
        })
        findings.push(...items.map((it) => it.finding))
        if (items.length === 0 || findings.length >= Math.min(total, mostMarked)) return { findings, total }
      }
    },
  })

/** Which guide of which organization. */
export interface GuideRef {
  readonly tenant: string
  readonly guide: string
}

export const guideParams = ({ tenant, guide }: GuideRef) => ({ tenant_slug: tenant, guide_id: guide })

/** The first part of the key of everything that is read about style guides: a change of one may show in all of it. */
export const guidesKey = (tenant: string) => ['style-guides', tenant] as const

export const rulesQuery = (at: GuideRef) =>
  queryOptions({
    queryKey: [...guidesKey(at.tenant), at.guide, 'rules'],
    queryFn: () => call(styleGuidesApi.rules, { params: guideParams(at) }),
  })
