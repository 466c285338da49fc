import type { Document, Format, Problem } from '../document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { arazzo10 } from './arazzo.ts'
import { arazzo11 } from './arazzo-11.ts'
import { baseAt, resolveReference, type Documents } from '../reference.ts'
import type { Grammar, NodeShape, Shape } from './grammar.ts'
import { jsonSchema04, jsonSchema07, jsonSchema2020 } from './json-schema.ts'
import { openapi30 } from './openapi-30.ts'
import { openapi31 } from './openapi-31.ts'
import { openapi32 } from './openapi-32.ts'
import { swagger20 } from './swagger.ts'
import { nameOf, sentence, violation } from './violations.ts'

const grammars: Readonly<Record<string, Grammar>> = {
  'openapi 3.0': openapi30,
  'openapi 3.1': openapi31,
  'openapi 3.2': openapi32,
  'swagger 2.0': swagger20,
  'arazzo 1.0': arazzo10,
  'arazzo 1.1': arazzo11,
  'json-schema draft-04': jsonSchema04,
  'json-schema draft-06': jsonSchema07,
  'json-schema draft-07': jsonSchema07,
  'json-schema 2019-09': jsonSchema07,
  'json-schema 2020-12': jsonSchema2020,
}

/** The grammar of a format, or null where none is known: other versions, JSON Schema draft 3, MCP. */
export const grammarOf = (format: Format): Grammar | null => grammars[`${format.kind} ${format.version}`] ?? null

/** Whether a value has the JSON type of a shape. */
export const hasTypeOf = (shape: Shape, value: Json): boolean => {
  switch (shape.kind) {
    case 'any':
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
    case 'text':
      return typeof value === 'string'
    case 'list':
      return Array.isArray(value)
    case 'map':
    case 'node':
      return isObject(value)
    case 'either':
      return shape.shapes.some((one) => hasTypeOf(one, value))
  }
}

const mostProblems = 1000

type OnReference = (shape: Shape & { readonly kind: 'node' }, reference: string, path: Path) => void

// Walks a value along a grammar and collects the violations.
class StructureCheck {
  readonly problems: Problem[] = []
  readonly #grammar: Grammar
  readonly #document: Document
  readonly #path: (string | number)[]
  #unchecked = 0

  readonly #onReference: OnReference | null

  constructor(grammar: Grammar, document: Document, from: Path = [], onReference: OnReference | null = null) {
    this.#onReference = onReference
    this.#grammar = grammar
    this.#document = document
    this.#path = [...from]
  }

  check(shape: Shape, value: Json): void {
    if (!hasTypeOf(shape, value)) {
      this.#report('structure-type', violation.wrongType(this.#path, shape, value))
      return
    }
    switch (shape.kind) {
      case 'number':
      case 'integer':
        return this.#number(shape, value as number)
      case 'text':
        return this.#text(shape, value as string)
      case 'list':
        return this.#list(shape, value as readonly Json[])
      case 'map':
        return this.#map(shape, value as JsonObject)
      case 'node':
        return this.#node(shape, value as JsonObject)
      case 'either':
        for (const one of shape.shapes) if (hasTypeOf(one, value)) return this.check(one, value)
        return
      default:
    }
  }

