import { useQuery } from '@tanstack/react-query'
import { Method } from '../src/parts/badge.tsx'
import { Loading } from '../src/parts/states.tsx'
import { Html } from './html.tsx'
import { schemaPart } from './parts.ts'
import { useReading } from './reading.ts'
import { SchemaTree } from './schema.tsx'
import { Trouble } from './trouble.tsx'

/** A schema, and the operations that name it. */
export const SchemaPage = ({ index }: { index: number }) => {
  const { parts, href } = useReading()
  const part = useQuery({ queryKey: ['schema', index], queryFn: () => schemaPart(parts, index) })
  if (part.isError) return <Trouble error={part.error} onRetry={() => void part.refetch()} />
  if (part.data === undefined) return <Loading what="the schema" />
  const { schema, usedBy } = part.data
  return (
    <article aria-label={schema.name} className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <h2 tabIndex={-1} className="font-mono text-xl font-semibold break-all outline-none">
        {schema.name}
      </h2>
      <Html html={schema.view.description} />
      <SchemaTree view={schema.view} />
      {usedBy.length > 0 ? (
        <section className="grid gap-1 border-t pt-4">
          <h3 className="font-semibold">Used by</h3>
          <ul>
            {usedBy.map((at) => {
              const operation = parts.index.operations[at]
              return operation === undefined ? null : (
                <li key={at}>
                  <a
                    className="flex flex-wrap items-baseline gap-x-1 py-1 hover:bg-raised"
                    href={href({ kind: 'operation', index: at })}
                  >
                    <Method method={operation.method} />
                    <span className="font-mono text-sm break-all">{operation.path}</span>
                    <span className="text-sm text-soft">{operation.summary}</span>
                  </a>
                </li>
              )
            })}
          </ul>
        </section>
      ) : null}
    </article>
  )
}
