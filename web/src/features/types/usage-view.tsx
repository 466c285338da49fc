import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { readRef, writeRef } from '../comparison/queries.ts'
import { type Box, boxSize, type Edge, type Graph, layOut, type Usage } from './graph.ts'
import { type TypeAt, typeQuery, usageQuery } from './queries.ts'
import { RepinForm } from './repin-form.tsx'

const looks: Record<Box['of']['kind'], string> = {
  self: 'fill-wash stroke-accent',
  type: 'fill-surface stroke-edge',
  missing: 'fill-danger-wash stroke-danger',
  version: 'fill-info-wash stroke-info',
  more: 'fill-ground stroke-line',
}
const inks: Record<Box['of']['kind'], string> = {
  self: 'fill-accent font-semibold',
  type: 'fill-ink',
  missing: 'fill-danger',
  version: 'fill-info',
  more: 'fill-soft',
}

const longest = 24
/** The end of a reference tells more than its beginning. */
const short = (text: string): string => (text.length <= longest ? text : `…${text.slice(1 - longest)}`)

const curve = ({ from, to }: Edge): string => {
  const [x1, y1] = [from.x + boxSize.width, from.y + boxSize.height / 2]
  const [x2, y2] = [to.x - 5, to.y + boxSize.height / 2]
  const middle = (x1 + x2) / 2
  return `M ${x1} ${y1} C ${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

const Target = ({ tenant, box, children }: { tenant: string; box: Box; children: ReactNode }) => {
  const { of } = box
  if (of.kind === 'type')
    return (
      <Link to="/t/$tenant/-/types/$type/usage" params={{ tenant, type: of.id }} aria-label={box.text}>
        {children}
      </Link>
    )
  if (of.kind === 'version')
    return (
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: of.project, version: of.version }}
        aria-label={box.text}
      >
        {children}
      </Link>
    )
  return <g>{children}</g>
}

/** Who refers to a type, and what it refers to. The tables beside it have the same as text, and all of it. */
const UsageGraph = ({ tenant, graph, label }: { tenant: string; graph: Graph; label: string }) => (
  <div role="region" aria-label={label} tabIndex={0} className="card overflow-x-auto p-4">
    <svg
      role="group"
      aria-label={label}
      width={graph.width + 2}
      height={graph.height + 2}
      viewBox={`-1 -1 ${graph.width + 2} ${graph.height + 2}`}
      className="mx-auto max-w-none"
    >
      <defs>
        <marker id="usage-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M 0 0 L 8 4 L 0 8 z" className="fill-edge" />
        </marker>
      </defs>
      {graph.edges.map((edge) => (
        <path
          key={`${edge.from.key} ${edge.to.key}`}
          d={curve(edge)}
          className="fill-none stroke-edge"
          markerEnd="url(#usage-arrow)"
        />
      ))}
      {graph.boxes.map((box) => (
        <Target key={box.key} tenant={tenant} box={box}>
          <title>{box.text}</title>
          <rect
            x={box.x}
            y={box.y}
            width={boxSize.width}
            height={boxSize.height}
            rx={8}
            className={looks[box.of.kind]}
          />
          <text
            x={box.x + boxSize.width / 2}
            y={box.y + boxSize.height / 2}
            textAnchor="middle"
            dominantBaseline="central"
            className={`text-xs ${inks[box.of.kind]}`}
          >
            {short(box.text)}
          </text>
        </Target>
      ))}
    </svg>
  </div>
)

const depths = [
  { value: '1', name: 'Direct' },
  { value: '2', name: 'Through one type' },
  { value: '32', name: 'All' },
] as const

const mostPlaces = 3
const Places = ({ pointers }: { pointers: readonly string[] }) => (
  <>
    {pointers.slice(0, mostPlaces).map((it) => (
      <code key={it} className="block font-mono text-xs break-all">
        {it}
      </code>
    ))}
    {pointers.length > mostPlaces ? (
      <span className="text-xs">and {count(pointers.length - mostPlaces, 'place', 'places')} more</span>
    ) : null}
  </>
)

const cell = 'px-4 py-2 text-left align-top'

const TypesTable = ({ tenant, usage }: { tenant: string; usage: Usage }) => (
  <div className="card overflow-x-auto">
    <table className="w-full text-sm">
      <caption className="sr-only">Types that refer to it</caption>
      <thead className="border-b text-xs text-soft">
        <tr>
          <th className={cell}>Type</th>
          <th className={cell}>Refers</th>
          <th className={cell}>In</th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {usage.primitives.map((primitive) => (
          <tr key={primitive.id}>
            <td className={cell}>
              <Link
                to="/t/$tenant/-/types/$type"
                params={{ tenant, type: primitive.id }}
                className="link font-mono text-xs break-all"
              >
                {primitive.ref}
              </Link>
            </td>
            <td className={`${cell} whitespace-nowrap text-soft`}>
              {primitive.depth === 1 ? 'directly' : `through ${count(primitive.depth - 1, 'type', 'types')}`}
            </td>
            <td className={`${cell} text-soft`}>
              <Places pointers={primitive.pointers} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const VersionsTable = ({
  tenant,
  usage,
  newest,
  onMove,
}: {
  tenant: string
  usage: Usage
  newest: number
  /** Null where the role does not allow drafts. */
  onMove: ((version: string) => void) | null
}) => (
  <div className="card overflow-x-auto">
    <table className="w-full text-sm">
      <caption className="sr-only">Published versions that use it</caption>
      <thead className="border-b text-xs text-soft">
        <tr>
          <th className={cell}>Project</th>
          <th className={cell}>Version</th>
          <th className={cell}>Revision</th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {usage.versions.map(({ project, version, revision }) => (
          <tr key={`${project} ${version} ${revision}`}>
            <td className={cell}>
              <Link to="/t/$tenant/$project" params={{ tenant, project }} className="link break-words">
                {project}
              </Link>
            </td>
            <td className={cell}>
              <Link to="/t/$tenant/$project/$version" params={{ tenant, project, version }} className="link break-all">
                {version}
              </Link>
            </td>
            <td className={`${cell} text-soft tabular-nums`}>
              {revision}
              {revision < newest ? `, the newest is ${newest} ` : ''}
              {revision < newest && onMove ? (
                <button type="button" className="link min-h-6" onClick={() => onMove(writeRef({ project, version }))}>
                  Move
                  <span className="sr-only">
                    {' '}
                    {project} {version}
                  </span>{' '}
                  …
                </button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Used = ({
  tenant,
  record,
  usage,
  onMove,
}: {
  tenant: string
  record: PrimitiveRecord
  usage: Usage
  onMove: ((version: string) => void) | null
}) => {
  const graph = useMemo(() => layOut(record, usage), [record, usage])
  const isNarrow = useNarrow()
  const { primitives, versions } = usage
  const label = `Graph of ${record.name}: users on the left, what it refers to on the right`
  return (
    <>
      {/* A telephone has no room for it: the tables have the same. */}
      {graph.boxes.length > 1 && !isNarrow ? (
        <Section title="Graph" description="Users on the left, what it refers to on the right.">
          <UsageGraph tenant={tenant} graph={graph} label={label} />
        </Section>
      ) : null}
      {primitives.length === 0 && versions.length === 0 ? (
        <Empty title="Nothing uses this type yet">
          <p>
            Refer to it with <code className="font-mono text-sm">$ref: {record.ref}</code>. Drafts are not listed here:
            publishing a version lists it.
          </p>
        </Empty>
      ) : null}
      {primitives.length === 0 ? null : (
        <Section title={`Types (${usage.count.toLocaleString()})`}>
          <TypesTable tenant={tenant} usage={usage} />
          {usage.truncated ? (
            <p className="text-sm text-soft">The first {primitives.length.toLocaleString()} are shown.</p>
          ) : null}
        </Section>
      )}
      {versions.length === 0 ? null : (
        <Section
          title={`Published versions (${versions.length.toLocaleString()})`}
          description="Each keeps the revision of the moment when it was published."
        >
          <VersionsTable tenant={tenant} usage={usage} newest={record.revision} onMove={onMove} />
        </Section>
      )}
    </>
  )
}

/** Which types and published versions use a type: as a graph, and as tables. */
export const UsageView = ({ depth, ...at }: TypeAt & { depth: number }) => {
  const read = useQuery(typeQuery(at))
  const asked = depth >= 3 ? 32 : depth
  const usage = useQuery(usageQuery(at, asked))
  const { filter, dialog, item, open, close } = useAddress()
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'versions:edit')
  const chosen = readRef(item ?? undefined)
  return (
    <Read query={read} what="the type">
      {({ record }) => (
        <>
          <Toolbar>
            <Choices
              label="How far"
              value={String(asked)}
              choices={depths}
              onChange={(next) => filter({ depth: next === '1' ? undefined : Number(next ?? 1) })}
            />
            <CommandHint command={svcCommand(at.tenant, ['type', 'usage', record.ref])} />
          </Toolbar>
          <Read query={usage} what="the usage">
            {(data) => (
              <Used
                tenant={at.tenant}
                record={record}
                usage={data}
                onMove={may ? (version) => open('repin', version) : null}
              />
            )}
          </Read>
          <Window
            open={dialog === 'repin' && chosen !== null && may}
            onClose={close}
            title={`Move to revision ${record.revision}`}
          >
            {chosen === null ? null : (
              <RepinForm at={{ tenant: at.tenant, ...chosen }} type={record.ref} onClose={close} />
            )}
          </Window>
        </>
      )}
    </Read>
  )
}