  #step(key: string | number, shape: Shape, value: Json): void {
    this.#path.push(key)
    this.check(shape, value)
    this.#path.pop()
  }

  #report(code: string, message: string, key?: string): void {
    if (this.problems.length >= mostProblems) return
    const path = key === undefined ? [...this.#path] : [...this.#path, key]
    const where = code === 'structure-unknown-field' || code === 'structure-name' ? { key: true } : {}
    this.problems.push({
      code,
      severity: this.#unchecked > 0 ? 'warning' : 'error',
      message: sentence(message),
      path,
      range: this.#document.locate(path, where),
    })
  }

  #number(shape: Shape & { readonly kind: 'number' | 'integer' }, value: number): void {
    if (shape.above !== undefined && value <= shape.above)
      this.#report('structure-value', `${nameOf(this.#path)} must be greater than ${shape.above}`)
    if (shape.least !== undefined && value < shape.least)
      this.#report('structure-value', `${nameOf(this.#path)} must not be less than ${shape.least}`)
  }

  #text(shape: Shape & { readonly kind: 'text' }, value: string): void {
    const { values, pattern, expected } = shape
    if (values !== undefined && !values.includes(value))
      this.#report('structure-value', violation.unknownValue(this.#path, value, values))
    if (pattern !== undefined && !pattern.test(value))
      this.#report(
        'structure-value',
        `${nameOf(this.#path)} must be ${expected ?? `a string that matches ${pattern.source}`}, but is ${JSON.stringify(value)}`,
      )
  }

  #list(shape: Shape & { readonly kind: 'list' }, value: readonly Json[]): void {
    if (value.length < (shape.least ?? 0)) this.#report('structure-empty', `${nameOf(this.#path)} must not be empty`)
    if (shape.unique === true && value.length > 1) {
      const seen = new Set<string>()
      for (const [index, item] of value.entries()) {
        const spelled = JSON.stringify(item)
        if (seen.has(spelled)) {
          this.#path.push(index)
          this.#report('structure-repeated', `${nameOf(this.#path)} is a duplicate of an earlier item`)
          this.#path.pop()
        }
        seen.add(spelled)
      }
    }
    for (const [index, item] of value.entries()) this.#step(index, shape.item, item)
  }

  #map(shape: Shape & { readonly kind: 'map' }, value: JsonObject): void {
    const keys = Object.keys(value)
    if (shape.only !== undefined && keys.length !== shape.only)
      this.#report(
        'structure-count',
        `${nameOf(this.#path)} must have exactly ${shape.only} entry, but has ${keys.length}`,
      )
    for (const key of keys) {
      if (shape.keys !== undefined && !shape.keys.test(key))
        this.#report(
          'structure-name',
          `Invalid name ${JSON.stringify(key)}; use only letters, digits, ".", "-" and "_"`,
          key,
        )
      this.#step(key, shape.value, value[key] as Json)
    }
  }

  #node(shape: Shape & { readonly kind: 'node' }, value: JsonObject): void {
    if (typeof value.$ref === 'string') this.#onReference?.(shape, value.$ref, this.#path)
    if (shape.reference && Object.hasOwn(value, '$ref')) {
      if (typeof value.$ref !== 'string') this.#report('structure-type', '"$ref" must be a string', '$ref')
      return
    }
    const type = this.#grammar.nodes[shape.name]
    if (type === undefined) return
    if (shape.name !== this.#grammar.warnsIn) return this.#fields(shape.name, type, value)
    this.#unchecked++
    this.#fields(shape.name, type, value)
    this.#unchecked--
  }

  #fields(name: string, type: NodeShape, value: JsonObject): void {
    for (const key of type.required ?? [])
      if (!Object.hasOwn(value, key)) this.#report('structure-missing', violation.missing(this.#grammar, name, key))
    if (type.decides !== undefined && !Object.hasOwn(value, type.decides)) return
    let known = 0
    for (const key of Object.keys(value)) {
      const field = fieldOf(type, key)
      if (field !== null) {
        known++
        this.#step(key, field, value[key] as Json)
      } else if (!(key.startsWith('x-') && type.extensions !== false) && type.open !== true)
        this.#report(
          'structure-unknown-field',
          violation.unknownProperty(this.#grammar, name, type, key, Object.keys(value)),
          key,
        )
    }
    if (known < (type.least ?? 0)) this.#report('structure-empty', `${nameOf(this.#path)} must have at least one entry`)
    type.check?.(value, (message, key, code = 'structure-rule') => this.#report(code, message, key))
  }
}

/** The shape of a field of a node type, by name or by pattern; null where the type has no such field. */
export const fieldOf = (type: NodeShape, key: string): Shape | null => {
  if (Object.hasOwn(type.fields, key)) return type.fields[key] ?? null
  for (const [pattern, shape] of type.patterns ?? []) if (!key.startsWith('x-') && pattern.test(key)) return shape
  return null
}

