import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import type { Draw } from './draw-schemas.ts'

type Fields = { readonly [key: string]: Json }
type Resolve = (ref: string) => Json

const texts = ['', 'a', 'b', 'ab', 'aab', 'x1', '7', '12', 'bbb', 'abcd']
const numbers = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 0.5, 2.5]

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
const fields = (value: Json | undefined): Fields => (isObject(value) ? value : {})

/**
 * Draws values that a sender may mean by a schema: only properties that it lists, null only where it is announced. It follows
 * the keywords and does not look at how they interact, so a validator has to choose.
 */
export class Sampler {
  private readonly draw: Draw
  private readonly resolve: Resolve
  private readonly isOld: boolean

  constructor(draw: Draw, resolve: Resolve, isOld: boolean) {
    this.draw = draw
    this.resolve = resolve
    this.isOld = isOld
  }

  value(schema: Json, depth = 5): Json {
    if (!isObject(schema) || depth < -5) return this.draw.pick<Json>(['a', 1, true])
    if (typeof schema.$ref === 'string') return this.value(this.resolve(schema.$ref), depth - 1)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return this.draw.pick(list(schema.enum))
    const choices = (['oneOf', 'anyOf'] as const).flatMap((word) =>
      list(schema[word]).length > 0 ? [list(schema[word])] : [],
    )
    const own = this.own(schema, depth)
    const more = [...list(schema.allOf), ...choices.map((it) => this.draw.pick(it)), ...this.conditional(schema)].map(
      (it) => this.value(it, depth - 1),
    )
    const found = [own, ...more].reduce<Json | undefined>(merged, undefined)
    return found === undefined ? this.draw.pick<Json>(['a', 1, true]) : found
  }

  private conditional(schema: Fields): readonly Json[] {
    return [schema.then, schema.else].filter((it) => it !== undefined && this.draw.chance(0.4)) as Json[]
  }

  /** What the keywords of the schema itself mean; undefined where they say nothing. */
  private own(schema: Fields, depth: number): Json | undefined {
    const given = Array.isArray(schema.type) ? this.draw.pick(list(schema.type)) : schema.type
    if (this.isOld && schema.nullable === true && this.draw.chance(0.2)) return null
    switch (given ?? this.guess(schema)) {
      case 'object':
        return this.object(schema, depth)
      case 'array':
        return this.array(schema, depth)
      case 'integer':
        return Math.floor(this.number(schema))
      case 'number':
        return this.number(schema)
      case 'string':
        return this.draw.pick(texts)
      case 'boolean':
        return this.draw.chance(0.5)
      case 'null':
        return null
      default:
        return undefined
    }
  }

  private guess(schema: Fields): string | undefined {
    return ['properties', 'required', 'additionalProperties', 'minProperties'].some((it) => schema[it] !== undefined)
      ? 'object'
      : undefined
  }

  private number(schema: Fields): number {
    const bounds = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum].filter(
      (it) => typeof it === 'number',
    )
    return bounds.length > 0 && this.draw.chance(0.6)
      ? this.draw.pick(bounds) + this.draw.pick([-1, 0, 1])
      : this.draw.pick(numbers)
  }

  private object(schema: Fields, depth: number): Json {
    const properties = fields(schema.properties)
    const required = list(schema.required).map(String)
    // What lies deep has only what it has to have, so that values end.
    const share = depth <= 0 ? 0 : this.draw.pick([0, 0.5, 0.9])
    const names = new Set([
      ...required.filter((it) => properties[it] !== undefined),
      ...this.draw.some(Object.keys(properties), share),
    ])
    const dependent = Object.entries(fields(schema.dependentSchemas)).filter(([name]) => names.has(name))
    const own = Object.fromEntries([...names].map((name) => [name, this.value(properties[name] ?? true, depth - 1)]))
    const extra = fields(schema.additionalProperties)
    if (isObject(schema.additionalProperties) && this.draw.chance(0.2)) own.z = this.value(extra, depth - 1)
    if (isObject(schema.patternProperties) && this.draw.chance(0.3))
      own.x1 = this.value(Object.values(schema.patternProperties)[0]!, depth - 1)
    return dependent.reduce<Json>((at, [, it]) => merged(at, this.value(it, depth - 1)) ?? at, own)
  }

  private array(schema: Fields, depth: number): Json {
    const prefix = list(schema.prefixItems)
    const least = typeof schema.minItems === 'number' ? schema.minItems : 0
    return Array.from({ length: depth <= 0 ? least : Math.max(least, this.draw.below(3)) }, (_, i) =>
      this.value(prefix[i] ?? schema.items ?? true, depth - 1),
    )
  }
}

/** One value that has what both have; the later one where they differ. */
const merged = (one: Json | undefined, other: Json | undefined): Json | undefined => {
  if (one === undefined) return other
  if (other === undefined) return one
  return isObject(one) && isObject(other) ? { ...one, ...other } : other
}
