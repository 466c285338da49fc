import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Grade } from '../../parts/badge.tsx'
import { versionQuery, type VersionRef } from '../catalog/versions.ts'
import { changesQuery, threadsQuery } from './queries.ts'

/** What a decision is about, in numbers: what breaks, the grade, and what is still being talked about. */
export const Facts = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  const changes = useQuery(changesQuery(at))
  const threads = useQuery(threadsQuery(at))
  const breaking = changes.data?.base == null ? null : changes.data.counts.breaking
  const open = threads.data?.open.length ?? 0
  return (
    <>
      {breaking === null ? null : (
        <Badge tone={breaking > 0 ? 'danger' : 'ok'}>
          {breaking > 0 ? count(breaking, 'breaking change', 'breaking changes') : 'nothing breaks'}
        </Badge>
      )}
      {version.data ? <Grade grade={version.data.grade} score={version.data.score} /> : null}
      {open === 0 ? null : <span>{count(open, 'open thread', 'open threads')}</span>}
    </>
  )
}