const titles: Readonly<Record<string, string>> = { openapi: 'OpenAPI', swagger: 'Swagger', arazzo: 'Arazzo' }

/** The versions of a kind of document whose structure is known. */
export const supportedVersions = (kind: string): string[] =>
  Object.keys(grammars)
    .filter((key) => key.startsWith(`${kind} `))
    .map((key) => key.slice(kind.length + 1))

const unknownVersion = (document: Document, format: Format): Problem[] => {
  const title = titles[format.kind]
  if (title === undefined) return []
  const path = [format.kind]
  const { value } = document
  const written = isObject(value) ? value[format.kind] : undefined
  const version = typeof written === 'string' ? written : format.version
  const message = `Unsupported ${title} version ${version}; supported are ${supportedVersions(format.kind).join(', ')}.`
  return [{ code: 'structure-version', severity: 'error', message, path, range: document.locate(path) }]
}

/** What is wrong with the structure, and the document that holds the place: not always the one that was checked. */
export interface StructureProblem extends Problem {
  readonly document: Document
}

/**
 * Checks a document against the structure that its specification prescribes: required fields, types, allowed fields and values.
 * What references lead to in `documents` is checked as what it is referred to as.
 * Returns what is wrong, each with its range, at most a thousand of a document; nothing for formats without a known structure.
 */
export const validateStructure = (document: Document, documents: Documents = {}): readonly StructureProblem[] => {
  const isAlone = Object.keys(documents).length === 0
  const known = isAlone ? judgedAlone.get(document) : undefined
  if (known !== undefined) return known
  const problems = judge(document, documents)
  if (isAlone) judgedAlone.set(document, problems)
  return problems
}

// An import and a lint of one document ask for the same.
const judgedAlone = new WeakMap<Document, readonly StructureProblem[]>()

const judge = (document: Document, documents: Documents): readonly StructureProblem[] => {
  if (document.format === null) return []
  const grammar = grammarOf(document.format)
  if (grammar === null) return unknownVersion(document, document.format).map((it) => ({ ...it, document }))
  const root: Shape & { readonly kind: 'node' } = { kind: 'node', name: grammar.root, reference: false }
  const seen = new Set<string>()
  const waiting = [{ at: { document, path: [] as Path, value: document.value }, shape: root }]
  const problems: StructureProblem[] = []
  for (const { at, shape } of waiting) {
    const check = new StructureCheck(grammar, at.document, at.path, (expected, ref, path) => {
      if (at.document === document && ref.startsWith('#')) return
      const base = baseAt({ document: at.document, path })
      const target = resolveReference(at.document, { ref, base }, documents)
      if (typeof target === 'string' || target.document === document || isForeign(target.document)) return
      const key = `${target.document.source}\n${target.path.join('\n')}\n${expected.name}`
      if (!seen.has(key)) waiting.push({ at: target, shape: expected })
      seen.add(key)
    })
    check.check(shape, at.value)
    for (const it of check.problems) problems.push({ ...it, document: at.document })
  }
  return problems
}

// A schema of a dialect of its own is nothing that this grammar describes.
const isForeign = ({ value }: Document): boolean => isObject(value) && typeof value.$schema === 'string'

/** What is wrong with a document that no format of `detectFormat` has, by a grammar of its own. */
export const validateBy = (document: Document, grammar: Grammar): readonly Problem[] => {
  const check = new StructureCheck(grammar, document)
  check.check({ kind: 'node', name: grammar.root, reference: false }, document.value)
  return check.problems
}

/** Checks a JSON Schema that is within a document of another kind, by the grammar of its draft; otherwise like `validateStructure`. */
export const validateSchema = (document: Document, path: Path, schema: Json, draft: string): Problem[] => {
  const grammar = grammarOf({ kind: 'json-schema', version: draft })
  if (grammar === null) return []
  const check = new StructureCheck(grammar, document, path)
  check.check({ kind: 'node', name: grammar.root, reference: false }, schema)
  return check.problems
}
