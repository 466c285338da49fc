import { useMutation, useQuery } from '@tanstack/react-query'
import { type Comment, threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { versionParams, versionQuery, type VersionRef } from '../versions/queries.ts'
import { refreshReviews } from './queries.ts'

const lineTone = (line: string): string =>
  line.startsWith('+')
    ? 'bg-ok-wash text-ok'
    : line.startsWith('-')
      ? 'bg-danger-wash text-danger'
      : line.startsWith('@@')
        ? 'text-soft'
        : ''

/** The change that a comment suggests, as the lines of a difference, and the button that makes it. */
export const Suggestion = ({ at, comment }: { at: VersionRef; comment: Comment }) => {
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const apply = useMutation({
    mutationFn: async () => {
      await call(threadsApi.applySuggestion, {
        params: { ...versionParams(at), comment_id: comment.id },
        headers: { 'if-match': `"${version.data?.digest ?? ''}"` },
      })
      await refreshReviews(at.tenant)
    },
  })
  const { suggestion } = comment
  if (suggestion === null) return null
  const may = version.data?.status === 'draft' && holds(identity.data, at.tenant, 'versions:edit')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <pre
        tabIndex={0}
        role="group"
        aria-label="Suggested change"
        className="overflow-auto rounded-md border py-1 font-mono text-xs"
      >
        {suggestion.diff.split('\n').map((line, index) => (
          <span key={index} className={`block w-fit min-w-full px-3 leading-5 ${lineTone(line)}`}>
            {line}
          </span>
        ))}
      </pre>
      {suggestion.applied_at ? (
        <p className="text-sm text-soft">
          Applied by {suggestion.applied_by?.name ?? 'the service'}, <Moment at={suggestion.applied_at} />
        </p>
      ) : may ? (
        <div>
          <Button busy={apply.isPending} onClick={() => apply.mutate()}>
            Apply the suggestion
          </Button>
        </div>
      ) : null}
      {apply.error ? <Failure error={apply.error} /> : null}
    </div>
  )
}
