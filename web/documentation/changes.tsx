import { useQuery } from '@tanstack/react-query'
import type { ChangesPart } from '../../src/api/reader.ts'
import { dayOf, exactly } from '../src/parts/time.ts'
import { Markdown } from '../src/parts/markdown.tsx'
import { Loading } from '../src/parts/states.tsx'
import { useReading } from './reading.ts'
import { PartError } from './part-error.tsx'

/** What changed in the newest versions, from their change reports. */
export const Changes = () => {
  const { parts, setting } = useReading()
  const part = useQuery({ queryKey: ['changes'], queryFn: () => parts.read<ChangesPart>('changes') })
  if (part.isError) return <PartError error={part.error} onRetry={() => void part.refetch()} />
  if (part.data === undefined) return <Loading what="the changes" />
  const { versions } = part.data
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 tabIndex={-1} className="text-xl font-semibold outline-none">
          Changes
        </h2>
        {setting.feedUrl === null ? null : (
          <a className="link text-sm" href={setting.feedUrl}>
            Atom feed
          </a>
        )}
      </div>
      {versions.length === 0 ? <p className="text-soft">No published version has a change report yet.</p> : null}
      {versions.map(({ label, published_at: at, headline, text, page }, nth) => (
        <section key={label} className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t pt-4">
          <h3 className="flex flex-wrap items-baseline gap-x-2 text-lg font-semibold">
            <a className="link" href={page}>
              {label}
            </a>
            <time dateTime={at} title={exactly(at)} className="text-sm font-normal text-soft">
              {dayOf(at)}
            </time>
          </h3>
          <p>{headline}</p>
          <details open={nth === 0}>
            <summary className="min-h-6 cursor-pointer py-0.5 text-sm">The whole report</summary>
            <div className="pt-2 text-sm">
              <Markdown text={text} />
            </div>
          </details>
        </section>
      ))}
    </div>
  )
}
