import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path, filledText } from '../kernel/json.ts'
import { formatFragment, formatPointer, parseFragment } from '../kernel/pointer.ts'
import { identifierOf } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { importDocument } from '../import/importer.ts'
import { anchorIn, asRelative } from './dynamic.ts'
import { asSchema, edgesOf, replaceRefs, type Edge } from './edges.ts'
import { inspectSchema, type Inspected } from './inspect.ts'
import type { SourceKind } from './limits.ts'
import { nameProblem, namespaceProblem, refOf, trimNamespace } from '../kernel/type-ref.ts'

/** A type that was found in a document, ready to be registered. */
export interface FoundType extends Inspected {
  /** What requests name it by: its key in the document. */
  readonly key: string
  readonly name: string
  readonly namespace: string
  /** Where it is in the document, as a JSON Pointer. */
  readonly pointer: string
  readonly description: string | null
  readonly category: string | null
  readonly tags: readonly string[]
  /** With the references to other types of the document as references of the registry. */
  readonly schema: Json
  readonly edges: readonly Edge[]
}

/** What a document has. */
export interface Extracted {
  readonly kind: SourceKind
  readonly types: readonly FoundType[]
  /** What was left out, and why. */
  readonly problems: readonly { readonly code: string; readonly message: string; readonly pointer: string }[]
}

/** How a document is read. */
export interface ExtractOptions {
  readonly kind: SourceKind
  readonly namespace: string
  /** The name of the type where the document is one itself. */
  readonly name: string | null
  /** Whether the document itself becomes a type beside its definitions. */
  readonly root: boolean
  readonly bases: readonly string[]
  /** Other names for types, by key. */
  readonly names: Readonly<Record<string, string>>
}

/** A document that has no types at all: what a request with it is refused with. */
export interface Refused {
  readonly refused: 'bundle-malformed' | 'types-unreadable'
  readonly reason: string
}

interface Entry {
  readonly key: string
  readonly name: string
  readonly namespace: string
  /** Its container and its key; empty for the document itself. */
  readonly path: Path
  readonly about: JsonObject
}

const definitionWords = ['$defs', 'definitions'] as const

/** A bundle as a schema with definitions, and what it says of each type beside its schema. */
interface Bundle {
  readonly value: JsonObject
  readonly about: ReadonlyMap<string, JsonObject>
  /** Where the definition of a key is in the bundle. */
  readonly placeOf: (key: string) => Path
}

function readBundle(value: JsonObject): Bundle | Refused {
  const word = (['types', ...definitionWords] as const).find((it) => value[it] !== undefined)
  const malformed = (reason: string): Refused => ({ refused: 'bundle-malformed', reason })
  if (word === undefined) return malformed('it has no "types", "$defs" or "definitions" object')
  const entries = value[word]
  if (!isObject(entries)) return malformed(`"${word}" must be an object`)
  const odd = Object.entries(entries).find(([, it]) => !isObject(it) && typeof it !== 'boolean')
  if (odd !== undefined) return malformed(`"${word}/${odd[0]}" must be a schema: an object or a boolean`)
  const about = new Map<string, JsonObject>()
  const schemas = Object.entries(entries).map(([key, it]): [string, Json] => {
    if (!wraps(it)) return [key, it]
    about.set(key, it)
    return [key, it.schema as Json]
  })
  const to = word === 'definitions' ? word : '$defs'
  const whole: JsonObject = { ...without(value, [word]), [to]: Object.fromEntries(schemas) }
  const moved =
    word === to && about.size === 0 ? whole : replaceRefs(whole, (target) => moveInBundle(target, word, to, about))
  const placeOf = (key: string): Path => (about.has(key) ? [word, key, 'schema'] : [word, key])
  return { value: moved as JsonObject, about, placeOf }
}

function moveInBundle(target: string, word: string, to: string, about: ReadonlyMap<string, JsonObject>): string | null {
  const path = target.startsWith(`#/${word}/`) ? parseFragment(target) : null
  const [, key = '', ...rest] = path ?? []
  if (path === null) return null
  return formatFragment([to, key, ...(about.has(key) && rest[0] === 'schema' ? rest.slice(1) : rest)])
}

/** A bundle may say more of a type than its schema: `{schema, namespace, description, category, tags}`. */
const wraps = (it: Json | undefined): it is JsonObject => isObject(it) && isObject(it.schema) && !isSchemaItself(it)

const schemaWords = [
  'type',
  'properties',
  'items',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  '$ref',
  'pattern',
  'format',
]
const isSchemaItself = (value: JsonObject): boolean => schemaWords.some((word) => value[word] !== undefined)

