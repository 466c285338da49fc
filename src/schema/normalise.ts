import { compareNumbers, isExact, isNumeric } from '../document/exact.ts'
import type { Numeric } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { withoutLooks } from '../regex/looks.ts'
import { inDialect, publishedWords } from './dialect-words.ts'
import { Evaluation } from './evaluation.ts'
import { allTypes, canonical, typeBit } from './node.ts'
import type { Node, NodeFactory, TypeName } from './node.ts'
import type { Dialect, Direction, Reading, SchemaSource } from './schema-source.ts'
import { claimOf, selectedBy } from './selection.ts'
import type { Selection } from './selection.ts'
import { Unsent } from './unsent.ts'

const oldDialects = new Set<Dialect>(['swagger-2.0', 'openapi-3.0', 'draft-04', 'draft-06', 'draft-07'])
const nullableDialects = new Set<Dialect>(['swagger-2.0', 'openapi-3.0'])

/** Entries in an order that does not depend on how they were written. */
const sortedEntries = (value: JsonObject): [string, Json][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

/** Formats that say nothing about the text: some are hints for who displays or edits it. */
const formless = new Set(['', 'binary', 'password', 'commonmark', 'html'])

/** A number of a schema, as exact as it is written. */
const numericIn = (value: Json | undefined): Numeric | null =>
  isNumeric(value) && (isExact(value) || Number.isFinite(value)) ? value : null

const integerOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/**
 * Brings schemas of one document into the algebra. Defaults are written out by the factory (a `minItems: 0` is not a node),
 * so two spellings of one set become one node wherever that can be seen locally.
 */
export class Normaliser {
  private readonly memo = new Map<string, WeakMap<JsonObject, Node>>()
  private readonly unsent: Unsent
  readonly targets = new Map<string, Json>()

  private readonly factory: NodeFactory
  private readonly source: SchemaSource
  private readonly refKey: (pointer: string) => string
  private readonly reading: Reading

  /** `refKey` names the node of a reference; two documents share the name of what is the same in both. */
  constructor(
    factory: NodeFactory,
    source: SchemaSource,
    direction: Direction,
    refKey: (pointer: string) => string,
    reading: Reading = 'exact',
  ) {
    this.factory = factory
    this.source = source
    this.refKey = refKey
    this.reading = reading
    this.unsent = new Unsent(source, direction)
  }

  private get lenient(): boolean {
    return this.reading === 'tolerant' || this.reading === 'loose' || this.reading === 'chosen'
  }

  /**
   * The node of a schema as written. Never throws: what is not a schema is taken as one that says nothing.
   *
   * @param unsent properties that another part of the whole says are not sent
   */
  node(schema: Json | undefined, unsent: ReadonlySet<string> = none): Node {
    if (schema === true || schema === undefined) return this.factory.always
    if (schema === false) return this.factory.never
    if (!isObject(schema)) return this.factory.always
    const key = unsent.size === 0 ? '' : [...unsent].sort().join(' ')
    let memo = this.memo.get(key)
    if (!memo) this.memo.set(key, (memo = new WeakMap()))
    const known = memo.get(schema)
    if (known) return known
    const made = this.read(schema, unsent)
    memo.set(schema, made)
    return made
  }

  private read(written: JsonObject, outer: ReadonlySet<string>): Node {
    const { factory } = this
    const schema = inDialect(written, this.source.dialect)
    const own = this.unsent.namesOf(schema)
    const unsent = outer.size === 0 ? own : new Set([...outer, ...own])
    const ref = typeof schema.$ref === 'string' ? this.reference(schema.$ref, unsent) : null
    if (ref && oldDialects.has(this.source.dialect)) return ref
    const parts: Node[] = []
    if (ref) parts.push(ref)
    const typed = this.types(schema)
    this.values(schema, parts)
    this.numbers(schema, parts)
    this.strings(schema, parts)
    this.arrays(schema, parts)
    this.objects(schema, parts, unsent)
    this.compositions(schema, parts, unsent)
    if (this.source.isForeign === true) this.foreignWords(schema, parts)
    if (!typed && nullable(schema, this.source.dialect) && parts.length > 0) {
      return factory.any([factory.types(typeBit.null), factory.all(parts)])
    }
    if (typed) parts.push(typed)
    return factory.all(parts)
  }

  // JSON Schema 2020-12, core 8.1.1 and 4.3.3: a vocabulary that is not known may restrict anything.
  private foreignWords(schema: JsonObject, parts: Node[]): void {
    for (const [word, value] of Object.entries(schema))
      if (!publishedWords.has(word))
        parts.push(this.factory.opaque(`${word} ${canonical(value)} of a dialect that is not known`))
  }

  /** The node of a part of a schema, which is about the same value. */
  private part(schema: Json, unsent: ReadonlySet<string>): Node {
    return this.node(schema, unsent.size === 0 ? unsent : this.unsent.within(schema, unsent))
  }

  private reference(ref: string, unsent: ReadonlySet<string>): Node {
    let found = this.source.resolve(ref)
    if (!found)
      return this.factory.opaque(
        `the reference "${ref}" of the ${this.source.name ?? 'schema'}, which cannot be resolved`,
      )
    const names = unsent.size === 0 ? unsent : this.unsent.within(found.schema, unsent)
    if (names.size > 0) found = this.source.resolve(ref, names) ?? found
    const key = this.refKey(found.key)
    this.targets.set(key, found.schema)
    return this.factory.ref(key)
  }

  private types(schema: JsonObject): Node | null {
    const named = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []
    let mask = 0
    let integral = false
    let number = false
    for (const name of named) {
      if (name === 'integer') integral = true
      else if (name === 'number') number = true
      else if (name === 'file') mask |= typeBit.string
      else if (typeof name === 'string' && name in typeBit) mask |= typeBit[name as TypeName]
    }
    if (integral || number) mask |= typeBit.number
    if (mask === 0) return null
    if (nullable(schema, this.source.dialect)) mask |= typeBit.null
    const { factory } = this
    return integral && !number ? factory.all([factory.types(mask), factory.multiple(1)]) : factory.types(mask)
  }

  private values(schema: JsonObject, parts: Node[]): void {
    if (Array.isArray(schema.enum)) {
      // `nullable` beside a list without null: by the letter null is refused, and many mean that it is not.
      const also = this.lenient && nullable(schema, this.source.dialect) ? [null] : []
      parts.push(this.factory.values([...schema.enum, ...also]))
    }
    if ('const' in schema) parts.push(this.factory.values([schema.const ?? null]))
  }

  private numbers(schema: JsonObject, parts: Node[]): void {
    for (const [op, word, exclusiveWord] of [
      ['min', 'minimum', 'exclusiveMinimum'],
      ['max', 'maximum', 'exclusiveMaximum'],
    ] as const) {
      const bound = numericIn(schema[word])
      const exclusive = schema[exclusiveWord]
      if (bound !== null) parts.push(this.factory.bound(op, bound, exclusive === true))
      const strict = numericIn(exclusive)
      if (strict !== null) parts.push(this.factory.bound(op, strict, true))
    }
    const step = numericIn(schema.multipleOf)
    if (step !== null && compareNumbers(step, 0) > 0) parts.push(this.factory.multiple(step))
  }

  private strings(schema: JsonObject, parts: Node[]): void {
    this.count(schema, ['minLength', 'maxLength'], parts)
    if (typeof schema.pattern === 'string') parts.push(this.pattern(schema.pattern))
    const asserted = this.source.formats === 'asserted'
    // Binary is what has no other form; base64 is `byte` in one dialect and an encoding in the next.
    if (typeof schema.format === 'string' && !formless.has(schema.format) && asserted)
      parts.push(this.factory.format(schema.format))
    // Annotations in the specification, yet no one who reads the text can ignore them.
    for (const word of ['contentEncoding', 'contentMediaType', 'contentSchema'] as const) {
      const value = schema[word]
      if (value === 'base64' && asserted) parts.push(this.factory.format('byte'))
      else if (value !== undefined && value !== 'application/octet-stream' && value !== 'binary') {
        parts.push(
          this.factory.any([
            this.factory.types(allTypes & ~typeBit.string),
            this.factory.opaque(`${word} ${canonical(value)}`),
          ]),
        )
      }
    }
  }

  private arrays(schema: JsonObject, parts: Node[]): void {
    const { factory } = this
    this.count(schema, ['minItems', 'maxItems'], parts)
    if (schema.uniqueItems === true) parts.push(factory.unique())
    const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems
    if (Array.isArray(tuple)) {
      const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
      const prefix = tuple.map((item) => this.node(item))
      parts.push(factory.items(prefix, this.node(rest)))
    } else if (schema.items !== undefined) parts.push(factory.items([], this.node(schema.items)))
    if (schema.contains !== undefined) {
      const min = integerOf(schema.minContains) ?? 1
      parts.push(factory.contains(this.node(schema.contains), min, integerOf(schema.maxContains) ?? Infinity))
    }
    if (schema.unevaluatedItems !== undefined && schema.unevaluatedItems !== true) {
      parts.push(this.unevaluatedItems(schema))
    }
  }

  private objects(schema: JsonObject, parts: Node[], unsent: ReadonlySet<string>): void {
    const { factory } = this
    this.count(schema, ['minProperties', 'maxProperties'], parts)
    this.required(schema, parts, unsent)
    const properties = isObject(schema.properties) ? schema.properties : {}
    const named = new Map(
      sortedEntries(properties).map(([name, it]) => [
        name,
        this.lenient && this.unsent.isUnsent(it) ? factory.always : this.node(it),
      ]),
    )
    const patterns = isObject(schema.patternProperties)
      ? sortedEntries(schema.patternProperties).map(([source, it]): [string, Node] => [source, this.node(it)])
      : []
    const extra = this.node(schema.additionalProperties)
    if (named.size > 0 || patterns.length > 0 || extra.op !== 'true') {
      parts.push(factory.object(named, patterns, extra, extra.op === 'true'))
    }
    if (schema.propertyNames !== undefined) parts.push(factory.names(this.node(schema.propertyNames)))
    this.dependencies(schema, parts)
    if (schema.unevaluatedProperties !== undefined && schema.unevaluatedProperties !== true) {
      parts.push(this.unevaluatedProperties(schema))
    }
  }

  /** What is not sent is not demanded. */
  private required(schema: JsonObject, parts: Node[], unsent: ReadonlySet<string>): void {
    if (!Array.isArray(schema.required)) return
    for (const name of schema.required)
      if (typeof name === 'string' && !unsent.has(name)) parts.push(this.factory.required(name))
  }

  private dependencies(schema: JsonObject, parts: Node[]): void {
    const { factory } = this
    for (const word of ['dependencies', 'dependentRequired', 'dependentSchemas'] as const) {
      const given = schema[word]
      if (!isObject(given)) continue
      for (const [name, it] of sortedEntries(given)) {
        const then = Array.isArray(it)
          ? factory.all(it.filter((other) => typeof other === 'string').map((other) => factory.required(other)))
          : this.firm(this.node(it))
        if (then.op !== 'true') parts.push(factory.any([factory.lacks(name), then]))
      }
    }
  }

  /** What a pattern asks of a text; what it looks at around itself is asked separately, as far as that means the same. */
  private pattern(source: string, level = 0): Node {
    const { factory } = this
    const taken = level < mostLooks ? withoutLooks(source) : null
    if (taken === null) return factory.pattern(source)
    const also = taken.also.map(({ source: look, negative }) => {
      const node = this.pattern(look, level + 1)
      return negative ? factory.not(factory.all([factory.types(typeBit.string), node])) : node
    })
    return factory.all([this.pattern(taken.source, level + 1), ...also])
  }

  /** What depends on another property is a rule of its own, not the list of what there is. */
  private firm(node: Node): Node {
    if (node.op === 'all') return this.factory.all(node.parts.map((part) => this.firm(part)))
    return node.op === 'object' ? this.factory.object(node.named, node.patterns, node.extra, false) : node
  }

  private compositions(schema: JsonObject, parts: Node[], unsent: ReadonlySet<string>): void {
    const { factory } = this
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map((it) => this.part(it, unsent)))
    const selection = schema.discriminator === undefined ? null : this.selectionOf(schema)
    const branch = (it: Json): Node => this.branch(it, unsent, selection)
    if (Array.isArray(schema.anyOf)) parts.push(factory.any(schema.anyOf.map(branch)))
    if (Array.isArray(schema.oneOf)) {
      const branches = schema.oneOf.map(branch)
      // A discriminator picks the branch; that others would fit too is then of no account.
      const picked = this.reading === 'loose' || (schema.discriminator !== undefined && this.reading !== 'literal')
      if (picked) parts.push(factory.any(branches))
      else parts.push(this.reading === 'chosen' ? this.chosen(branches) : factory.one(branches))
    }
    if (selection && this.knows && selection.heirs.length > 0) parts.push(this.heirs(selection, unsent))
    if (schema.not !== undefined) parts.push(factory.not(this.node(schema.not)))
    if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
      const condition = this.node(schema.if)
      parts.push(
        factory.any([
          factory.all([condition, this.part(schema.then ?? true, unsent)]),
          factory.all([factory.not(condition), this.part(schema.else ?? true, unsent)]),
        ]),
      )
    }
  }

  /** Whether it is known which values of a discriminator are sent. */
  private get knows(): boolean {
    return this.reading === 'known' || this.reading === 'literal'
  }

  private selectionOf(schema: JsonObject): Selection | null {
    return this.source.selection?.(schema, this.knows) ?? null
  }

  private branch(schema: Json, unsent: ReadonlySet<string>, selection: Selection | null): Node {
    const part = this.part(schema, unsent)
    return selection ? this.factory.all([part, claimOf(this.factory, selection, schema, this.knows)]) : part
  }

  /** What a value of a discriminator without branches is: the schema itself, or one of those that extend it. */
  private heirs({ property, heirs }: Selection, unsent: ReadonlySet<string>): Node {
    const { factory } = this
    const [own, ...others] = heirs
    const alone = selectedBy(factory, property, own!.values)
    return factory.any([
      alone,
      ...others.map(({ ref, values }) =>
        factory.all([
          this.reference(ref, unsent),
          ...(values.length === 0 ? [] : [selectedBy(factory, property, values)]),
        ]),
      ),
    ])
  }

  /**
   * A `oneOf` whose sender decides for one branch. That it did so is a condition of its own, which `anyOf` or a single schema does
   * not fulfil: there, objects of several branches are meant. Of other values than objects, branches list all they allow.
   */
  private chosen(branches: readonly Node[]): Node {
    const { factory } = this
    return factory.any([
      factory.all([factory.types(allTypes & ~typeBit.object), factory.one(branches)]),
      factory.all([factory.types(typeBit.object), factory.any(branches), factory.opaque('the choice of a branch')]),
    ])
  }

  private count(
    schema: JsonObject,
    words: readonly ('minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties')[],
    parts: Node[],
  ): void {
    for (const word of words) {
      // No value of such a size can be shown, and yet two such sizes differ.
      if (isExact(schema[word])) parts.push(this.factory.opaque(`${word} ${schema[word].text}`))
      const count = integerOf(schema[word])
      if (count !== null) parts.push(this.factory.count(word, Math.max(0, count)))
    }
  }

  /**
   * `unevaluatedProperties` is `additionalProperties` over what is evaluated beside it; where branches decide what that is,
   * there is a case for each way in which they can hold.
   */
  private unevaluatedProperties(schema: JsonObject): Node {
    const { factory } = this
    const cases = new Evaluation(factory, this.source, (it) => this.node(it)).cases(schema)
    if (!cases) return factory.opaque(`unevaluatedProperties ${canonical(schema)}`)
    const rest = this.node(schema.unevaluatedProperties)
    return factory.any(
      cases.map(({ when, names, patterns, all }) => {
        const listed = new Map([...names].map((name) => [name, factory.always]))
        const matching = [...patterns].map((source): [string, Node] => [source, factory.always])
        return factory.all([when, all ? factory.always : factory.object(listed, matching, rest, false)])
      }),
    )
  }

  private unevaluatedItems(schema: JsonObject): Node {
    const { factory } = this
    const cases = new Evaluation(factory, this.source, (it) => this.node(it)).cases(schema)
    if (!cases) return factory.opaque(`unevaluatedItems ${canonical(schema)}`)
    const rest = this.node(schema.unevaluatedItems)
    return factory.any(
      cases.map(({ when, first, matching, allItems }) => {
        if (allItems) return when
        const evaluated = Array.from({ length: first }, () => factory.always)
        return factory.all([when, factory.items(evaluated, factory.any([...matching, rest]))])
      }),
    )
  }
}

const none: ReadonlySet<string> = new Set()

/** How often looks are taken from what is left of a pattern. */
const mostLooks = 4

const nullable = (schema: JsonObject, dialect: Dialect): boolean =>
  nullableDialects.has(dialect) && (schema.nullable === true || schema['x-nullable'] === true)
