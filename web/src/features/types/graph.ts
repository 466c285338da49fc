import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'

export type Usage = Output<typeof primitivesApi.usage>

/** What a box of the graph is. */
export type Boxed =
  | { readonly kind: 'self' }
  | { readonly kind: 'type'; readonly id: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'version'; readonly project: string; readonly version: string }
  | { readonly kind: 'more' }

export interface Box {
  readonly key: string
  readonly text: string
  readonly x: number
  readonly y: number
  readonly of: Boxed
}

/** A line from who refers to what is referred to. */
export interface Edge {
  readonly from: Box
  readonly to: Box
}

export interface Graph {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
}

export const boxSize = { width: 184, height: 34 } as const
const gap = { x: 64, y: 12 } as const
/** How many boxes a column has at most; one more says how many are not drawn. */
const mostInColumn = 8
/** How many columns of users are drawn; the table has those that are farther away. */
const mostLevels = 3

interface Planned {
  readonly key: string
  readonly text: string
  readonly of: Boxed
  /** Keys of the boxes that it refers to. */
  readonly to: readonly string[]
}

const shortened = (column: readonly Planned[], name: string): readonly Planned[] =>
  column.length <= mostInColumn
    ? column
    : [
        ...column.slice(0, mostInColumn - 1),
        {
          key: `more ${name}`,
          text: `${(column.length - mostInColumn + 1).toLocaleString()} more`,
          of: { kind: 'more' },
          to: [],
        },
      ]

const plan = (record: PrimitiveRecord, { primitives, versions }: Usage): readonly (readonly Planned[])[] => {
  const self: Planned = {
    key: record.id,
    text: record.name,
    of: { kind: 'self' },
    to: record.refs.map((it) => it.target),
  }
  const targets = new Map<string, Planned>()
  for (const { target, primitive_id: id } of record.refs)
    targets.set(target, {
      key: target,
      text: target.replace(/^svc:/, ''),
      of: id === null ? { kind: 'missing' } : { kind: 'type', id },
      to: [],
    })
  const deepest = Math.min(mostLevels, Math.max(0, ...primitives.map((it) => it.depth)))
  const levels = Array.from({ length: deepest }, (_, at) =>
    primitives
      .filter((it) => it.depth === deepest - at)
      .map(({ id, ref, uses }): Planned => ({
        key: id,
        text: ref.replace(/^svc:/, ''),
        of: { kind: 'type', id },
        to: uses,
      })),
  )
  const published = versions.map(({ project, version }): Planned => ({
    key: `${project} ${version}`,
    text: `${project} ${version}`,
    of: { kind: 'version', project, version },
    to: [record.id],
  }))
  const nearest = [...(levels.pop() ?? []), ...published]
  return [...levels, nearest, [self], [...targets.values()]].filter((it) => it.length > 0)
}

/** Users to the left of a type, what it refers to on its right; bounded, whatever the registry holds. */
export const layOut = (record: PrimitiveRecord, usage: Usage): Graph => {
  const columns = plan(record, usage).map((it, at) => shortened(it, String(at)))
  const tallest = Math.max(...columns.map((it) => it.length))
  const height = tallest * (boxSize.height + gap.y) - gap.y
  const placed = columns.flatMap((column, at) => {
    const top = (height - (column.length * (boxSize.height + gap.y) - gap.y)) / 2
    return column.map((planned, row) => ({
      planned: planned,
      box: {
        key: planned.key,
        text: planned.text,
        of: planned.of,
        x: at * (boxSize.width + gap.x),
        y: top + row * (boxSize.height + gap.y),
      } satisfies Box,
    }))
  })
  const byKey = new Map(placed.map(({ box }) => [box.key, box]))
  const edges = placed.flatMap(({ planned, box }) =>
    [...new Set(planned.to)].flatMap((key): Edge[] => {
      const to = byKey.get(key)
      return to === undefined || to.x <= box.x ? [] : [{ from: box, to }]
    }),
  )
  return {
    width: columns.length * (boxSize.width + gap.x) - gap.x,
    height,
    boxes: placed.map(({ box }) => box),
    edges,
  }
}
