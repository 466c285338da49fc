import type { Output } from '../../../../src/api/endpoint.ts'
import type { ReviewedTypeRecord } from '../../../../src/api/primitive-shapes.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
import type { Tone } from '../../parts/badge.tsx'

export type Review = Output<typeof primitivesApi.review>
export type Reviewed = ReviewedTypeRecord
export type Action = Reviewed['resolutions'][number]

/** What becomes of a conflict; `name` is the new name where it is renamed. */
export interface Decision {
  readonly action: Action
  readonly name: string
}

export const actionNames: Readonly<Record<Action, string>> = {
  keep: 'Keep the registered type',
  overwrite: 'Overwrite it with a new revision',
  rename: 'Import under another name',
}

/** What someone decided about an import; what is not in it stays as the review recommends. */
export interface Decisions {
  readonly conflicts: ReadonlyMap<string, Decision>
  /** Keys of types that are not imported. */
  readonly excluded: ReadonlySet<string>
}

export const undecided: Decisions = { conflicts: new Map(), excluded: new Set() }

/** What becomes of a conflict; null for a type that does not conflict. */
export const decisionOf = (it: Reviewed, { conflicts }: Decisions): Decision | null =>
  it.classification === 'Conflict'
    ? (conflicts.get(it.key) ?? { action: it.recommended ?? 'keep', name: `${it.name}2` })
    : null

/** The kinds of rows that the list can be narrowed to. */
export const kinds = ['new', 'conflict', 'identical', 'invalid', 'unresolved'] as const
export type Kind = (typeof kinds)[number]
export const kindNames: Readonly<Record<Kind, string>> = {
  new: 'New',
  conflict: 'Conflicts',
  identical: 'Identical',
  invalid: 'Invalid',
  unresolved: 'Unresolved references',
}

const isOf = (it: Reviewed, kind: Kind): boolean => {
  if (kind === 'invalid') return !it.validation.valid
  if (kind === 'unresolved') return it.unresolved.length > 0
  return it.classification.toLowerCase() === kind
}

export const readKind = (text: string | undefined): Kind | null => kinds.find((it) => it === text) ?? null

export const countKinds = (types: readonly Reviewed[]): Record<Kind, number> =>
  Object.fromEntries(kinds.map((kind) => [kind, types.filter((it) => isOf(it, kind)).length])) as Record<Kind, number>

/** The rows of a kind whose name or namespace contains a text. */
export const filterTypes = (types: readonly Reviewed[], kind: Kind | null, q: string): Reviewed[] => {
  const wanted = q.trim().toLowerCase()
  return types.filter(
    (it) =>
      (kind === null || isOf(it, kind)) &&
      (wanted === '' || `${it.namespace}/${it.name} ${it.key}`.toLowerCase().includes(wanted)),
  )
}

/** One action for every conflict: as recommended, or the same for all. */
export const decideAll = (
  types: readonly Reviewed[],
  action: 'recommended' | 'keep' | 'overwrite',
): Decisions['conflicts'] =>
  action === 'recommended'
    ? new Map()
    : new Map(
        types.filter((it) => it.classification === 'Conflict').map((it) => [it.key, { action, name: `${it.name}2` }]),
      )

export const classTones: Readonly<Record<Reviewed['classification'], Tone>> = {
  New: 'ok',
  Identical: 'plain',
  Conflict: 'warn',
}

/** What the import will do, counted before it is done. */
export interface Outcome {
  readonly created: number
  readonly revised: number
  readonly unchanged: number
  readonly left: number
}

export const outcomeOf = (types: readonly Reviewed[], decisions: Decisions): Outcome => {
  const counted = { created: 0, revised: 0, unchanged: 0, left: 0 }
  for (const it of types) {
    const decision = decisionOf(it, decisions)
    if (decisions.excluded.has(it.key) || !it.validation.valid) counted.left++
    else if (it.classification === 'New' || decision?.action === 'rename') counted.created++
    else if (decision?.action === 'overwrite') counted.revised++
    else counted.unchanged++
  }
  return counted
}

/** The decisions as the service takes them. */
export const writeDecisions = (types: readonly Reviewed[], decisions: Decisions) => {
  const chosen = types.filter((it) => !decisions.excluded.has(it.key))
  const resolutions = Object.fromEntries(
    chosen.flatMap((reviewed) => {
      const decision = decisionOf(reviewed, decisions)
      if (decision === null) return []
      const { action, name } = decision
      return [[reviewed.key, action === 'rename' ? { action, name: name.trim() } : { action }]]
    }),
  )
  return { resolutions, ...(chosen.length === types.length ? {} : { select: chosen.map((it) => it.key) }) }
}

/** Why an import cannot begin yet; null where it can. */
export const obstacleOf = (types: readonly Reviewed[], decisions: Decisions): string | null => {
  const chosen = types.filter((it) => !decisions.excluded.has(it.key))
  if (chosen.length === 0) return 'Select at least one type.'
  const nameless = chosen.find((it) => {
    const decision = decisionOf(it, decisions)
    return decision?.action === 'rename' && (decision.name.trim() === '' || decision.name.trim() === it.name)
  })
  return nameless === undefined ? null : `Enter another name for ${nameless.name}.`
}
