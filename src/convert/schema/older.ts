/** JSON Schema 2020-12 in the words of an earlier draft. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { formatFragment } from '../../kernel/pointer.ts'
import { baseAt, resolveReference } from '../../document/reference.ts'
import { jsonSchema2020 } from '../../document/validate/json-schema.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../../import/notes.ts'
import { type Rename, renamePath, renameReference } from './paths.ts'

/** The drafts that a schema can be written in beside 2020-12. */
export type OlderDraft = 'draft-07' | '2019-09'

const dialects: Readonly<Record<OlderDraft, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
}

const renameTuple = (step: string, schema: { readonly [key: string]: Json }): string => {
  if (step === 'prefixItems') return 'items'
  return step === 'items' && Array.isArray(schema.prefixItems) ? 'additionalItems' : step
}

const renames: Readonly<Record<OlderDraft, Rename>> = {
  '2019-09': renameTuple,
  'draft-07': (step, schema) => {
    if (step === '$defs') return 'definitions'
    return step === 'dependentSchemas' ? 'dependencies' : renameTuple(step, schema)
  },
}

const tuple = (node: JsonObject): JsonObject => {
  if (!Array.isArray(node.prefixItems)) return node
  const { prefixItems, items, ...rest } = node
  return { ...rest, items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) }
}

// One keyword held both kinds until draft 7.
const dependencies = (node: JsonObject): JsonObject => {
  const { dependentRequired, dependentSchemas, ...rest } = node
  const required = isObject(dependentRequired) ? dependentRequired : {}
  const schemas = isObject(dependentSchemas) ? dependentSchemas : {}
  const names = [...new Set([...Object.keys(required), ...Object.keys(schemas)])]
  if (names.length === 0) return dependentRequired === undefined && dependentSchemas === undefined ? node : rest
  const both = names.map((name): [string, Json] => {
    const [list, schema] = [required[name], schemas[name]]
    if (list !== undefined && schema !== undefined) return [name, { allOf: [{ required: list }, schema] }]
    return [name, list ?? schema ?? []]
  })
  return { ...rest, dependencies: Object.fromEntries(both) }
}

const applicators = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'prefixItems',
  'patternProperties',
  'contains',
  'dependentSchemas',
]

/** The conversion to one draft. */
class Aging {
  readonly #document: Document
  readonly #draft: OlderDraft
  readonly #notes: Notes

  constructor(document: Document, draft: OlderDraft, notes: Notes) {
    this.#document = document
    this.#draft = draft
    this.#notes = notes
  }

  run(): JsonObject {
    const made = rebuild(jsonSchema2020, this.#document.value as JsonObject, (name, node, path) =>
      name === 'Schema' ? this.#schema(node, path) : node,
    )
    return { $schema: dialects[this.#draft], ...edit(made, ['$schema']) }
  }

  #schema(given: JsonObject, path: Path): JsonObject {
    const node = tuple(this.#references(given, path))
    return this.#draft === '2019-09' ? node : this.#draft07(node, path)
  }

  #references(node: JsonObject, path: Path): JsonObject {
    const { $dynamicRef: dynamic, $dynamicAnchor: anchor } = node
    let made = node
    if (typeof dynamic === 'string') {
      this.#notes.add('dynamic-reference', `Read "$dynamicRef: ${dynamic}" as a reference to one schema.`, [
        ...path,
        '$dynamicRef',
      ])
      made = { ...edit(made, ['$dynamicRef']), $ref: made.$ref ?? this.#placeOf(dynamic, path) }
    } else if (typeof node.$ref === 'string')
      made = { ...node, $ref: renameReference(this.#document, node.$ref, path, renames[this.#draft]) }
    return typeof anchor === 'string' ? { ...edit(made, ['$dynamicAnchor']), $anchor: anchor } : made
  }

  // Where a dynamic reference leads by itself; a "$dynamicAnchor" becomes an anchor.
  #placeOf(ref: string, path: Path): string {
    const target = resolveReference(this.#document, { ref, base: baseAt({ document: this.#document, path }) })
    if (typeof target !== 'object') return ref
    const isAnchor = /#[^/]/.test(ref)
    return isAnchor ? ref : formatFragment(renamePath(this.#document.value, target.path, renames[this.#draft]))
  }

  #draft07(given: JsonObject, path: Path): JsonObject {
    const node = this.#unevaluated(this.#counts(given, path), path)
    const { $defs, $anchor, $ref, $vocabulary: _, ...rest } = dependencies(node)
    const identity: Record<string, Json> = {}
    if (typeof $anchor === 'string') {
      if (rest.$id === undefined) identity.$id = `#${$anchor}`
      else
        this.#notes.add('not-in-draft', `Draft 7 cannot name a schema "${$anchor}" that has an "$id".`, [
          ...path,
          '$anchor',
        ])
    }
    const definitions = isObject($defs)
      ? { definitions: { ...(isObject(rest.definitions) ? rest.definitions : {}), ...$defs } }
      : {}
    if ($ref === undefined) return { ...identity, ...rest, ...definitions }
    // Draft 7 ignores what is beside a reference.
    const siblings = { ...identity, ...rest }
    if (Object.keys(siblings).length === 0) return { $ref, ...definitions }
    const also = Array.isArray(rest.allOf) ? (rest.allOf as readonly Json[]) : []
    return { ...siblings, allOf: [{ $ref }, ...also], ...definitions }
  }

  #counts(node: JsonObject, path: Path): JsonObject {
    if (node.contains === undefined) return edit(node, ['minContains', 'maxContains'])
    if (node.minContains === 0 && node.maxContains === undefined) return edit(node, ['minContains', 'contains'])
    for (const key of ['minContains', 'maxContains'])
      if (node[key] !== undefined && !(key === 'minContains' && node[key] === 1))
        this.#notes.add('not-in-draft', `Validators of draft 7 ignore "${key}".`, [...path, key])
    return node
  }

  // Where no other schema applies at the place, "unevaluated" is "additional".
  #unevaluated(node: JsonObject, path: Path): JsonObject {
    let made = node
    for (const [key, additional] of [
      ['unevaluatedProperties', 'additionalProperties'],
      ['unevaluatedItems', Array.isArray(node.items) ? 'additionalItems' : 'items'],
    ] as const) {
      const value = node[key]
      if (value === undefined) continue
      const isAlone =
        !applicators.some((it) => Object.hasOwn(node, it)) && !(key === 'unevaluatedItems' && Array.isArray(node.items))
      if (value === true) made = edit(made, [key])
      else if (isAlone) made = edit(made, [key], Object.hasOwn(node, additional) ? {} : { [additional]: value })
      else this.#notes.add('not-in-draft', `Validators of draft 7 ignore "${key}".`, [...path, key])
    }
    return made
  }
}

/**
 * A schema of 2020-12 that an earlier draft reads with the same meaning, unless a loss is noted.
 *
 * @param document its `value` is of 2020-12
 */
export const writeOlder = (document: Document, draft: OlderDraft, notes: Notes): JsonObject =>
  new Aging(document, draft, notes).run()
