/** The keywords of one schema, written for the engine. */
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Dialect } from '../../schema/schema-source.ts'
import { exactFormats, formatPattern } from './format-patterns.ts'
import { asOperand, Inexpressible, translatePattern } from '../pattern.ts'
import {
  aloneDialects,
  dependentNames,
  dependentSchemas,
  formatBounds,
  integerBounds,
  hasConditions,
  isNullable,
  numericWords,
  typesIn,
} from './schema-words.ts'

/** A schema as it was written. */
export interface Written {
  readonly schema: Json
  /** Whether it accepts nothing more than the document describes. */
  readonly exact: boolean
  /** Whether properties or items that it evaluates are missing, so that "unevaluated…" beside it would refuse them. */
  readonly blind: boolean
}

/** Said of formats of which an expression says most. */
export const roughly = 'The format is checked by an expression, which lets some wrong values pass.'

/** What the keywords of one schema need of the whole. */
export interface Access {
  readonly dialect: () => Dialect
  readonly lose: (path: Path, reason: string) => void
  readonly inner: (schema: Json | undefined, path: Path, depth: number) => Written
  readonly part: (schema: Json | undefined, path: Path, unsent: ReadonlySet<string>, depth: number) => Written
  readonly reference: (ref: string, path: Path, unsent: ReadonlySet<string>) => Written
}

/** Writes one schema; what it contains is written by the whole. */
export class SchemaPart {
  private exact = true
  private blind = false
  private readonly out: Record<string, Json> = {}
  private readonly also: Json[] = []
  private readonly access: Access
  private readonly given: JsonObject
  private readonly path: Path
  private readonly unsent: ReadonlySet<string>
  private readonly depth: number
  private readonly dialect: Dialect

  constructor(access: Access, given: JsonObject, path: Path, unsent: ReadonlySet<string>, depth: number) {
    this.access = access
    this.given = given
    this.path = path
    this.unsent = unsent
    this.depth = depth
    this.dialect = access.dialect()
  }

  write(): Written {
    const { given } = this
    if (typeof given.$ref === 'string') {
      const found = this.access.reference(given.$ref, [...this.path, '$ref'], this.unsent)
      if (aloneDialects.has(this.dialect)) return found
      this.conjoin(found)
      if (found.schema !== true) this.out.$ref = (found.schema as JsonObject).$ref as string
    }
    for (const word of ['$dynamicRef', '$recursiveRef'])
      if (given[word] !== undefined) {
        this.lose(word, 'What it refers to depends on who refers to it.')
        this.blind = true
      }
    this.values()
    numericWords(given, this.out, (word, reason) => this.lose(word, reason))
    formatBounds(given, this.out)
    this.strings()
    this.arrays()
    this.objects()
    this.compositions()
    this.conditions()
    this.unevaluated()
    if (this.also.length > 0)
      this.out.allOf = [...((this.out.allOf as readonly Json[] | undefined) ?? []), ...this.also]
    const schema = this.nullable()
    return { schema, exact: this.exact, blind: this.blind }
  }

  private lose(word: string, reason: string): void {
    this.exact = false
    this.access.lose([...this.path, word], reason)
  }

  private conjoin({ exact, blind }: Written): void {
    this.exact &&= exact
    this.blind ||= blind
  }

  private inner(value: Json | undefined, ...steps: (string | number)[]): Written {
    return this.access.inner(value, [...this.path, ...steps], this.depth)
  }

  private part(value: Json | undefined, ...steps: (string | number)[]): Written {
    return this.access.part(value, [...this.path, ...steps], this.unsent, this.depth)
  }

  /** Without a type "nullable" says that null is allowed beside what the others say. */
  private nullable(): Json {
    const { out, given } = this
    if (!isNullable(given, this.dialect) || out.type !== undefined || Object.keys(out).length === 0) return out
    // By the letter it then says nothing (OpenAPI 3.0.3, 4.7.24), though it is often meant to.
    this.lose('nullable', 'Null is allowed, although no type is beside "nullable".')
    return { anyOf: [{ type: 'null' }, out] }
  }

