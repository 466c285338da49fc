/**
 * What a document asks for, check by check, in words that the table of proof has a row for: "query maximum", "json required". A word that
 * an engine was not tried with proves nothing of it.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { PlacedValue, Side } from '../../diff/side.ts'
import type { Operation, Parameter } from '../../diff/model/api.ts'
import { integerFormats } from '../../schema/validation/formats.ts'
import type { PositiveCheck } from '../../gateway-policy/door.ts'
import { isJson, isMultipart } from './content.ts'
import { formatPattern } from './format-patterns.ts'
import { isForm } from './forms.ts'

/** Words of a schema that restrict values. */
const restricting = new Set(
  `enum const pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
  contains minContains maxContains prefixItems minProperties maxProperties additionalProperties unevaluatedProperties unevaluatedItems
  propertyNames patternProperties dependentRequired dependentSchemas dependencies allOf anyOf oneOf not if discriminator`.split(
    /\s+/,
  ),
)
/** Words whose value is one schema, a list of schemas, or schemas by name. */
const single = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['properties', 'patternProperties', 'dependentSchemas']

const isAny = (value: Json | undefined): boolean =>
  value === true || (isObject(value) && Object.keys(value).length === 0)

const isNullable = (schema: JsonObject): boolean => schema.nullable === true || schema['x-nullable'] === true

/** Collects the words of a schema and of what is within it. */
class Words {
  readonly found = new Set<string>()
  private readonly side: Side
  private readonly seen = new Set<Json>()

  constructor(side: Side) {
    this.side = side
  }

  /** @param place null: there is no schema, so nothing is restricted */
  read(place: Pick<PlacedValue, 'value'> | null): this {
    const waiting: Json[] = place === null ? [] : [place.value]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (!isObject(value) || this.seen.has(value)) continue
      this.seen.add(value)
      this.own(value)
      if (typeof value.$ref === 'string') {
        const target = this.side.find(value.$ref)
        if (target !== null) waiting.push(target.value)
      }
      waiting.push(...single.flatMap((word) => value[word] ?? []))
      for (const word of lists) if (Array.isArray(value[word])) waiting.push(...(value[word] as readonly Json[]))
      for (const word of maps) if (isObject(value[word])) waiting.push(...Object.values(value[word]))
    }
    return this
  }

  private own(schema: JsonObject): void {
    const types = [schema.type].flat().filter((it): it is string => typeof it === 'string')
    for (const type of types) this.found.add(type)
    if (isNullable(schema)) this.found.add('null')
    for (const [word, value] of Object.entries(schema))
      // What may have any value restricts nothing.
      if (restricting.has(word) && !(word === 'additionalProperties' && isAny(value))) this.found.add(word)
    if (Array.isArray(schema.required) && schema.required.length > 0) this.found.add('required')
    const { format } = schema
    if (typeof format === 'string' && (format in integerFormats || formatPattern(format) !== undefined))
      this.found.add(`format ${format}`)
  }
}

/** How a list or an object is written into one parameter. */
const styleOf = ({ style, explode }: Parameter): string => (explode ? `${style} exploded` : style)

function ofParameter(side: Side, parameter: Parameter): string[] {
  const { found } = new Words(side).read(parameter.schema)
  const words = [...found, ...(parameter.required && parameter.in !== 'path' ? ['required'] : [])]
  // These begin with a character that is no part of the value, whatever it is.
  const isPrefixed = parameter.style === 'label' || parameter.style === 'matrix'
  if (isPrefixed || found.has('array') || found.has('object')) words.push(styleOf(parameter))
  return [...new Set(words)].map((it) => `${parameter.in} ${it}`)
}

function ofBody(side: Side, { body }: Operation): string[] {
  return [...(body?.content.values() ?? [])].flatMap((type) => {
    const words = [...new Words(side).read(type.schema).found]
    // A member that is there twice may have a value that is allowed and one that is not.
    if (isJson(type)) return (words.length === 0 ? [] : [...words, 'duplicate names']).map((it) => `json ${it}`)
    if (isMultipart(type)) return words.map((it) => `multipart ${it}`)
    return isForm(type) ? words.map((it) => `form ${it}`) : []
  })
}

function ofSecurity(side: Side, { security }: Operation): string[] {
  const requirements = Array.isArray(security?.value) ? (security.value as readonly Json[]) : []
  const names = requirements.flatMap((it) => (isObject(it) ? Object.keys(it) : []))
  const schemes = side.at(side.dialect === 'swagger-2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'])
  const known = new Map(side.members(schemes).map(([name, { value }]) => [name, value]))
  return names.flatMap((name) => {
    const scheme = known.get(name)
    if (!isObject(scheme)) return []
    const [type, place] = [String(scheme.type), scheme.type === 'apiKey' ? ` in ${String(scheme.in)}` : '']
    return [`credential ${type === 'http' ? String(scheme.scheme).toLowerCase() : type}${place}`]
  })
}

/** The words of each check, over all operations of a document; sorted. */
export function constraintsOf(
  side: Side,
  operations: readonly Operation[],
): Readonly<Record<PositiveCheck, readonly string[]>> {
  const parameters = operations.flatMap((it) => [...it.parameters.values()].flatMap((one) => ofParameter(side, one)))
  const bodies = operations.filter((it) => it.body !== null)
  const required = bodies.some((it) => it.body?.required === true)
  const isParted = bodies.some((it) => [...(it.body?.content.values() ?? [])].some(isMultipart))
  const sorted = (list: readonly string[]): string[] => [...new Set(list)].sort()
  return {
    unknownOperation: ['path'],
    method: ['method'],
    parameters: sorted(parameters),
    undeclaredQuery: ['undeclared name'],
    contentType:
      bodies.length === 0
        ? []
        : ['media type', ...(isParted ? ['media type multipart'] : []), ...(required ? ['required body'] : [])],
    body: sorted(bodies.flatMap((it) => ofBody(side, it))),
    security: sorted(operations.flatMap((it) => ofSecurity(side, it))),
  }
}
