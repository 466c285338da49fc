import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { followPath, parseFragment } from '../kernel/pointer.ts'
import { visitNodes } from '../document/references-in-document.ts'
import type { RenderSource } from '../import/render-source.ts'
import { bundleWith, type UsedTypes } from './bundle-types.ts'

/** Copies of types have so many objects and lists, and so many characters, at most: beyond them a type stays a schema of its own. */
const mostCopied = 200_000
const mostCharacters = 8 * 1024 * 1024

const remarks: ReadonlySet<string> = new Set(['title', 'description', 'deprecated', 'example', 'examples', 'default'])
const anchors: ReadonlySet<string> = new Set(['$anchor', '$dynamicAnchor'])
const prefix = '#/components/schemas/'

/** What is beside a reference, together with what the reference means. */
function joined(inner: Json, siblings: JsonObject): Json {
  const names = Object.keys(siblings)
  if (names.length === 0) return inner
  // Keywords of one schema look at each other (additionalProperties, unevaluatedProperties): only remarks can join it.
  return isObject(inner) && names.every((name) => remarks.has(name))
    ? { ...inner, ...siblings }
    : { allOf: [inner], ...siblings }
}

class Inliner {
  readonly #schemas: JsonObject
  readonly #added: ReadonlySet<string>
  /** Types that are never copied: schema resources, and those that a discriminator knows by their names. */
  readonly #whole: Set<string>
  /** Those that are named by more than `$ref`. */
  readonly #named = new Set<string>()
  readonly #refs = new Set<JsonObject>()
  /** Types that stay schemas of their own: they contain themselves, or are too large to repeat. */
  readonly #kept = new Set<string>()
  #copied = 0
  #characters = 0

  constructor({ openapi, classes }: RenderSource, added: ReadonlySet<string>, resources: ReadonlySet<string>) {
    const components = isObject(openapi.components) ? openapi.components : {}
    this.#schemas = isObject(components.schemas) ? components.schemas : {}
    this.#added = added
    this.#whole = new Set(resources)
    const note = (node: JsonObject) => {
      if (typeof node.$ref === 'string') this.#refs.add(node)
      if (isObject(node.discriminator)) this.#noteChoices(node, node.discriminator)
      const dynamic = this.#nameIn(node.$dynamicRef)
      if (dynamic !== null) this.#named.add(dynamic)
    }
    visitNodes(openapi, note)
    for (const schema of Object.values(classes)) visitNodes(schema, note, { schema: true })
    for (const name of [...resources, ...this.#named]) this.#keep(name)
  }

  // A discriminator chooses among schemas by their names: copies have none.
  #noteChoices({ oneOf, anyOf }: JsonObject, { mapping }: JsonObject): void {
    const choices = [oneOf, anyOf].flatMap((it) => (Array.isArray(it) ? (it as readonly Json[]) : []))
    const mapped = isObject(mapping) ? Object.values(mapping) : []
    for (const ref of [...choices.map((it) => (isObject(it) ? it.$ref : undefined)), ...mapped]) {
      const name = this.#nameIn(ref)
      if (name !== null) this.#whole.add(name)
    }
    for (const target of mapped) {
      const name = this.#nameIn(target)
      if (name !== null) this.#named.add(name)
    }
  }

  #nameIn(ref: Json | undefined): string | null {
    if (typeof ref !== 'string' || !ref.startsWith(prefix)) return null
    const [name = ''] = ref.slice(prefix.length).split('/', 1)
    return this.#added.has(name) ? name : null
  }

  #count(value: Json): void {
    this.#copied++
    if (typeof value === 'string') this.#characters += value.length
    // Names and punctuation of members.
    else if (isObject(value)) for (const name of Object.keys(value)) this.#characters += name.length + 6
  }

  get #isFull(): boolean {
    return this.#copied > mostCopied || this.#characters > mostCharacters
  }

  /** A value with the types in place of the references to them. */
  replace(value: Json, around: readonly string[] = []): Json {
    if (around.length > 0) this.#count(value)
    if (Array.isArray(value)) return (value as readonly Json[]).map((it) => this.replace(it, around))
    if (!isObject(value)) return value
    const name = this.#refs.has(value) ? this.#nameIn(value.$ref) : null
    if (name === null) return this.#members(value, around)
    const ref = value.$ref as string
    const path = parseFragment(ref.slice(1))
    const target = path === null ? null : followPath({ components: { schemas: this.#schemas } }, path)
    const isWhole = this.#whole.has(name)
    if (target === null || isWhole || around.includes(ref) || this.#isFull) {
      this.#keep(name)
      return this.#members(value, around)
    }
    const { $ref: _, ...siblings } = value
    return joined(this.replace(target.value, [...around, ref]), this.#members(siblings, around))
  }

  #members(value: JsonObject, around: readonly string[]): JsonObject {
    // A name for references can be given once; nothing refers to a copy.
    const isKept = ([key, it]: [string, Json]): boolean =>
      around.length === 0 || !anchors.has(key) || typeof it !== 'string'
    const entries = Object.entries(value).filter(isKept)
    return Object.fromEntries(entries.map(([key, it]) => [key, this.replace(it, around)]))
  }

  // What stays is complete: it refers to schemas that stay too.
  #keep(name: string): void {
    if (this.#kept.has(name)) return
    this.#kept.add(name)
    const schema = this.#schemas[name]
    if (schema === undefined) return
    visitNodes(
      schema,
      ({ $ref }) => {
        const other = this.#nameIn($ref)
        if (other !== null) this.#keep(other)
      },
      { schema: true },
    )
  }

  isLeft(name: string): boolean {
    return !this.#added.has(name) || this.#kept.has(name)
  }

  isAdded(name: string): boolean {
    return this.#added.has(name)
  }
}

/**
 * A version with the registered types that it refers to written at the places of the references. A type that contains itself
 * stays a schema of its own, and so does one that would be repeated too often, one that a discriminator names, and one that is a
 * schema resource.
 */
export function inlineTypes(source: RenderSource, types: UsedTypes): RenderSource {
  const { source: whole, added, resources } = bundleWith(source, types)
  if (added.size === 0) return whole
  const inliner = new Inliner(whole, added, resources)
  const rewrite = (schemas: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, it]) => [name, inliner.isAdded(name) ? it : inliner.replace(it)]),
    )
  const left = (schemas: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schemas).filter(([name]) => inliner.isLeft(name)))
  const { components, ...rest } = whole.openapi
  const parts = isObject(components) ? components : {}
  const { schemas, ...others } = parts
  const openapi = inliner.replace(rest) as JsonObject
  const beside = inliner.replace(others) as JsonObject
  const own = rewrite(isObject(schemas) ? schemas : {})
  const classes = rewrite(whole.classes)
  return {
    ...whole,
    openapi: { ...openapi, components: { ...beside, schemas: left(own) } },
    classes: left(classes),
  }
}
