import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from '@tanstack/react-router'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { Read } from '../../parts/listing.tsx'
import { Failure } from '../../parts/states.tsx'
import { AboutSection } from './about-section.tsx'
import { DraftGates } from './draft-gates.tsx'
import { assessmentQuery, overviewQuery } from './insights.ts'
import { LifecycleSection } from './lifecycle-section.tsx'
import { LinksSection } from './links-section.tsx'
import { OriginSection } from './origin-section.tsx'
import { OverviewStrip } from './overview-strip.tsx'
import { type VersionRef, versionQuery } from './queries.ts'

/** Brings the part into view that the address names, once it is drawn. */
const useFragment = (isDrawn: boolean): void => {
  const { hash } = useLocation()
  useEffect(() => {
    if (isDrawn && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [isDrawn, hash])
}

const Overview = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const overview = useQuery(overviewQuery(at))
  const assessment = useQuery(assessmentQuery(at))
  const isDraft = record.status === 'draft'
  useFragment(overview.data !== undefined)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <OverviewStrip at={at} record={record} overview={overview.data} assessment={assessment} />
      {assessment.error ? <Failure error={assessment.error} onRetry={() => void assessment.refetch()} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {isDraft ? <DraftGates at={at} record={record} /> : null}
          <Read query={overview} what="what the document says">
            {(it) => <AboutSection at={at} overview={it} operations={record.operations_count} />}
          </Read>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {isDraft ? null : <LifecycleSection at={at} record={record} />}
          <LinksSection at={at} record={record} />
          <OriginSection at={at} record={record} />
        </div>
      </div>
    </div>
  )
}

/** What a version is, its state, and what to do next. */
export const OverviewView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  return (
    <Read query={version} what="the version">
      {(record) => <Overview at={at} record={record} />}
    </Read>
  )
}