  private values(): void {
    const { given, out } = this
    const types = typesIn(given)
    const nullable = isNullable(given, this.dialect)
    if (types === null) this.lose('type', 'It names a type that JSON Schema does not know.')
    else if (types.length > 0) {
      const all = [...new Set(nullable ? [...types, 'null'] : types)]
      out.type = all.length === 1 ? (all[0] as string) : all
    }
    if (Array.isArray(given.enum)) {
      const listed = given.enum as readonly Json[]
      const adds = nullable && !listed.includes(null)
      if (adds) this.lose('nullable', 'Null is allowed, although "enum" does not list it.')
      out.enum = adds ? [...listed, null] : listed
    }
    if (given.const !== undefined && this.dialect !== 'draft-04') out.const = given.const
  }

  private strings(): void {
    const { given } = this
    if (typeof given.pattern === 'string') this.pattern(given.pattern, 'pattern')
    const { format } = given
    if (typeof format !== 'string') return
    const shape = formatPattern(format)
    // Of the bounds of integers all is said, of texts an expression says most.
    const isWhole =
      exactFormats.has(format) ||
      (format in integerBounds &&
        typesIn(given)?.every((it) => it === 'integer' || it === 'null') === true &&
        given.type !== undefined)
    if (!isWhole) this.exact = false
    if (!isWhole && format in integerBounds) this.lose('format', 'Its bounds are checked where "integer" is the type.')
    if (shape === undefined) return
    this.pattern(shape, 'format')
    if (!isWhole) this.lose('format', roughly)
  }

  private pattern(source: string, word: string): void {
    const pattern = this.translated(source, word)
    if (pattern === null) return
    if (this.out.pattern === undefined) this.out.pattern = pattern
    else this.also.push({ pattern })
  }

  private translated(source: string, ...steps: string[]): string | null {
    try {
      return asOperand(translatePattern(source, { alphabet: 'unicode', anchors: 'plain' }), 'plain')
    } catch (thrown) {
      if (!(thrown instanceof Inexpressible)) throw thrown
      this.exact = false
      this.access.lose([...this.path, ...steps], thrown.message)
      return null
    }
  }

  private arrays(): void {
    const { given, out } = this
    const isTuple = Array.isArray(given.items)
    const tuple = isTuple ? (given.items as readonly Json[]) : given.prefixItems
    const word = isTuple ? 'additionalItems' : 'items'
    const rest = given[word]
    if (Array.isArray(tuple) && tuple.length > 0) {
      const items = (tuple as readonly Json[]).map((it, i) => this.inner(it, isTuple ? 'items' : 'prefixItems', i))
      items.forEach((it) => (this.exact &&= it.exact))
      out.prefixItems = items.map((it) => it.schema)
    }
    this.place('items', this.inner(rest, word))
    if (given.contains === undefined) return
    const contains = this.inner(given.contains, 'contains')
    out.contains = contains.schema
    this.exact &&= contains.exact
    for (const count of ['minContains', 'maxContains']) {
      const value = given[count]
      if (typeof value !== 'number' || value < 0) continue
      if (count === 'maxContains' && !contains.exact) this.lose(count, 'What it counts is not checked exactly.')
      else out[count] = value
    }
  }

  /** A keyword with one schema about another value; one that accepts everything is left out. */
  private place(word: string, { schema, exact }: Written): void {
    this.exact &&= exact
    if (schema !== true) this.out[word] = schema
  }

