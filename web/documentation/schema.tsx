import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member, SchemaView } from '../../src/api/reader.ts'
import { Html } from './html.tsx'
import { schemaPart } from './parts.ts'
import { useReading } from './reading.ts'
import { PartError } from './part-error.tsx'

/** Deeper than people follow; a schema that contains itself ends here too. */
const deepest = 30

/** The type of a schema, its names as links, and what limits it. */
export const TypeLine = ({ view }: { view: SchemaView }) => {
  const { parts, href } = useReading()
  return (
    <>
      <span className="text-sm wrap-anywhere text-soft">
        {view.type.map((part, at) => {
          if (typeof part === 'string') return part
          const index = parts.index.schemas.indexOf(part.schema)
          return index < 0 ? (
            part.schema
          ) : (
            <a key={at} className="link" href={href({ kind: 'schema', index })}>
              {part.schema}
            </a>
          )
        })}
      </span>
      {view.deprecated ? <span className="text-xs font-medium text-warn">deprecated</span> : null}
      {view.facts.length > 0 ? <span className="text-xs wrap-anywhere text-soft">{view.facts.join('; ')}</span> : null}
    </>
  )
}

const namedIn = ({ type }: SchemaView): string[] => type.flatMap((it) => (typeof it === 'string' ? [] : [it.schema]))

const Named = ({ name, depth }: { name: string; depth: number }) => {
  const { parts } = useReading()
  const index = parts.index.schemas.indexOf(name)
  const part = useQuery({ queryKey: ['schema', index], queryFn: () => schemaPart(parts, index), enabled: index >= 0 })
  if (part.isError) return <PartError error={part.error} onRetry={() => void part.refetch()} />
  if (part.data === undefined) return null
  const { view } = part.data.schema
  return (
    <>
      {view.members.length === 0 || depth === 0 ? (
        <div className="grid gap-1 py-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <TypeLine view={view} />
          </p>
          {view.members.length === 0 ? <Html html={view.description} quiet /> : null}
        </div>
      ) : null}
      <Members of={view} depth={depth} />
    </>
  )
}

/** What is below a schema: its members, then those of the schemas that it names. */
const Members = ({ of, depth }: { of: SchemaView; depth: number }) => {
  // What a merged schema names is listed among its members already.
  const names = depth < deepest && of.isMerged !== true ? namedIn(of) : []
  return (
    <>
      {of.members.length > 0 ? (
        <ul className="divide-y divide-line">
          {of.members.map((member, at) => (
            <MemberLine key={`${at} ${member.name}`} member={member} depth={depth} />
          ))}
        </ul>
      ) : null}
      {names.map((name) => (
        <div key={name}>
          {names.length > 1 || of.members.length > 0 ? (
            <p className="pt-2 text-xs font-semibold text-soft">{name}</p>
          ) : null}
          <Named name={name} depth={depth + 1} />
        </div>
      ))}
    </>
  )
}

const MemberLine = ({ member: { name, required, view }, depth }: { member: Member; depth: number }) => {
  const { parts } = useReading()
  // What a schema is put together of says nothing while it is closed.
  const [open, setOpen] = useState(depth === 0 && /^part \d+$/.test(name))
  const canOpen =
    view.members.length > 0 || (view.isLeaf !== true && namedIn(view).some((it) => parts.index.schemas.includes(it)))
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] py-1.5">
      {canOpen ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={`Parts of ${name}`}
          onClick={() => setOpen(!open)}
          className="inline-flex size-6 items-center justify-center rounded text-soft hover:bg-raised hover:text-ink"
        >
          <span aria-hidden="true">{open ? '▾' : '▸'}</span>
        </button>
      ) : (
        <span />
      )}
      <div className="grid min-w-0 gap-1 pl-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-mono text-sm break-all">{name}</span>
          <TypeLine view={view} />
          {required ? <span className="text-xs font-medium text-danger">required</span> : null}
        </p>
        <Html html={view.description} quiet />
        {open && depth < deepest ? (
          <div className="border-l pl-3">
            <Members of={view} depth={depth + 1} />
          </div>
        ) : null}
      </div>
    </li>
  )
}

/** A schema with its members. What it names is read when it is opened; at the top it is open. */
export const SchemaTree = ({ view }: { view: SchemaView }) => (
  <div className="grid grid-cols-[minmax(0,1fr)]">
    <p className="flex flex-wrap items-baseline gap-x-2">
      <TypeLine view={view} />
    </p>
    <Members of={view} depth={0} />
  </div>
)
