/** What a document has to be as a whole: rules about several of its places, which edits of one place alone can break. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'

/** A rule that a document breaks, and the places that break it together. */
export interface Contradiction {
  /** What is wrong, the same in two documents where it is the same at `at`. */
  readonly key: string
  /** The place that it is about; null where it is about the document. */
  readonly at: Path | null
  readonly reason: string
  readonly places: readonly Path[]
  /** Whether it is wrong whoever wrote it; else one author may mean it, and only two who did not know of each other did not. */
  readonly isFault: boolean
}

/** Keywords that ask something of one type alone. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems', 'prefixItems', 'contains'],
  object: ['properties', 'required', 'minProperties', 'maxProperties', 'additionalProperties', 'patternProperties'],
}

const ranges = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** Lists that name the values of `enum`, one by one. */
const namesOfEnum = ['x-enum-varnames', 'x-enumNames', 'x-enum-descriptions', 'x-enumDescriptions'] as const

/** Keys below which there are values of users, which are not looked at. */
const values = new Set(['example', 'examples', 'default', 'const', 'enum', 'value'])
/** Keys below which keys are names. */
const maps = new Set(
  (
    'properties patternProperties $defs definitions schemas dependentSchemas responses paths headers parameters requestBodies ' +
    'links callbacks pathItems webhooks securitySchemes'
  ).split(' '),
)

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((it) => typeof it === 'string') : []

/** Lists without which a schema says nothing that holds, and no value is valid. */
const filled = ['enum', 'oneOf', 'anyOf', 'allOf', 'type'] as const

/** Walks a document once and gathers what contradicts what. */
class Search {
  readonly found: Contradiction[] = []
  private readonly operationIds = new Map<string, Path>()
  /** Where each reference is. */
  private readonly holders = new Map<string, Path[]>()
  private readonly root: Json

  constructor(root: Json) {
    this.root = root
  }

  add(key: string, at: Path | null, reason: string, ...places: Path[]): void {
    this.found.push({ key, at, reason, places, isFault: true })
  }

  /** What one author may mean: a property that a base declares, a tag that nobody describes. */
  doubt(key: string, at: Path, reason: string, ...places: Path[]): void {
    this.found.push({ key, at, reason, places, isFault: false })
  }

  run(): readonly Contradiction[] {
    this.walk(this.root, [], false)
    this.references()
    if (!isObject(this.root)) return this.found
    const { paths } = this.root
    if (isObject(paths)) this.templates(paths)
    for (const collection of ['paths', 'webhooks']) {
      const items = this.root[collection]
      if (!isObject(items)) continue
      for (const [name, item] of Object.entries(items))
        for (const [method, operation] of Object.entries(isObject(item) ? item : {}))
          if (isMethod(method) && isObject(operation)) this.operation(operation, [collection, name, method])
    }
    this.security(this.root.security, ['security'])
    return this.found
  }

  private walk(value: Json, path: Path, isMap: boolean): void {
    if (Array.isArray(value)) {
      for (const [i, it] of (value as readonly Json[]).entries()) this.walk(it, [...path, i], false)
      return
    }
    if (!isObject(value)) return
    if (!isMap) {
      this.reference(value, path)
      this.schema(value, path)
    }
    for (const [key, it] of Object.entries(value))
      if (isMap || !(values.has(key) || key.startsWith('x-')))
        this.walk(it, [...path, key], !isMap && maps.has(key) && isObject(it))
  }

  /** The references of an object: its own, that of a link, and those of a discriminator. */
  private reference(value: JsonObject, path: Path): void {
    this.refers(value.$ref, path)
    this.refers(value.operationRef, path)
    const { discriminator } = value
    const mapping = isObject(discriminator) ? discriminator.mapping : undefined
    for (const [name, ref] of Object.entries(isObject(mapping) ? mapping : {}))
      this.refers(ref, [...path, 'discriminator', 'mapping', name])
  }

  private refers(ref: Json | undefined, path: Path): void {
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return
    const holders = this.holders.get(ref)
    if (holders) holders.push(path)
    else this.holders.set(ref, [path])
  }

  private references(): void {
    for (const [ref, holders] of this.holders) {
      const target = parseFragment(ref)
      if (target !== null && getPath(this.root, target) === undefined)
        this.add(`$ref ${ref}`, null, `"${ref}" refers to nothing`, ...holders, target)
    }
  }

