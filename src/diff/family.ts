import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'
import { pointerOf } from './side.ts'
import type { PlacedValue, Side } from './side.ts'

/** What a discriminator's mapping names, as a reference: it may be the mere name of a schema. */
export const mappedReference = (target: string): string =>
  target.includes('/') || target.startsWith('#') ? target : `#/components/schemas/${target}`

/** A schema with the name that a discriminator knows it by. */
export interface Kin {
  readonly name: string
  readonly place: PlacedValue
}

/**
 * The named schemas of a document by those that they extend in `allOf`: a schema with a discriminator includes all that extend
 * it, although it does not name them (OpenAPI 3.0.3, "Discriminator Object", Swagger 2.0, `discriminator`).
 */
export class Family {
  private readonly side: Side
  private children: ReadonlyMap<string, readonly Kin[]> | null = null
  /** The last steps of the pointers of those that are extended: few places have one of them. */
  private readonly lastSteps = new Set<string>()

  constructor(side: Side) {
    this.side = side
  }

  /** The schemas that extend the one at a place, directly or through others; each once. */
  descendantsOf(place: PlacedValue): readonly Kin[] {
    if (!this.isExtended(place)) return []
    const found = new Map<string, Kin>()
    const queue = [pointerOf(place.path)]
    for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop())
      for (const kin of this.childrenOf(pointer)) {
        if (found.has(kin.name)) continue
        found.set(kin.name, kin)
        queue.push(pointerOf(kin.place.path))
      }
    return [...found.values()]
  }

  /** Whether no schema extends another one. */
  get isAlone(): boolean {
    if (!this.side.hasDiscriminators) return true
    this.children ??= this.collect()
    return this.children.size === 0
  }

  /** The references of the schemas that extend what a reference names. */
  extensionsOf(ref: string): readonly string[] {
    const place = this.side.hasDiscriminators ? this.side.find(ref) : null
    return place ? this.extensionsAt(place) : []
  }

  /** The references of the schemas that extend the one at a place. */
  extensionsAt(place: PlacedValue): readonly string[] {
    if (!this.isExtended(place)) return []
    return this.descendantsOf(place).map((kin) => `#${encodeURI(pointerOf(kin.place.path))}`)
  }

  /** Whether schemas may extend the one at a place, as far as that is seen at once. */
  private isExtended({ path }: PlacedValue): boolean {
    return !this.isAlone && this.lastSteps.has(String(path.at(-1) ?? ''))
  }

  private childrenOf(pointer: string): readonly Kin[] {
    this.children ??= this.collect()
    return this.children.get(pointer) ?? []
  }

  private collect(): ReadonlyMap<string, readonly Kin[]> {
    const children = new Map<string, Kin[]>()
    for (const [name, place] of this.side.namedSchemas()) {
      for (const parent of this.parentsOf(place)) {
        const list = children.get(parent)
        if (list) list.push({ name, place })
        else children.set(parent, [{ name, place }])
      }
    }
    return children
  }

  /** The pointers of the schemas that a schema names in its `allOf`. */
  private parentsOf({ value, path }: PlacedValue): readonly string[] {
    if (!isObject(value) || !Array.isArray(value.allOf)) return []
    return (value.allOf as readonly Json[]).flatMap((entry, i) => {
      if (!isObject(entry)) return []
      if (typeof entry.$ref !== 'string') return this.parentsOf({ value: entry, path: [...path, 'allOf', i] })
      const parent = this.side.find(entry.$ref)
      if (!parent) return []
      this.lastSteps.add(String(parent.path.at(-1) ?? ''))
      return [pointerOf(parent.path)]
    })
  }
}