  private objects(): void {
    const { given, out } = this
    const properties = isObject(given.properties) ? Object.entries(given.properties) : []
    const named = properties.map(([name, it]): [string, Json] => {
      const written = this.inner(it, 'properties', name)
      this.exact &&= written.exact
      return [name, written.schema]
    })
    if (named.length > 0) out.properties = Object.fromEntries(named)
    const isOpen = this.patternProperties()
    if (isOpen) this.blind = true
    else this.place('additionalProperties', this.inner(given.additionalProperties, 'additionalProperties'))
    this.place('propertyNames', this.inner(given.propertyNames, 'propertyNames'))
    const demanded = (names: readonly Json[]): string[] => {
      const texts = names.filter((it) => typeof it === 'string')
      const sent = texts.filter((it) => !this.unsent.has(it))
      if (sent.length < texts.length) this.exact = false
      return [...new Set(sent)]
    }
    if (Array.isArray(given.required)) {
      const names = demanded(given.required as readonly Json[])
      if (names.length > 0) out.required = names
    }
    const dependent = dependentNames(given).map(([name, names]): [string, Json] => [name, demanded(names)])
    if (dependent.length > 0) out.dependentRequired = Object.fromEntries(dependent)
    const schemas = dependentSchemas(given).map(([word, name, it]): [string, Json] => {
      const written = this.part(it, word, name)
      this.conjoin(written)
      return [name, written.schema]
    })
    if (schemas.length > 0) out.dependentSchemas = Object.fromEntries(schemas)
  }

  /** Whether one is missing, so that nothing can be said about the properties beside them. */
  private patternProperties(): boolean {
    const given = this.given.patternProperties
    if (!isObject(given)) return false
    let isOpen = false
    const written: Record<string, Json> = {}
    for (const [source, it] of Object.entries(given)) {
      const pattern = this.translated(source, 'patternProperties', source)
      const { schema, exact } = this.inner(it, 'patternProperties', source)
      this.exact &&= exact
      if (pattern === null) isOpen = true
      else written[pattern] = schema
    }
    if (Object.keys(written).length > 0) this.out.patternProperties = written
    return isOpen
  }

  private branches(word: string): Written[] | null {
    const list = this.given[word]
    return Array.isArray(list) && list.length > 0
      ? (list as readonly Json[]).map((it, i) => this.part(it, word, i))
      : null
  }

  private compositions(): void {
    const { given, out } = this
    for (const word of ['allOf', 'anyOf'] as const) {
      const branches = this.branches(word)
      branches?.forEach((it) => this.conjoin(it))
      if (branches) out[word] = branches.map((it) => it.schema)
    }
    const one = this.branches('oneOf')
    if (one) {
      one.forEach((it) => this.conjoin(it))
      const schemas = one.map((it) => it.schema)
      const isSelected = isObject(given.discriminator) || typeof given.discriminator === 'string'
      if (one.every((it) => it.exact) && !isSelected) out.oneOf = schemas
      else {
        const why = isSelected ? 'its discriminator selects one' : 'not all of them are checked exactly'
        this.lose('oneOf', `More than one of its branches may match, because ${why}.`)
        if (out.anyOf === undefined) out.anyOf = schemas
        else this.also.push({ anyOf: schemas })
      }
    }
    if (given.not === undefined) return
    const not = this.part(given.not, 'not')
    if (not.exact) out.not = not.schema
    else this.lose('not', 'What it excludes is not checked exactly.')
  }

  private conditions(): void {
    const { given, out } = this
    if (given.if === undefined || !hasConditions(this.dialect)) return
    if (given.then === undefined && given.else === undefined) return
    const condition = this.part(given.if, 'if')
    const [yes, no] = [this.part(given.then, 'then'), this.part(given.else, 'else')]
    this.conjoin(yes)
    this.conjoin(no)
    if (condition.exact) {
      this.conjoin(condition)
      out.if = condition.schema
      if (yes.schema !== true) out.then = yes.schema
      if (no.schema !== true) out.else = no.schema
      return
    }
    this.blind = true
    this.lose('if', 'The condition is not checked exactly, so that either outcome is allowed.')
    if (yes.schema !== true && no.schema !== true) this.also.push({ anyOf: [yes.schema, no.schema] })
  }

  private unevaluated(): void {
    for (const word of ['unevaluatedProperties', 'unevaluatedItems'] as const) {
      const value = this.given[word]
      if (value === undefined || value === true || aloneDialects.has(this.dialect)) continue
      const written = this.inner(value, word)
      if (this.blind) this.lose(word, 'Something beside it is not checked, so that it is not known what is left.')
      else this.place(word, written)
    }
  }
}
