import { useState, type ReactNode } from 'react'
import { Button } from '../src/parts/button.tsx'
import { Badge, Method } from '../src/parts/badge.tsx'
import { CopyButton } from '../src/parts/copy.tsx'
import { count } from '../src/parts/text.ts'
import { Html } from './html.tsx'
import { OperationView } from './operation.tsx'
import { countWords, groupOperations, groupStarts, shortCount } from './place.ts'
import { useReading } from './reading.ts'

/** So many operations are drawn in full, for reading and printing: more take a browser too long. */
const mostInFull = 100

/** Every operation in full, for those who read or print a whole document of moderate size. Groups of larger ones have their own. */
const Whole = () => {
  const { parts } = useReading()
  const [isFull, setIsFull] = useState(false)
  const { operations } = parts.index
  if (operations.length === 0 || operations.length > mostInFull) return null
  if (!isFull)
    return (
      <div>
        <Button onClick={() => setIsFull(true)}>Show every operation in full, to read or print</Button>
      </div>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      {operations.map((_, at) => (
        <OperationView key={at} index={at} isAlone={false} />
      ))}
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-2">
    <h3 className="text-lg font-semibold">{title}</h3>
    {children}
  </section>
)

/** What the API is: its description, servers, authentication, and what there is. */
export const Introduction = () => {
  const { parts, href } = useReading()
  const { index } = parts
  const groups = groupOperations(index)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid gap-2">
          <h2 tabIndex={-1} className="text-2xl font-semibold wrap-anywhere outline-none">
            {index.title}
          </h2>
          <p className="text-sm text-soft">
            {index.version === '' ? '' : `Document version ${index.version} · `}
            {countWords(index.operations)} · {count(index.schemas.length, 'schema', 'schemas')}
          </p>
        </div>
        {index.summary === '' ? null : <p>{index.summary}</p>}
        <Html html={index.description} />
        {index.servers.length > 0 ? (
          <Section title="Servers">
            <ul className="grid gap-2">
              {index.servers.map(({ url, description }) => (
                <li key={url} className="card grid gap-1 px-3 py-2">
                  <span className="flex items-center gap-2">
                    <code className="min-w-0 font-mono text-sm break-all">{url}</code>
                    <CopyButton text={url} what="the address" />
                  </span>
                  <Html html={description} quiet />
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        {index.security.length > 0 ? (
          <Section title="Authentication">
            <ul className="grid gap-2">
              {index.security.map(({ name, kind, description }) => (
                <li key={name} className="card grid gap-1 px-3 py-2">
                  <span className="wrap-anywhere">
                    <strong className="font-semibold">{name}</strong> <span className="text-soft">{kind}</span>
                  </span>
                  <Html html={description} quiet />
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        {index.groups.length > 0 ? (
          <Section title="Operations">
            <ul className="grid gap-1 sm:grid-cols-2">
              {index.groups.map(({ name }, at) => (
                <li key={name} className="flex items-baseline gap-2">
                  <a className="link inline-block min-h-6 wrap-anywhere" href={href({ kind: 'group', index: at })}>
                    {name}
                  </a>
                  <span className="text-sm text-soft tabular-nums" title={countWords(groups[at] ?? [])}>
                    {shortCount(groups[at] ?? [])}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        {index.facts.length > 0 ? (
          <dl className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-4">
            {index.facts.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="[&_a]:inline-block [&_a]:min-h-6">
                  <Html html={value} />
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
      <Whole />
    </div>
  )
}

/** The operations of a group, as a list or in full. */
export const GroupView = ({ at }: { at: number }) => {
  const { parts, href } = useReading()
  const [isFull, setIsFull] = useState(false)
  const group = parts.index.groups[at]
  if (group === undefined) return null
  const start = groupStarts(parts.index)[at] ?? 0
  const operations = parts.index.operations.slice(start, start + group.count)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
        {group.name}
      </h2>
      <Html html={group.description} />
      <ul className={`card divide-y divide-line ${isFull ? 'print:hidden' : ''}`}>
        {operations.map((operation, nth) => (
          <li key={nth}>
            <a
              className="flex flex-wrap items-baseline gap-x-2 px-3 py-2 -outline-offset-2 hover:bg-raised"
              href={href({ kind: 'operation', index: start + nth })}
            >
              <Method method={operation.method} />
              <span className="font-mono text-sm break-all">{operation.path}</span>
              <span className="text-sm text-soft">{operation.summary}</span>
              {operation.isWebhook ? <Badge tone="info">webhook</Badge> : null}
              {operation.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
            </a>
          </li>
        ))}
      </ul>
      {isFull ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
          {operations.slice(0, mostInFull).map((_, nth) => (
            <OperationView key={nth} index={start + nth} isAlone={false} />
          ))}
        </div>
      ) : (
        <div className="print:hidden">
          <Button onClick={() => setIsFull(true)}>
            {operations.length > mostInFull
              ? `Show the first ${mostInFull} in full, to read or print`
              : 'Show all of them in full, to read or print'}
          </Button>
        </div>
      )}
    </div>
  )
}
