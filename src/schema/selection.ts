import type { Json } from '../kernel/json.ts'
import { allTypes, typeBit } from './node.ts'
import type { Node, NodeFactory } from './node.ts'

/** The schemas that the values of a discriminator select (OpenAPI 3.0.3, "Discriminator Object"). */
export interface Selection {
  readonly property: string
  /** The values of each branch, by the branch as it is written; none for one that no value selects. */
  readonly branches: ReadonlyMap<Json, readonly string[]>
  /** Where there are no branches: the schemas that extend this one, and itself, each with its values. */
  readonly heirs: readonly { readonly ref: string; readonly values: readonly string[] }[]
  /** The branch of a value without a meaning, as it is written. */
  readonly fallback: Json | null
}

/**
 * What a discriminator says about an object: it selects a schema, it selects `none` although it has to, every branch may hold
 * (`any`), or nothing beyond what is `written`.
 */
export type Selected =
  | { readonly is: 'schema'; readonly schema: Json }
  | { readonly is: 'none' }
  | { readonly is: 'any' }
  | { readonly is: 'written' }

/** The objects whose property, if they have it, is of these values or no text. */
export const selectedBy = (factory: NodeFactory, property: string, values: readonly string[]): Node => {
  const notText = factory.types(allTypes & ~typeBit.string)
  return factory.object(
    new Map([[property, factory.any([notText, factory.values(values)])]]),
    [],
    factory.always,
    false,
  )
}

/** The objects whose property, if they have it, is of none of these values. */
const notSelectedBy = (factory: NodeFactory, property: string, values: readonly string[]): Node =>
  values.length === 0
    ? factory.always
    : factory.object(new Map([[property, factory.not(factory.values(values))]]), [], factory.always, false)

/**
 * The values of a branch that a discriminator leaves to it: not those that select another one. Where it is `known` which values
 * are sent, those that select it and nothing else.
 */
export const claimOf = (factory: NodeFactory, selection: Selection, branch: Json, known: boolean): Node => {
  const { property, branches, fallback } = selection
  const own = branches.get(branch) ?? []
  if (fallback !== null && fallback !== branch)
    return factory.all([factory.required(property), selectedBy(factory, property, own)])
  if (known && own.length > 0 && fallback === null) return selectedBy(factory, property, own)
  const others = [...branches].filter(([it]) => it !== branch).flatMap(([, values]) => values)
  return notSelectedBy(
    factory,
    property,
    others.filter((it) => !own.includes(it)),
  )
}
