import { canonicalJson } from '../../kernel/canonical.ts'
import { isObject, type Json } from '../../kernel/json.ts'
import { digestText } from '../../document/serialize.ts'
import { edgesOf } from '../edges.ts'
import { foldParts } from '../fold.ts'
import { refOf } from '../../kernel/type-ref.ts'
import { coreTypes } from './core.ts'
import type { BuiltinDeclaration } from './declare.ts'
import { standardTypes } from './standard.ts'

/** A type that comes with svc. It is not a row: it changes with the program. */
export interface BuiltinType extends BuiltinDeclaration {
  readonly scope: 'standard' | 'core'
  /** The reference without a revision; also its id. */
  readonly ref: string
  readonly schemaId: string | null
  readonly digest: string
  /** What searches compare, as `foldParts` writes it. */
  readonly folded: string
  /** What its references are known by. */
  readonly keys: readonly { readonly pointer: string; readonly target: string; readonly key: string | null }[]
}

const byName = (a: BuiltinDeclaration, b: BuiltinDeclaration): number => {
  if (a.namespace === b.namespace) return a.name < b.name ? -1 : 1
  return a.namespace < b.namespace ? -1 : 1
}

function complete(declaration: BuiltinDeclaration, scope: 'standard' | 'core'): BuiltinType {
  const schema: Json = declaration.schema
  const ref = refOf(declaration)
  const schemaId = isObject(schema) && typeof schema.$id === 'string' ? schema.$id : null
  return {
    ...declaration,
    scope,
    ref,
    schemaId,
    digest: digestText(canonicalJson(schema)),
    folded: foldParts([
      declaration.name,
      declaration.namespace,
      ref,
      declaration.description,
      ...declaration.tags,
      schemaId,
    ]),
    keys: edgesOf(schema),
  }
}

let made: readonly BuiltinType[] | null = null

/** The types that come with svc, by namespace and name. */
export function builtinTypes(): readonly BuiltinType[] {
  made ??= [
    ...standardTypes.map((it) => complete(it, 'standard')),
    ...coreTypes.map((it) => complete(it, 'core')),
  ].toSorted(byName)
  return made
}

let byRef: ReadonlyMap<string, BuiltinType> | null = null

/** The type that comes with svc under a reference without a revision, or under its `$id`; undefined where there is none. */
export function builtinByKey(key: string): BuiltinType | undefined {
  byRef ??= new Map(
    builtinTypes().flatMap((it) =>
      [it.ref, it.schemaId].flatMap((name) => (name === null ? [] : [[name, it] as const])),
    ),
  )
  return byRef.get(key)
}