/** The name of a document that is a type itself: its title, or the last segment of its identifier. */
function rootNameOf(value: JsonObject): string {
  const title = typeof value.title === 'string' ? value.title.trim() : ''
  if (title !== '' && nameProblem(title) === null) return title
  const id = identifierOf(value, 'draft-07', true) ?? identifierOf(value, 'draft-04', true) ?? ''
  const last =
    id
      .replace(/[?#].*$/s, '')
      .split('/')
      .findLast((it) => it !== '') ?? ''
  const name = last.replace(/(?:\.schema)?\.(?:json|ya?ml)$/i, '')
  return nameProblem(name) === null ? name : 'Root'
}

function entryOf(key: string, path: Path, about: JsonObject, options: ExtractOptions): Entry {
  const own = typeof about.namespace === 'string' ? trimNamespace(about.namespace) : ''
  // Two spellings of one name in Unicode are one name.
  const given = Object.hasOwn(options.names, key) ? options.names[key] : undefined
  const name = (given ?? key).normalize('NFC')
  return { key, name, namespace: own === '' ? options.namespace : own, path, about }
}

/** Where the references of a document lead once its definitions are types of their own. */
function separate(value: JsonObject, entries: readonly Entry[], rootName: string, namespace: string): JsonObject {
  const resources = resourcesOf(value, asSchema)
  const root = entries.find(({ path }) => path.length === 0)
  const rootRef = refOf(root ?? { namespace, name: rootName })
  const byPlace = new Map(entries.map((it) => [placeOf(it.path), it]))
  const entryAt = (path: Path): Entry | null => (path.length < 2 ? null : (byPlace.get(placeOf(path)) ?? null))
  const byKey = new Map(entries.map((it) => [it.key, it]))
  return replaceRefs(value, (target, at, path, holder) => {
    // A plain name in a mapping is that of a schema beside it.
    const named = holder === 'mapping' && asRelative(target) !== null ? byKey.get(target) : undefined
    if (named !== undefined) return refOf(named)
    const found = resources.resolve(target, at)
    if (found === undefined) return null
    const from = entryAt(path)
    const owner = entryAt(found.path)
    if (from === null && owner === null) return null
    // A type with an identifier keeps the references within itself.
    if (from !== null && entryAt(at.path) === from && found.resource.root === at.root) return null
    const rest = owner === null ? found.path : found.path.slice(2)
    // The name of an anchor stays one: a dynamic reference to a pointer would not be dynamic.
    const anchor = holder === '$dynamicRef' ? anchorIn(target) : null
    if (anchor !== null) return owner === from ? anchor : (owner === null ? rootRef : refOf(owner)) + anchor
    const fragment = rest.length === 0 ? '#' : formatFragment(rest)
    if (owner === from && at.path.length === 0) return fragment
    const ref = owner === null ? rootRef : refOf(owner)
    return rest.length === 0 ? ref : ref + fragment
  }) as JsonObject
}

const placeOf = ([word, key]: Path): string => `${word}/${key}`

/** The schema of an entry as it is valid outside of its document. */
function schemaOf(whole: JsonObject, { path: [word, key] }: Entry): Json {
  if (word === undefined || key === undefined) return without(whole, definitionWords)
  const schema = (whole[word] as JsonObject)[key] as Json
  const dialect = whole.$schema
  const inherits =
    isObject(schema) && schema.$schema === undefined && typeof dialect === 'string' && !/2020-12/.test(dialect)
  return inherits ? { $schema: dialect, ...schema } : schema
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))
}

/** The definitions of a document as entries, and the document itself where it is a type. */
function entriesOf(value: JsonObject, about: Bundle['about'], options: ExtractOptions): Entry[] | Refused {
  const found = new Map<string, Entry>()
  for (const word of definitionWords) {
    const entries = value[word]
    if (entries === undefined) continue
    if (!isObject(entries)) return { refused: 'types-unreadable', reason: `"${word}" must be an object` }
    for (const [key, it] of Object.entries(entries)) {
      const description = isObject(it) ? (it.description ?? null) : null
      if (!found.has(key)) found.set(key, entryOf(key, [word, key], about.get(key) ?? { description }, options))
    }
  }
  const alone = found.size === 0 && options.kind !== 'type-def-bundle'
  if (!(options.root || alone) || !isSchemaItself(value)) return [...found.values()]
  const key = options.name ?? rootNameOf(value)
  return [entryOf(key, [], { description: value.description ?? null }, options), ...found.values()]
}

/** The schemas of an API description, in the words of JSON Schema 2020-12. */
function componentsOf(document: Document): JsonObject | null {
  const { spec } = importDocument(document, 'auto', {})
  return spec === null || spec.format.kind === 'json-schema' ? null : { $defs: spec.classes as JsonObject }
}

