import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { VersionAssessment } from '../../../../src/api/insights.ts'
import { type VersionRecord, versionsApi } from '../../../../src/api/versions.ts'
import { compareLabels } from '../../../../src/kernel/version-label.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts } from '../../parts/page.tsx'
import { Failure, Notice } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { queryClient } from '../../query-client.ts'
import { assessmentQuery, versionParams, type VersionRef } from '../catalog/versions.ts'
import { nextLabels } from '../projects/next-labels.ts'

type Changes = NonNullable<VersionAssessment['changes']>

const raised: Readonly<Record<NonNullable<Changes['max_severity']>, 'Major' | 'Minor' | 'Patch'>> = {
  breaking: 'Major',
  'non-breaking': 'Minor',
  'docs-only': 'Patch',
}

/**
 * The label that the changes call for (Semantic Versioning 2.0.0, sections 6 to 8).
 * @param label that of the draft
 * @returns null where the draft has it or a greater one, and where the labels are no semantic versions
 */
export function suggestedLabel(label: string, { base, max_severity: severity }: Changes): string | null {
  if (severity === null) return null
  const wanted = nextLabels([base.label]).find(({ name }) => name === raised[severity])?.label
  return wanted === undefined || compareLabels(label, wanted) >= 0 ? null : wanted
}

const changesOf = ({ counts }: Changes): string => {
  const parts = [
    [counts.breaking, 'breaking'],
    [counts.unknown, 'undecided'],
    [counts.non_breaking, 'non-breaking'],
    [counts.docs_only, 'documentation'],
  ] as const
  return parts.flatMap(([n, name]) => (n === 0 ? [] : [`${n.toLocaleString()} ${name}`])).join(', ') || 'none'
}

const brokenOf = ({ total, broken, unknown }: VersionAssessment['consumers']): string => {
  if (total === 0) return 'nobody that is registered: the project has no consumers'
  const maybe = unknown.length === 0 ? '' : ` For ${unknown.join(', ')} it cannot be decided.`
  return broken.length === 0
    ? `none of ${count(total, 'consumer', 'consumers')}.${maybe}`
    : `${broken.length.toLocaleString()} of ${count(total, 'consumer', 'consumers')}: ${broken.join(', ')}.${maybe}`
}

/** Gives the draft the label that its changes call for. */
const Relabel = ({ at, label, base }: { at: VersionRef; label: string; base: string }) => {
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: () => call(versionsApi.update, { params: versionParams(at), body: { label } }),
    onSuccess: async ({ slug }) => {
      await navigate({
        to: '/t/$tenant/$project/$version',
        params: { ...at, version: slug },
        search: { dialog: 'publish' },
        replace: true,
      })
      await queryClient.invalidateQueries()
    },
  })
  return (
    <Notice tone="warn" title={`The changes since ${base} call for ${label}`}>
      <p>
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          Name it {label}
        </Button>
      </p>
      {change.error ? <Failure error={change.error} /> : null}
    </Notice>
  )
}

/** What publishing a draft means: the version before it, what changes, and whom that breaks. */
export const PublishSummary = ({ at, record }: { at: VersionRef; record: VersionRecord }) => (
  <Read query={useQuery(assessmentQuery(at))} what="what publishing means">
    {({ changes, consumers }) => {
      const suggested = changes === null ? null : suggestedLabel(record.label, changes)
      return (
        <>
          <Facts
            facts={[
              ['Version before', changes?.base.label ?? 'none, this is the first'],
              [
                'Changes',
                changes === null ? null : (
                  <Link key="changes" to="/t/$tenant/$project/$version/changes" params={{ ...at }} className="link">
                    {changesOf(changes)}
                  </Link>
                ),
              ],
              ['Breaks', changes === null ? null : brokenOf(consumers)],
            ]}
          />
          {suggested === null || changes === null ? null : (
            <Relabel at={at} label={suggested} base={changes.base.label} />
          )}
        </>
      )
    }}
  </Read>
)
