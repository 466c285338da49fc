/** What a schema says of the XML that it describes: kinds, names and nodes (OpenAPI 3.2.0, "XML Object"; 3.1.1, "XML Object"). */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { deref } from './openapi.ts'

/** Why it cannot be decided whether an XML text is valid by a schema. */
export class XmlUndecided extends Error {}

/** Names that an element or an attribute may have. */
export interface XmlNames {
  readonly names: readonly string[]
  /** Whether the description says the name, so that another one is wrong. */
  readonly isSaid: boolean
  readonly namespace: string | null
}

/** A schema, with what its references and its `allOf` add. */
export interface XmlShape {
  readonly kind: 'object' | 'array' | 'scalar' | 'any'
  /** The type of a scalar. */
  readonly type: string | null
  readonly isNullable: boolean
  readonly node: 'element' | 'attribute' | 'text' | 'cdata' | 'none'
  readonly xml: JsonObject
  /** Whether `xml` is that of the schema that it refers to. */
  readonly isXmlReferred: boolean
  /** The name of the component that the schema refers to. */
  readonly component: string | null
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  readonly items: Json | undefined
  readonly additional: Json | undefined
}

// With these the value decides which schema applies, and the schema is needed to read the value.
const branching = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  '$dynamicRef',
  '$recursiveRef',
] as const

const annotations = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'readOnly',
  'title',
  'writeOnly',
  'xml',
])

const maxParts = 1000

interface Part {
  readonly schema: JsonObject
  /** Whether it is the schema itself or what it refers to, not a part of `allOf`. */
  readonly isOwn: boolean
}

interface Parts {
  readonly list: readonly Part[]
  readonly component: string | null
}

function partsOf(root: JsonObject, schema: Json): Parts {
  const list: Part[] = []
  let component: string | null = null
  const waiting: { readonly value: Json; readonly isOwn: boolean }[] = [{ value: schema, isOwn: true }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { value, isOwn } = next
    if (value === true) continue
    if (!isObject(value)) throw new XmlUndecided('a schema allows nothing')
    if (list.length >= maxParts) throw new XmlUndecided('a schema has too many references')
    const keyword = branching.find((it) => value[it] !== undefined)
    if (keyword !== undefined) throw new XmlUndecided(`the schema has "${keyword}"`)
    list.push({ schema: value, isOwn })
    if (typeof value.$ref === 'string') {
      const target = deref(root, { $ref: value.$ref })
      if (target === undefined) throw new XmlUndecided(`the reference "${value.$ref}" leads to nothing that was read`)
      if (isOwn) component ??= /^#\/components\/schemas\/([^/]+)$/.exec(value.$ref)?.[1] ?? null
      waiting.unshift({ value: target, isOwn })
    }
    if (Array.isArray(value.allOf))
      waiting.push(...(value.allOf as readonly Json[]).map((it) => ({ value: it, isOwn: false })))
  }
  return { list, component }
}

function propertiesOf(list: readonly Part[]): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>()
  for (const { schema } of list)
    for (const [name, value] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      const before = found.get(name)
      found.set(name, before === undefined ? value : { allOf: [before, value] })
    }
  return found
}

function typesOf(list: readonly Part[]): { readonly type: string | null; readonly isNullable: boolean } {
  const asked = list.filter(({ schema }) => schema.type !== undefined).map(({ schema }) => [schema.type].flat())
  const [first] = asked
  if (first === undefined) return { type: null, isNullable: false }
  const common = first.filter((it) => asked.every((types) => types.includes(it)))
  const [type, ...others] = common.filter((it) => it !== 'null')
  if (typeof type !== 'string' || others.length > 0) throw new XmlUndecided('a schema has several types')
  return { type, isNullable: common.includes('null') }
}

function kindOf(list: readonly Part[], type: string | null): XmlShape['kind'] {
  if (type !== null) return type === 'object' || type === 'array' ? type : 'scalar'
  const has = (keyword: string): boolean => list.some(({ schema }) => schema[keyword] !== undefined)
  if (has('properties') || has('required') || has('additionalProperties')) return 'object'
  if (has('items')) return 'array'
  const isFree = list.every(({ schema }) =>
    Object.keys(schema).every((it) => annotations.has(it) || it === '$ref' || it === 'allOf' || it.startsWith('x-')),
  )
  if (!isFree) throw new XmlUndecided('a schema has no type')
  return 'any'
}

/** What `xml` of a schema says; what only a part of `allOf` says may be meant for another element. */
function xmlOf(list: readonly Part[]): JsonObject {
  const own = list.find(({ schema, isOwn }) => isOwn && isObject(schema.xml))?.schema.xml
  if (isObject(own)) return own
  if (list.some(({ schema }) => isObject(schema.xml))) throw new XmlUndecided('a part of "allOf" has "xml"')
  return {}
}

function nodeOf(xml: JsonObject, kind: XmlShape['kind']): XmlShape['node'] {
  const { nodeType: said } = xml
  if (said === 'element' || said === 'attribute' || said === 'text' || said === 'cdata') return said
  if (said === 'none' && kind !== 'array') throw new XmlUndecided('a schema has the nodeType "none"')
  if (said !== undefined && said !== 'none') throw new XmlUndecided('the nodeType of a schema is unknown')
  if (xml.attribute === true) return 'attribute'
  return kind === 'array' && (said === 'none' || xml.wrapped !== true) ? 'none' : 'element'
}

function single(list: readonly Part[], keyword: 'items' | 'additionalProperties'): Json | undefined {
  const found = list.map(({ schema }) => schema[keyword]).filter((it): it is Json => it !== undefined)
  if (found.length > 1) throw new XmlUndecided(`several parts of "allOf" have "${keyword}"`)
  return found[0]
}

/**
 * Reads what a schema says of its XML.
 * @param root the description that its references lead into
 * @throws XmlUndecided for a schema from which the value of an XML text cannot be known
 */
export function shapeOf(root: JsonObject, schema: Json): XmlShape {
  const { list, component } = partsOf(root, schema)
  const { type, isNullable } = typesOf(list)
  const kind = kindOf(list, type)
  const xml = xmlOf(list)
  return {
    kind,
    type: kind === 'scalar' ? type : null,
    isNullable,
    node: nodeOf(xml, kind),
    xml,
    isXmlReferred: !isObject(schema) || schema.xml !== xml,
    component,
    properties: propertiesOf(list),
    required: new Set(
      list.flatMap(({ schema: it }) => (Array.isArray(it.required) ? (it.required as Json[]) : [])).map(String),
    ),
    items: single(list, 'items'),
    additional: single(list, 'additionalProperties'),
  }
}

export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The names that the node of a schema may have: what `xml.name` says, else those that others derive it from. */
export function namesOf({ xml, isXmlReferred, component }: XmlShape, others: readonly (string | null)[]): XmlNames {
  const namespace = typeof xml.namespace === 'string' ? xml.namespace : null
  const derived = others.filter((it) => it !== null)
  // Some writers call an element as its property, others as the component that the property refers to.
  if (typeof xml.name === 'string')
    return { names: [withoutPrefix(xml.name), ...(isXmlReferred ? derived : [])], isSaid: true, namespace }
  const names = component === null ? derived : [...derived, component]
  return { names: [...new Set(names)], isSaid: false, namespace }
}