  private schema(schema: JsonObject, path: Path): void {
    const at = (word: string): Path => [...path, word]
    for (const [least, most] of ranges) {
      const [a, b] = [schema[least], schema[most]]
      if (typeof a === 'number' && typeof b === 'number' && a > b)
        this.add(least, path, `${least} ${a} is more than ${most} ${b}, so that nothing is valid`, at(least), at(most))
    }
    for (const word of filled) {
      const listed = schema[word]
      if (Array.isArray(listed) && listed.length === 0) this.add(word, path, `${word} has no item left`, at(word))
    }
    for (const word of namesOfEnum) {
      const [listed, names] = [schema.enum, schema[word]]
      if (Array.isArray(listed) && Array.isArray(names) && listed.length !== names.length)
        this.add(word, path, `enum has ${listed.length} values and ${word} ${names.length}`, at('enum'), at(word))
    }
    this.types(schema, path)
    const { properties } = schema
    if (isObject(properties))
      for (const name of textsIn(schema.required))
        if (!Object.hasOwn(properties, name))
          this.doubt(`required ${name}`, path, `"${name}" is required and no longer declared`, at('required'), [
            ...path,
            'properties',
            name,
          ])
  }

  private types(schema: JsonObject, path: Path): void {
    const { type } = schema
    const named = typeof type === 'string' ? [type] : textsIn(type)
    if (named.length === 0) return
    const known = new Set(named.map((it) => (it === 'integer' ? 'number' : it)))
    for (const [of, words] of Object.entries(wordsOf))
      for (const word of known.has(of) ? [] : words)
        if (schema[word] !== undefined)
          this.doubt(
            word,
            path,
            `${word} says nothing about the type ${named.join(' or ')}`,
            [...path, 'type'],
            [...path, word],
          )
  }

  private templates(paths: JsonObject): void {
    const known = new Map<string, string>()
    for (const template of Object.keys(paths)) {
      const shape = template.replaceAll(/\{[^}]*\}/g, '{}')
      const other = known.get(shape)
      if (other === undefined) known.set(shape, template)
      else
        this.add(
          `path ${shape}`,
          null,
          `"${other}" and "${template}" match the same URLs`,
          ['paths', other],
          ['paths', template],
        )
    }
  }

  private operation(operation: JsonObject, path: Path): void {
    const { operationId: id, tags } = operation
    if (typeof id === 'string') {
      const other = this.operationIds.get(id)
      const place: Path = [...path, 'operationId']
      if (other === undefined) this.operationIds.set(id, place)
      else this.add(`operationId ${id}`, null, `two operations have the operationId "${id}"`, other, place)
    }
    this.security(operation.security, [...path, 'security'])
    const declared = isObject(this.root) ? this.root.tags : undefined
    if (!Array.isArray(declared)) return
    const names = new Set((declared as readonly Json[]).map((it) => (isObject(it) ? it.name : undefined)))
    for (const tag of textsIn(tags))
      if (!names.has(tag))
        this.doubt(`tag ${tag}`, path, `the tag "${tag}" is no longer declared`, [...path, 'tags'], ['tags'])
  }

  private security(list: Json | undefined, path: Path): void {
    const swagger = getPath(this.root, ['swagger']) !== undefined
    const of: Path = swagger ? ['securityDefinitions'] : ['components', 'securitySchemes']
    for (const entry of Array.isArray(list) ? (list as readonly Json[]) : [])
      for (const [name, scopes] of Object.entries(isObject(entry) ? entry : {})) {
        const scheme = getPath(this.root, [...of, name])
        if (scheme === undefined) {
          this.add(`scheme ${name}`, path, `the security scheme "${name}" is not declared`, path, [...of, name])
          continue
        }
        if (!isObject(scheme)) continue
        const flows = swagger ? { flow: scheme } : scheme.flows
        if (!isObject(flows)) continue
        const known = Object.values(flows).map((it) => (isObject(it) && isObject(it.scopes) ? it.scopes : {}))
        for (const scope of textsIn(scopes))
          if (!known.some((it) => Object.hasOwn(it, scope)))
            this.add(`scope ${name} ${scope}`, path, `the scope "${scope}" of "${name}" is not declared`, path, [
              ...of,
              name,
            ])
      }
  }
}

/** The rules that a document breaks as a whole: references, names, ranges and types that go with each other. */
export const contradictionsIn = (document: Json): readonly Contradiction[] => new Search(document).run()
