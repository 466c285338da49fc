/** What functions in JavaScript see of a run: the objects that Spectral gives to its functions (`RulesetFunctionContext`). */
import type { Document } from '../../src/document/document.ts'
import type { Json } from '../../src/kernel/json.ts'
import { formatFragment } from '../../src/kernel/pointer.ts'
import { findReferences, resolveReference, type Documents, type Reference } from '../../src/document/reference.ts'
import type { FunctionContext } from '../../src/lint/rule.ts'

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** "components", "schemas", the name. */
const areaDepth = 3

interface KnownReference extends Reference {
  readonly document: Document
  readonly target: { readonly document: Document; readonly path: Reference['path']; readonly value: Json } | null
}

/** A linted document with everything that its references reach, each reference replaced by its target unless that leads back to it. */
class Resolved {
  readonly nodes: Record<string, { readonly refMap: Record<string, string>; readonly data: unknown }> = {}
  readonly #documents: Documents
  readonly #byHolder = new Map<object, KnownReference>()
  readonly #ofDocument = new Map<Document, readonly KnownReference[]>()
  readonly #circular = new Set<KnownReference>()
  readonly #views = new WeakMap<object, unknown>()

  constructor(entry: Document, documents: Documents) {
    this.#documents = documents
    const waiting = [entry]
    for (const document of waiting)
      for (const { target } of this.#read(document))
        if (target !== null && !this.#ofDocument.has(target.document)) waiting.push(target.document)
    this.#findCircles()
    for (const [document, references] of this.#ofDocument)
      this.nodes[document.source] = {
        refMap: Object.fromEntries(references.map((it) => [formatFragment(it.path), addressOf(it)])),
        data: this.view(document.value),
      }
  }

  #read(document: Document): readonly KnownReference[] {
    const known = this.#ofDocument.get(document)
    if (known !== undefined) return known
    const found = findReferences(document.value).map((reference): KnownReference => {
      const target = resolveReference(document, reference, this.#documents)
      return { ...reference, document, target: typeof target === 'string' ? null : target }
    })
    this.#ofDocument.set(document, found)
    for (const it of found) {
      const holder = holderOf(document, it)
      if (holder !== null) this.#byHolder.set(holder, it)
    }
    return found
  }

  // A reference stays where its target leads back to it (Tarjan's strongly connected components, without recursion).
  #findCircles(): void {
    const within = new Map<object, readonly KnownReference[]>()
    const next = ({ target }: KnownReference): readonly KnownReference[] => {
      if (target === null || !isContainer(target.value)) return []
      let found = within.get(target.value)
      if (found === undefined) {
        const { document, path } = target
        found = this.#near(document, path).filter((it) =>
          path.every((step, index) => String(it.path[index]) === String(step)),
        )
        within.set(target.value, found)
      }
      return found
    }
    const order = new Map<KnownReference, number>()
    const low = new Map<KnownReference, number>()
    const open: KnownReference[] = []
    const isOpen = new Set<KnownReference>()
    for (const first of this.#byHolder.values()) {
      if (order.has(first)) continue
      const stack: { readonly at: KnownReference; index: number }[] = []
      const enter = (at: KnownReference): void => {
        order.set(at, order.size)
        low.set(at, order.get(at)!)
        open.push(at)
        isOpen.add(at)
        stack.push({ at, index: 0 })
      }
      enter(first)
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const other = next(top.at)[top.index++]
        if (other !== undefined) {
          if (!order.has(other)) enter(other)
          else if (isOpen.has(other)) low.set(top.at, Math.min(low.get(top.at)!, order.get(other)!))
          continue
        }
        stack.pop()
        const above = stack.at(-1)?.at
        if (above !== undefined) low.set(above, Math.min(low.get(above)!, low.get(top.at)!))
        if (low.get(top.at) === order.get(top.at)) this.#close(top.at, open, isOpen, next)
      }
    }
  }

  readonly #areas = new Map<Document, Map<string, readonly KnownReference[]>>()

