import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { insightsApi } from '../../../../src/api/insights.ts'
import { call } from '../../call.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { queryClient } from '../../query-client.ts'

const waitMs = 1500

/** Which stored grades are being calculated again, asked again until none is. */
const gradingQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['grading', tenant],
    queryFn: () => call(insightsApi.grading, { params: { tenant_slug: tenant } }),
    staleTime: waitMs,
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? waitMs : false),
  })

/** What a grade is shown in: they are read again once the new ones are stored. */
const graded = ['versions', 'projects', 'lint', 'home'] as const

/**
 * Whether stored grades are being calculated again, since a style guide changed.
 * @param project the id of the one project that is meant; any when it is left out
 */
const useGrading = (tenant: string, project?: string) => {
  const grading = useQuery(gradingQuery(tenant))
  const items = (grading.data?.items ?? []).filter(
    (it) => project === undefined || it.project_id === null || it.project_id === project,
  )
  const isUnderWay = items.length > 0
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !isUnderWay)
      for (const first of graded) void queryClient.invalidateQueries({ queryKey: [first, tenant] })
    was.current = isUnderWay
  }, [isUnderWay, tenant])
  const sum = (of: 'done' | 'total'): number => items.reduce((all, it) => all + it[of], 0)
  return { isUnderWay, done: sum('done'), total: sum('total') }
}

/** The stored grade of a version; while it is calculated again it says so instead, so that no page shows two grades. */
export const StoredGrade = ({
  tenant,
  project,
  grade,
  score,
}: {
  tenant: string
  /** The id of its project. */
  project: string
  grade: string | null
  score: number | null
}) =>
  useGrading(tenant, project).isUnderWay ? (
    <Badge tone="info">grade is being recalculated</Badge>
  ) : (
    <Grade grade={grade} score={score} />
  )

/** Says above a list that its grades are about to change; nothing where they are not. */
export const GradingNote = ({ tenant, project }: { tenant: string; project?: string }) => {
  const { isUnderWay, done, total } = useGrading(tenant, project)
  if (!isUnderWay) return null
  return (
    <p role="status" className="text-sm text-info">
      Grades are being recalculated, since a style guide changed
      {total > 0 ? `: ${done.toLocaleString()} of ${total.toLocaleString()} versions` : ''} …
    </p>
  )
}
