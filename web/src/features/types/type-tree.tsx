import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { Button } from '../../parts/button.tsx'
import { isNode } from '../../parts/openapi-document.ts'
import { type Branch, branchesOf, definitionsOf, openedAll, summaryOf } from './tree.ts'

type Edge = PrimitiveRecord['refs'][number]

/** What every line of the tree has to know. */
interface ChangeContext {
  readonly tenant: string
  readonly root: unknown
  /** The references that leave the schema, by their place. */
  readonly refs: ReadonlyMap<string, Edge>
  readonly open: ReadonlySet<string>
  readonly onToggle: (key: string) => void
}

/** A reference that leaves the schema: a link to the type, or that there is none. */
const Outside = ({ tenant, edge }: { tenant: string; edge: Edge }) =>
  edge.primitive_id === null ? (
    <span className="font-mono text-sm break-all">
      {edge.target} <span className="font-sans text-xs font-medium text-danger">not found</span>
    </span>
  ) : (
    <Link
      to="/t/$tenant/-/types/$type"
      params={{ tenant, type: edge.primitive_id }}
      className="link font-mono text-sm break-all"
    >
      {edge.target}
    </Link>
  )

const mostValues = 30
const Values = ({ values }: { values: readonly unknown[] }) => (
  <p className="text-xs wrap-anywhere text-soft">
    One of{' '}
    {values.slice(0, mostValues).map((value) => (
      <code key={JSON.stringify(value)} className="mr-1 rounded bg-raised px-1 font-mono text-ink">
        {JSON.stringify(value)}
      </code>
    ))}
    {values.length > mostValues ? `and ${(values.length - mostValues).toLocaleString()} more` : ''}
  </p>
)

const Line = ({ branch, around }: { branch: Branch; around: ChangeContext }) => {
  const edge = around.refs.get(`${branch.pointer}/$ref`)
  const summary = summaryOf(around.root, branch.schema)
  return (
    <>
      <span className={`wrap-anywhere ${branch.isProperty ? 'font-mono text-sm' : 'text-sm text-soft'}`}>
        {branch.label}
      </span>
      {edge || (summary.type === 'anything' && summary.values.length > 0) ? null : (
        <span className="text-sm text-soft">{summary.type}</span>
      )}
      {branch.required ? <span className="text-xs font-medium text-soft">required</span> : null}
      {summary.deprecated ? <span className="text-xs font-medium text-warn">deprecated</span> : null}
      {summary.limits.length > 0 ? (
        <span className="min-w-0 text-xs wrap-anywhere text-soft">{summary.limits.join(', ')}</span>
      ) : null}
    </>
  )
}

/** How deep a type that contains itself can be opened. */
const deepest = 32

const Node = ({
  branch,
  above,
  depth,
  around,
}: {
  branch: Branch
  above: string
  depth: number
  around: ChangeContext
}) => {
  const key = above === '' ? branch.name : `${above} ${branch.name}`
  const below = depth < deepest ? branchesOf(around.root, branch.schema, branch.pointer) : []
  const edge = around.refs.get(`${branch.pointer}/$ref`)
  const { description, values } = summaryOf(around.root, branch.schema)
  const isOpen = around.open.has(key)
  return (
    <li className="py-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {below.length > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => around.onToggle(key)}
            className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-2 rounded text-left hover:bg-raised"
          >
            <span aria-hidden="true" className="w-3 text-soft">
              {isOpen ? '▾' : '▸'}
            </span>
            <Line branch={branch} around={around} />
          </button>
        ) : (
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 pl-5">
            <Line branch={branch} around={around} />
            {edge ? <Outside tenant={around.tenant} edge={edge} /> : null}
          </div>
        )}
        {edge && below.length > 0 ? <Outside tenant={around.tenant} edge={edge} /> : null}
      </div>
      {description === null ? null : (
        <p className="max-w-[75ch] pl-5 text-sm wrap-anywhere whitespace-pre-line text-soft">{description}</p>
      )}
      {values.length > 0 ? (
        <div className="pl-5">
          <Values values={values} />
        </div>
      ) : null}
      {isOpen && below.length > 0 ? (
        <div className="ml-1.5 border-l pl-3">
          <Branches branches={below} above={key} depth={depth + 1} around={around} />
        </div>
      ) : null}
    </li>
  )
}

/** How many lines of one level are drawn before someone asks for the others. */
const mostLines = 100
/** How many are drawn with each request for more. */
const moreLines = 400

const Branches = ({
  branches,
  above,
  depth,
  around,
}: {
  branches: readonly Branch[]
  above: string
  depth: number
  around: ChangeContext
}) => {
  const [most, setMost] = useState(mostLines)
  const shown = branches.slice(0, most)
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((branch) => (
          <Node key={branch.name} branch={branch} above={above} depth={depth} around={around} />
        ))}
      </ul>
      {shown.length < branches.length ? (
        <div className="py-2">
          <Button onClick={() => setMost(most + moreLines)}>
            Show {Math.min(moreLines, branches.length - shown.length).toLocaleString()} more of{' '}
            {branches.length.toLocaleString()}
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** How many lines "Expand all" shows at most. */
const mostExpanded = 400

/** The schema of a type as a tree: what it allows, and links to the types that it refers to. */
export const TypeTree = ({ tenant, record }: { tenant: string; record: PrimitiveRecord }) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const root = record.schema
  const toggle = (key: string): void =>
    setOpen((before) => (before.has(key) ? new Set([...before].filter((it) => it !== key)) : new Set([...before, key])))
  const refs = new Map(record.refs.map((it) => [it.pointer, it]))
  const around: ChangeContext = { tenant, root, refs, open, onToggle: toggle }
  const branches = branchesOf(root, root, '')
  const definitions = definitionsOf(root)
  const summary = summaryOf(root, root)
  const edge = refs.get('/$ref')
  const canOpen = branches.some((it) => branchesOf(root, it.schema, it.pointer).length > 0)
  return (
    <div className="card grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
          {edge ? <Outside tenant={tenant} edge={edge} /> : <span className="font-medium">{summary.type}</span>}
          {summary.limits.length > 0 ? (
            <span className="min-w-0 text-xs wrap-anywhere text-soft">{summary.limits.join(', ')}</span>
          ) : null}
        </p>
        {canOpen ? (
          <button
            type="button"
            className="link text-sm"
            onClick={() => setOpen(open.size > 0 ? new Set() : openedAll(root, mostExpanded))}
          >
            {open.size > 0 ? 'Collapse all' : 'Expand all'}
          </button>
        ) : null}
      </div>
      {summary.values.length > 0 ? <Values values={summary.values} /> : null}
      {branches.length > 0 ? <Branches branches={branches} above="" depth={0} around={around} /> : null}
      {definitions.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer text-sm font-medium">
            Definitions ({definitions.length.toLocaleString()})
          </summary>
          <Branches branches={definitions} above="definitions" depth={0} around={around} />
        </details>
      ) : null}
      {branches.length === 0 && definitions.length === 0 && isNode(root) && Object.keys(root).length === 0 ? (
        <p className="text-sm text-soft">It allows every value.</p>
      ) : null}
    </div>
  )
}
