import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { versionQuery, type VersionRef } from '../catalog/versions.ts'
import { Blocking } from './blocking.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { DiffView } from './diff-view.tsx'
import { Facts } from './facts.tsx'
import type { ListName } from './places-list.tsx'
import { placesQuery } from './queries.ts'
import { RequestReview } from './request-review.tsx'
import { ReviewsSection } from './reviews-section.tsx'
import { type ReviewAddress, SourceReview, useThreads } from './source-review.tsx'

const views = [
  { value: 'diff', name: 'What changed' },
  { value: 'source', name: 'Whole source' },
] as const

/** What changed, or the whole source, and the bar in which a reviewer decides. */
const Reviewed = ({ at, address, isSource }: { at: VersionRef; address: ReviewAddress; isSource: boolean }) => {
  const { show, filter } = useAddress()
  const { all } = useThreads(at, address.thread)
  if (isSource)
    return (
      <>
        <SourceReview at={at} address={address} onThread={(thread) => filter({ thread, line: '', show: 'source' })} />
        <DecisionBar at={at} facts={<Facts at={at} compared={null} viewed={null} />} />
      </>
    )
  const onOpened = (thread: string): void => show({ thread })
  return (
    <DiffView
      at={at}
      threads={all}
      focused={address.thread}
      onOpened={onOpened}
      whole={<SourceReview at={at} address={address} onThread={onOpened} />}
    />
  )
}

/** The review of a version: who is asked, what publishing needs, and what changed, with what is said about it. */
export const ReviewView = ({ at, address }: { at: VersionRef; address: ReviewAddress }) => {
  const { filter } = useAddress()
  const version = useQuery(versionQuery(at))
  const places = useQuery(placesQuery(at))
  const isSource = address.show === 'source' || address.line !== null || address.list !== ''
  const show = (list: ListName): void => {
    filter(list === 'findings' ? { list, show: 'source' } : { list: '', line: '', show: '' })
    document.getElementById('review-changes')?.scrollIntoView()
  }
  return (
    <section aria-label="Review" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1.5">
        <Choices
          label="What is shown"
          value={isSource ? 'source' : 'diff'}
          onChange={(next) => filter({ show: next === 'source' ? next : '', list: '', line: '', hide: '' })}
          choices={views}
        />
        <CommandHint command={svcCommand(at.tenant, ['thread', 'list', at.project, at.version])} />
        {version.data?.status === 'draft' ? (
          // What takes seconds for a large document is asked for once its lines are there.
          <Blocking at={at} isAsked={places.data !== undefined || places.error !== null} onList={show} />
        ) : null}
        <RequestReview at={at} />
      </div>
      <ReviewsSection at={at} />
      <div id="review-changes" className="grid scroll-mt-4 grid-cols-[minmax(0,1fr)] gap-3">
        <Reviewed at={at} address={address} isSource={isSource} />
      </div>
    </section>
  )
}
