/** What functions in JavaScript see of a run: the objects that Spectral gives to its functions (`RulesetFunctionContext`). */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Range } from '../../src/document/position.ts'
import { findReferences, resolveReference, type Documents, type Reference } from '../../src/document/reference.ts'
import type { Json } from '../../src/kernel/json.ts'
import { formatFragment, getPath } from '../../src/kernel/pointer.ts'
import { brokenReferences } from '../../src/lint/broken-references.ts'
import { severities, type Severity } from '../../src/lint/finding.ts'
import { formatTitle, type FormatName } from '../../src/lint/formats.ts'
import { Graph, withItself } from '../../src/lint/graph.ts'
import type { FunctionContext } from '../../src/lint/rule.ts'
import { severityAt } from '../../src/lint/severity-at.ts'

/** Whether a value has members. */
export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

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

/** A format as functions of Spectral know it: by its displayName, whichever package it is from. */
interface ShownFormat {
  (value: unknown): boolean
  readonly displayName: string
}

const formatOf = (name: FormatName, formats: ReadonlySet<FormatName>): ShownFormat =>
  Object.assign(() => formats.has(name), { displayName: formatTitle(name) })

/** The formats of a document: `has` takes formats of `@stoplight/spectral-formats`, which know themselves by their titles. */
class ShownFormats extends Set<unknown> {
  override has(format: unknown): boolean {
    const title = typeof format === 'function' ? Reflect.get(format, 'displayName') : format
    return [...this].some((it) => Reflect.get(it as ShownFormat, 'displayName') === title)
  }
}

const shownFormats = (names: Iterable<FormatName>, formats: ReadonlySet<FormatName>): ShownFormats =>
  new ShownFormats([...names].map((name) => formatOf(name, formats)))

/** The severities as numbers: 0 is an error. */
const levelOf = (severity: Severity): number => severities.indexOf(severity)

const diagnosticsOf = ({ problems }: Document, source: string | null): object[] =>
  problems.map(({ message, path, range, severity }) => ({
    code: 'parser',
    message,
    path,
    range,
    severity: levelOf(severity),
    ...(source === null ? {} : { source }),
  }))

type Steps = readonly (string | number)[]

const locate = (document: Document, path: Steps, closest: boolean | undefined): { readonly range: Range } | undefined =>
  closest === true || getPath(document.value, path) !== undefined
    ? { range: document.locate(path, { spectral: true }) }
    : undefined

const parserFor = (document: Document): object => {
  const parse = (text: string): object => {
    const parsed = parseDocument(text, { source: document.source, syntax: document.syntax })
    return { data: parsed.value, diagnostics: diagnosticsOf(parsed, null), document: parsed }
  }
  return {
    parse,
    getLocationForJsonPath: (result: { readonly document: Document }, path: Steps, closest?: boolean) =>
      locate(result.document, path, closest),
    trapAccess: (value: unknown) => value,
  }
}

/** A file by its whole path, as Spectral names it; an address as it is. */
const absolute = (source: string, cwd: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? source : resolve(cwd, source)

const sourceOf = ({ source }: Document, cwd: string): string | null =>
  source === '-' || source === '' ? null : absolute(source, cwd)

const shown = new WeakMap<Document, object>()

/** A document of a run, as `IDocument` of Spectral. */
function documentOf(document: Document, formats: ReadonlySet<FormatName> | null, cwd: string): object {
  let made = shown.get(document)
  if (made !== undefined) return made
  const source = sourceOf(document, cwd)
  const diagnostics = diagnosticsOf(document, source)
  made = {
    source,
    input: document.text,
    data: document.value,
    diagnostics,
    parser: parserFor(document),
    parserResult: { data: document.value, diagnostics, document },
    formats: formats === null ? null : shownFormats(formats, formats),
    getRangeForJsonPath: (path: Steps, closest?: boolean) => locate(document, path, closest)?.range,
    trapAccess: (value: unknown) => value,
  }
  shown.set(document, made)
  return made
}

/** Where a way from the linted document leads: through references where the rule resolves them. */
function itemAt(context: FunctionContext, way: Steps, isResolved: boolean, cwd: string): object {
  const { linted, documents, formats } = context
  const found = isResolved
    ? new Graph(withItself(linted, documents)).place(linted, way, { resolved: true, referrer: null, jumped: false })
    : new Graph({}).place(linted, way, { resolved: false, referrer: null, jumped: false })
  return {
    document: documentOf(found.document, found.document === linted ? formats : null, cwd),
    path: found.path,
    missingPropertyPath: found.wanted,
  }
}

function ruleOf({ rule: name, definition, formats }: FunctionContext): object {
  const { description, message, documentationUrl, extensions, recommended, given, owner } = definition
  const then = definition.then.map(({ field, run, options }) => ({
    ...(field === undefined ? {} : { field }),
    function: run,
    ...(options === undefined ? {} : { functionOptions: options }),
  }))
  const severity = definition.severity ?? 'warning'
  const shared = {
    description: description ?? null,
    message: message ?? null,
    documentationUrl: documentationUrl ?? null,
    severity: levelOf(severity),
    recommended: recommended !== false,
    resolved: definition.resolved !== false,
    given: [...given],
    then,
    extensions: extensions ?? null,
  }
  return {
    name,
    ...shared,
    enabled: true,
    formats: definition.formats === undefined ? null : shownFormats(definition.formats as FormatName[], formats),
    owner: { source: owner ?? null, definition: {} },
    definition: Object.fromEntries(Object.entries(shared).filter(([, it]) => it !== null)),
    matchesFormat: () => true,
    getGivenForFormats: () => [...given],
    getSeverityForSource: (source: string, path: Steps) => {
      const found = severityAt(definition, severity, path, source)
      return found === 'off' ? -1 : levelOf(found)
    },
  }
}

/** The third argument of a function of Spectral (`RulesetFunctionContext`); files have their whole paths, seen from `cwd`. */
export function contextOf(context: FunctionContext, cwd: string): object {
  const { linted: entry, documents, formats } = context
  const document = documentOf(entry, formats, cwd)
  const others = Object.values(documents).filter((it) => it !== entry)
  return {
    path: [...context.way],
    document,
    documentInventory: {
      document,
      source: sourceOf(entry, cwd),
      formats: shownFormats(formats, formats),
      unresolved: entry.value,
      get resolved() {
        return resolvedOf(entry, documents).view(entry.value)
      },
      get graph() {
        const nodes = Object.fromEntries(
          Object.entries(resolvedOf(entry, documents).nodes).map(([name, it]) => [absolute(name, cwd), it]),
        )
        return { nodes, getNodeData: (source: string) => nodes[source] }
      },
      get errors() {
        return brokenReferences(entry, documents, { everywhere: true, types: false }).map(({ message, path }) => ({
          code: 'invalid-ref',
          message,
          path,
          severity: levelOf('error'),
          range: entry.locate(path, { spectral: true }),
        }))
      },
      get diagnostics() {
        return others.flatMap((it) => diagnosticsOf(it, sourceOf(it, cwd)))
      },
      get referencedDocuments() {
        return Object.fromEntries(others.map((it) => [absolute(it.source, cwd), documentOf(it, null, cwd)]))
      },
      // What references lead to was read before the run.
      resolver: { resolve: (value: unknown) => Promise.resolve({ result: value, errors: [] }) },
      findAssociatedItemForPath: (at: Steps, isResolved: boolean) => itemAt(context, at, isResolved, cwd),
    },
    rule: ruleOf(context),
  }
}
