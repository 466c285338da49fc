import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CommandHint, CopyButton } from '../parts/copy.tsx'
import { count } from '../parts/page.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { documentTextQuery, type VersionRef } from '../queries.ts'

/** A line longer than this is cut on the screen, never in the copy: minified documents are one line of megabytes. */
const longest = 2000

/** The author's own text, line by line; `line` (from 1) is scrolled to and marked. */
export const SourceView = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const source = useQuery(documentTextQuery(at))
  const lines = useMemo(() => (source.data === undefined ? [] : source.data.split('\n')), [source.data])
  if (source.isError) return <Failure error={source.error} onRetry={() => void source.refetch()} />
  if (source.data === undefined) return <Loading what="the document" />
  return (
    <section aria-label="Source" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex items-center gap-2 text-sm text-soft">
          {count(lines.length, 'line', 'lines')}
          <CopyButton text={source.data} what="the document" />
        </p>
        <CommandHint
          command={`curl --header "X-API-Key: $SVC_API_KEY" ${location.origin}/v1/tenants/${[at.tenant, 'projects', at.project, 'versions', at.version].map(encodeURIComponent).join('/')}/document`}
        />
      </div>
      <VirtualList
        label="Lines of the document"
        total={lines.length}
        estimate={22}
        {...(line === null ? {} : { focusIndex: Math.min(line, lines.length) - 1 })}
      >
        {(index) => {
          const text = lines[index] ?? ''
          return (
            <div
              className={`flex gap-4 px-3 font-mono text-xs leading-[22px] ${index + 1 === line ? 'bg-warn-wash' : ''}`}
            >
              <span className="w-12 shrink-0 text-right text-soft select-none">{index + 1}</span>
              <span className="min-w-0 break-all whitespace-pre-wrap">
                {text.length > longest
                  ? `${text.slice(0, longest)} … ${count(text.length - longest, 'character', 'characters')} more`
                  : text}
              </span>
            </div>
          )
        }}
      </VirtualList>
    </section>
  )
}
