import { useQuery } from '@tanstack/react-query'
import { Badge, Grade } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { countKinds } from '../comparison/changes.ts'
import type { Compared } from '../comparison/queries.ts'
import { versionQuery, type VersionRef } from '../catalog/versions.ts'
import { threadsQuery } from './queries.ts'

const Breaks = ({ compared }: { compared: Compared }) => {
  const { breaking, undecided } = countKinds(compared.changes)
  const counts = compared.consumers?.counts
  const consumers = counts === undefined ? 0 : counts.broken + counts.unknown + counts.touched + counts.unaffected
  return (
    <>
      <Badge tone={breaking > 0 ? 'danger' : 'ok'}>
        {breaking > 0 ? `${breaking.toLocaleString()} breaking` : 'nothing breaks'}
      </Badge>
      {undecided === 0 ? null : <Badge tone="warn">{undecided.toLocaleString()} undecided</Badge>}
      {counts === undefined || consumers === 0 || breaking === 0 ? null : (
        <span>
          breaks <span className="font-semibold">{counts.broken.toLocaleString()}</span> of{' '}
          {count(consumers, 'consumer', 'consumers')}
        </span>
      )}
    </>
  )
}

/** What a decision is about, in numbers: what breaks and for whom, the grade, what is still being talked about, what was viewed. */
export const Facts = ({
  at,
  compared,
  viewed,
}: {
  at: VersionRef
  /** Null where there is nothing to compare with. */
  compared: Compared | null
  viewed: readonly [viewed: number, all: number] | null
}) => {
  const version = useQuery(versionQuery(at))
  const threads = useQuery(threadsQuery(at))
  const open = threads.data?.open.length ?? 0
  return (
    <>
      {compared === null ? null : <Breaks compared={compared} />}
      {version.data ? (
        <span className="max-md:hidden">
          <Grade grade={version.data.grade} score={version.data.score} />
        </span>
      ) : null}
      {open === 0 ? null : <span className="max-md:hidden">{count(open, 'open thread', 'open threads')}</span>}
      {viewed === null || viewed[1] === 0 ? null : (
        <span role="status" className="text-soft">
          {viewed[0].toLocaleString()} of {viewed[1].toLocaleString()} viewed
        </span>
      )}
    </>
  )
}