/** Moves what the import writes for references between schemas to where the schemas are now. */
function asDefinitions(document: Document, whole: JsonObject): JsonObject {
  const moved = replaceRefs(whole, (target) => {
    const path = target.startsWith('#/components/schemas/') ? parseFragment(target) : null
    return path === null ? null : formatFragment(['$defs', ...path.slice(2)])
  }) as JsonObject
  const own = ownDefinitions(document)
  return { ...own, ...moved, $defs: { ...own.$defs, ...(moved.$defs as JsonObject) } }
}

/** The definitions that an API description has beside its components; `definitions` of Swagger are its components. */
function ownDefinitions(document: Document): Readonly<Record<string, JsonObject>> {
  const { value, format } = document
  const words = format?.kind === 'swagger' ? definitionWords.slice(0, 1) : definitionWords
  return Object.fromEntries(
    words.flatMap((word) => {
      const entries = isObject(value) ? value[word] : undefined
      if (!isObject(entries)) return []
      const moved = replaceRefs(entries, (target) =>
        target.startsWith('#/components/schemas/') ? target.replace('#/components/schemas/', '#/$defs/') : null,
      )
      return [[word, moved as JsonObject]]
    }),
  )
}

/** The definitions whose name a schema of the components has, too: one name is one type. */
const shadowedIn = (document: Document, components: JsonObject): { code: string; message: string; pointer: string }[] =>
  Object.entries(ownDefinitions(document)).flatMap(([word, entries]) =>
    Object.keys(entries)
      .filter((key) => Object.hasOwn(components, key))
      .map((key) => ({
        code: 'name-taken',
        message: `"${key}" of ${word} was left out: a schema of the components has this name.`,
        pointer: formatPointer([word, key]),
      })),
  )

function toType(entry: Entry, schema: Json, document: Document, bases: readonly string[]): Omit<FoundType, 'pointer'> {
  const { key, name, namespace, about } = entry
  const tags = Array.isArray(about.tags) ? (about.tags as readonly Json[]).filter((it) => typeof it === 'string') : []
  return {
    key,
    name,
    namespace,
    description: filledText(about.description) ?? (isObject(schema) ? filledText(schema.description) : null),
    category: filledText(about.category),
    tags,
    schema,
    edges: edgesOf(schema, bases),
    ...inspectSchema(document, schema),
  }
}

/**
 * Reads the types of a document: each definition becomes one, with references between them as references of the registry. A
 * document without definitions that is a schema is one type.
 *
 * @returns the types in the order of the document, or why there is none
 */
export function extractTypes(document: Document, options: ExtractOptions): Extracted | Refused {
  const broken = document.problems.find(({ severity }) => severity === 'error')
  const malformed = options.kind === 'type-def-bundle' ? 'bundle-malformed' : 'types-unreadable'
  if (broken !== undefined)
    return { refused: malformed, reason: `line ${broken.range.start.line + 1}: ${broken.message}` }
  if (!isObject(document.value)) return { refused: malformed, reason: 'it must be an object' }
  const bundle = options.kind === 'type-def-bundle' ? readBundle(document.value) : null
  if (bundle !== null && 'refused' in bundle) return bundle
  const isDescription = document.format !== null && ['openapi', 'swagger'].includes(document.format.kind)
  const components = isDescription ? componentsOf(document) : null
  if (isDescription && components === null) return { refused: malformed, reason: 'its schemas cannot be read' }
  const value = bundle?.value ?? (components ? asDefinitions(document, components) : withComponents(document.value))
  const entries = entriesOf(value, bundle?.about ?? new Map<string, JsonObject>(), options)
  if ('refused' in entries) return entries
  const problems = components === null ? [] : shadowedIn(document, components.$defs as JsonObject)
  const named = entries.filter((entry) => {
    const wrong = nameProblem(entry.name) ?? namespaceProblem(entry.namespace)
    if (wrong !== null)
      problems.push({
        code: 'name-invalid',
        message: `"${entry.key}" was left out: ${wrong}.`,
        pointer: formatPointer(entry.path),
      })
    return wrong === null
  })
  const whole = separate(value, named, options.name ?? rootNameOf(value), options.namespace)
  const placeIn = ({ key, path }: Entry): Path => (path.length === 0 ? path : (bundle?.placeOf(key) ?? path))
  const types = named.map((entry) => ({
    ...toType(entry, schemaOf(whole, entry), document, options.bases),
    pointer: formatPointer(placeIn(entry)),
  }))
  return { kind: options.kind, types, problems }
}

/** An incomplete API description, with its schemas where definitions are. */
function withComponents(value: JsonObject): JsonObject {
  const schemas = isObject(value.components) ? value.components.schemas : undefined
  if (!isObject(schemas) || value.$defs !== undefined || value.definitions !== undefined) return value
  const { components: _, ...rest } = value
  return replaceRefs({ ...rest, $defs: schemas }, (target) =>
    target.startsWith('#/components/schemas/') ? target.replace('#/components/schemas/', '#/$defs/') : null,
  ) as JsonObject
}