  // The references of a document that may be below a path: most targets are components, and few references are in each.
  #near(document: Document, path: Reference['path']): readonly KnownReference[] {
    const all = this.#ofDocument.get(document) ?? []
    if (path.length < areaDepth) return all
    const areaOf = (at: Reference['path']): string => at.slice(0, areaDepth).join('/')
    let areas = this.#areas.get(document)
    if (areas === undefined) this.#areas.set(document, (areas = Map.groupBy(all, (it) => areaOf(it.path))))
    return areas.get(areaOf(path)) ?? []
  }

  #close(
    root: KnownReference,
    open: KnownReference[],
    isOpen: Set<KnownReference>,
    next: (it: KnownReference) => readonly KnownReference[],
  ): void {
    const component: KnownReference[] = []
    for (let at = open.pop(); at !== undefined; at = at === root ? undefined : open.pop()) {
      isOpen.delete(at)
      component.push(at)
    }
    if (component.length > 1 || next(root).includes(root)) for (const it of component) this.#circular.add(it)
  }

  #target(value: object): unknown {
    let at: unknown = value
    const seen = new Set<unknown>()
    while (isContainer(at) && !seen.has(at)) {
      seen.add(at)
      const reference = this.#byHolder.get(at)
      if (reference === undefined || reference.target === null || this.#circular.has(reference)) return at
      at = reference.target.value
    }
    return at
  }

  /** A value as such functions expect it: what references lead to is in their place. */
  view(value: unknown): unknown {
    const own = isContainer(value) ? this.#target(value) : value
    if (!isContainer(own)) return own
    let view = this.#views.get(own)
    if (view === undefined) {
      view = new Proxy(own, {
        get: (target, key) =>
          typeof key === 'string' && Object.hasOwn(target, key)
            ? this.view(Reflect.get(target, key))
            : Reflect.get(target, key),
      })
      this.#views.set(own, view)
    }
    return view
  }
}

const addressOf = ({ document, target, ref }: KnownReference): string => {
  if (target === null) return ref
  const fragment = formatFragment(target.path)
  if (target.document === document) return fragment
  return `${target.document.source}${target.path.length === 0 ? '' : fragment}`
}

const holderOf = ({ value }: Document, { path }: Reference): object | null => {
  let at: unknown = value
  for (const step of path) at = isContainer(at) ? Reflect.get(at, step) : undefined
  return isContainer(at) ? at : null
}

const known = new WeakMap<Document, Resolved>()

const resolvedOf = (entry: Document, documents: Documents): Resolved => {
  let made = known.get(entry)
  if (made === undefined) known.set(entry, (made = new Resolved(entry, documents)))
  return made
}

/** The input of a function: as it is written, or with its references resolved where the rule requires that. */
export const inputOf = (input: unknown, { linted, documents, isResolved }: FunctionContext): unknown =>
  isResolved ? resolvedOf(linted, documents).view(input) : input

/** The third argument of a function of Spectral. */
export function contextOf(context: FunctionContext): object {
  const { linted: entry, documents, rule } = context
  const shown = {
    source: entry.source,
    data: entry.value,
    parserResult: { data: entry.value },
    formats: context.formats,
    getRangeForJsonPath: (at: readonly (string | number)[]) => entry.locate(at, { spectral: true }),
  }
  return {
    path: [...context.way],
    document: shown,
    documentInventory: {
      document: shown,
      source: entry.source,
      formats: context.formats,
      unresolved: entry.value,
      get resolved() {
        return resolvedOf(entry, documents).view(entry.value)
      },
      get graph() {
        const { nodes } = resolvedOf(entry, documents)
        return { nodes, getNodeData: (source: string) => nodes[source] }
      },
      referencedDocuments: Object.fromEntries(
        Object.entries(documents).map(([name, it]) => [name, { source: it.source, data: it.value }]),
      ),
      findAssociatedItemForPath: (at: readonly (string | number)[]) => ({
        document: shown,
        path: at,
        missingPropertyPath: at,
      }),
    },
    rule: { name: rule, definition: {} },
  }
}
