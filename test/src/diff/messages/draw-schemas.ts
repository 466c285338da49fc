/** Draws schemas for messages and edits them. All are JSON Schema 2020-12; `write.ts` puts them into older versions. */
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import type { Random } from '../mutations.ts'

export type Mutable = { [key: string]: Json }

/** What a version can say: `plain` is Swagger 2.0, `choices` OpenAPI 3.0, `all` everything since. */
export type Vocabulary = 'plain' | 'choices' | 'all'

const names = ['a', 'b', 'c', 'd']
const patterns = ['^a', 'b$', '^[ab]*$', '^[0-9]{1,2}$', '^x']
const words = ['a', 'b', 'ab', 'x1', '12', '7']

export class Draw {
  readonly random: Random
  vocabulary: Vocabulary = 'all'

  constructor(random: Random) {
    this.random = random
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  below(count: number): number {
    return Math.floor(this.random() * count)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  some<T>(list: readonly T[], share = 0.5): T[] {
    return list.filter(() => this.chance(share))
  }

  private keywords(makers: Readonly<Record<string, () => Json>>, share = 0.35): Mutable {
    return Object.fromEntries(this.some(Object.entries(makers), share).map(([word, make]) => [word, make()]))
  }

  scalar(): Mutable {
    switch (this.pick(['integer', 'integer', 'number', 'string', 'string', 'boolean', 'texts', 'numbers'])) {
      case 'integer':
        return { type: 'integer', ...this.bounds() }
      case 'number':
        return { type: 'number', ...this.bounds() }
      case 'boolean':
        return { type: 'boolean' }
      case 'texts':
        return { type: 'string', enum: [...new Set([this.pick(words), this.pick(words), ...this.some(words, 0.2)])] }
      case 'numbers':
        return { type: 'integer', enum: [...new Set([this.below(4), this.below(13), ...this.some([1, 2, 7], 0.3)])] }
      default:
        return {
          type: 'string',
          ...this.keywords({
            minLength: () => this.below(3),
            maxLength: () => 1 + this.below(4),
            pattern: () => this.pick(patterns),
          }),
        }
    }
  }

  private bounds(): Mutable {
    return this.keywords(
      {
        minimum: () => this.below(4) - 1,
        maximum: () => 2 + this.below(5),
        exclusiveMinimum: () => this.below(3) - 2,
        exclusiveMaximum: () => 4 + this.below(4),
        multipleOf: () => 1 + this.below(3),
      },
      0.2,
    )
  }

  /** A value that has a text: a scalar, a list, an object of scalars. */
  textual(objects = true): Mutable {
    const turn = this.random()
    if (turn < 0.55) return this.scalar()
    if (turn < 0.85 || !objects)
      return {
        type: 'array',
        items: this.scalar(),
        minItems: 1,
        ...this.keywords({ maxItems: () => 1 + this.below(3) }, 0.6),
      }
    return this.object(0, false)
  }

  object(depth: number, isRich = true): Mutable {
    const listed = this.some(names, 0.6)
    const properties: Mutable = Object.fromEntries(
      listed.map((name) => [name, depth > 0 ? this.schema(depth - 1) : this.scalar()]),
    )
    if (isRich && this.chance(0.12)) properties.r = { ...this.scalar(), readOnly: true }
    if (isRich && this.chance(0.12) && this.vocabulary !== 'plain') properties.w = { ...this.scalar(), writeOnly: true }
    const required = this.some(Object.keys(properties), 0.4)
    return {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(this.chance(0.25) ? { additionalProperties: this.chance(0.7) ? false : this.scalar() } : {}),
      ...(isRich && this.vocabulary === 'all' ? this.conditions(depth) : {}),
    }
  }

  private conditions(depth: number): Mutable {
    return this.keywords(
      {
        patternProperties: () => ({ '^x': this.scalar() }),
        dependentRequired: () => ({ [this.pick(names)]: [this.pick(names)] }),
        dependentSchemas: () => ({ [this.pick(names)]: this.object(0, false) }),
        propertyNames: () => this.pick<Json>([{ maxLength: 1 + this.below(2) }, { not: { const: this.pick(names) } }]),
        if: () => ({ required: [this.pick(names)] }),
        then: () => (depth > 0 ? this.object(0, false) : { required: [this.pick(names)] }),
        else: () => ({ properties: { [this.pick(names)]: this.scalar() } }),
        minProperties: () => this.below(3),
        maxProperties: () => 1 + this.below(4),
      },
      0.06,
    )
  }

  schema(depth: number): Mutable {
    const turn = this.random()
    if (turn < 0.3 || depth === 0) return this.chance(0.15) ? this.nullable(this.scalar()) : this.scalar()
    if (turn < 0.4) return this.array(depth)
    if (turn < 0.5) return this.reference()
    if (turn < 0.65) return this.combination(depth)
    return this.object(depth)
  }

  nullable(schema: Mutable): Mutable {
    if (this.vocabulary === 'plain' || typeof schema.type !== 'string') return schema
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as Json[]), null] } : {}),
    }
  }

  reference(): Mutable {
    return { $ref: `#/components/schemas/${this.pick(['A', 'B', 'C'])}` }
  }

  private array(depth: number): Mutable {
    return {
      type: 'array',
      items: this.schema(depth - 1),
      ...this.keywords({ minItems: () => this.below(2), maxItems: () => 1 + this.below(3), uniqueItems: () => true }),
      ...(this.vocabulary === 'all' && this.chance(0.15) ? { prefixItems: [this.schema(depth - 1)] } : {}),
    }
  }

  combination(depth: number): Mutable {
    const list = (count: number, objects: boolean): Json[] =>
      Array.from({ length: count }, () => (objects ? this.object(depth - 1) : this.scalar()))
    if (this.vocabulary === 'plain' || this.chance(0.3))
      return { allOf: [this.chance(0.5) ? this.reference() : this.object(depth - 1), this.object(0)] }
    const word = this.pick(['oneOf', 'anyOf', 'oneOf', 'not', 'tagged'])
    if (word === 'not')
      return {
        ...this.object(depth - 1),
        not: this.pick<Json>([{ required: [this.pick(names)] }, { type: 'array' }, { enum: [{ a: 1 }] }]),
      }
    if (word === 'tagged') return this.tagged()
    return { [word]: list(1 + this.below(3), this.chance(0.7)) }
  }

  /** A choice whose branches list their own discriminator value: to read the discriminator changes nothing. */
  private tagged(): Mutable {
    const branches = this.some(['Cat', 'Dog', 'Eel'], 0.7)
    if (branches.length < 2) return { $ref: '#/components/schemas/Cat' }
    return {
      oneOf: branches.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 't' },
    }
  }

  /** Everything that references name. A reference back is in an optional property, so that values end. */
  components(): Mutable {
    const kinds = ['Cat', 'Dog', 'Eel'].map((name): [string, Json] => {
      const made = this.object(0, false)
      const properties = { t: { type: 'string', enum: [name] }, ...(made.properties as Mutable) }
      return [name, { type: 'object', properties, required: ['t', ...((made.required as string[] | undefined) ?? [])] }]
    })
    const node = this.object(0)
    return {
      A: this.object(1),
      B: { ...node, properties: { ...(node.properties as Mutable), next: { $ref: '#/components/schemas/B' } } },
      C: this.chance(0.5) ? this.scalar() : this.object(0),
      ...Object.fromEntries(kinds),
    }
  }
}

/** What holds schemas and is none itself. */
const holders: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'schemas',
  'schema',
])
const values: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'type', 'discriminator', 'dependentRequired'])

interface Spot {
  readonly owner: Mutable | Json[]
  readonly key: string
}

const spotsOf = (root: Json): readonly Spot[] => {
  const spots: Spot[] = []
  const visit = (value: Json, isHolder: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      const it = (value as Mutable)[key]!
      if (!isHolder && values.has(key)) continue
      // The values of discriminators stay: what those mean is checked elsewhere.
      if (isHolder && key === 't') continue
      const holds = !isHolder && holders.has(key)
      if (isObject(it) && !holds) spots.push({ owner: value as Mutable, key })
      visit(it, holds)
    }
  }
  visit(root, false)
  return spots
}

const move = (draw: Draw, schema: Mutable): boolean => {
  const { properties } = schema
  if (!isObject(properties) || Object.keys(properties).length === 0) return false
  const name = draw.pick(Object.keys(properties))
  const { [name]: moved, ...rest } = properties
  if (moved === undefined || name === 't') return false
  const into = { properties: { [name]: moved } }
  const ways: readonly (() => Mutable)[] = [
    () => ({ allOf: [...((schema.allOf as Json[] | undefined) ?? []), into] }),
    ...(draw.vocabulary === 'plain'
      ? []
      : [
          () => ({ oneOf: [into] }),
          () => ({ anyOf: [into] }),
          () => ({ anyOf: [into, { ...into, required: [name] }] }),
        ]),
    ...(draw.vocabulary === 'all' && schema.if === undefined
      ? [
          () => ({ if: { required: [name] }, then: into }),
          () => ({ if: { maxProperties: 0 }, else: into }),
          () => ({ dependentSchemas: { [name]: into } }),
        ]
      : []),
  ]
  const made = draw.pick(ways)()
  if (Object.keys(made).some((word) => word !== 'allOf' && schema[word] !== undefined)) return false
  Object.assign(schema, made)
  schema.properties = rest
  return true
}

const shiftNumber = (draw: Draw, schema: Mutable): boolean => {
  const word = draw.pick(Object.keys(schema).concat('type'))
  const value = schema[word]
  if (typeof value !== 'number') return false
  schema[word] = Math.max(
    word === 'multipleOf' ? 1 : /^m[a-z]+(Length|Items|Properties)$/.test(word) ? 0 : -3,
    value + draw.pick([-1, 1]),
  )
  return true
}

const editBranches = (draw: Draw, schema: Mutable): boolean => {
  const word = draw.pick(['oneOf', 'anyOf', 'allOf'])
  const list = schema[word]
  if (!Array.isArray(list)) return false
  const branches = list as Json[]
  if (draw.chance(0.4) && schema.discriminator === undefined) branches.push(draw.object(0))
  else if (branches.length > 1) branches.splice(draw.below(branches.length), 1)
  else return false
  return true
}

const editNames = (draw: Draw, schema: Mutable): boolean => {
  const { properties } = schema
  if (!isObject(properties)) return false
  const known: Mutable = properties
  const name = draw.pick(names)
  const required = (schema.required as readonly string[] | undefined) ?? []
  const turn = draw.random()
  if (turn < 0.35) {
    schema.properties = { ...known, [name]: known[name] === undefined ? draw.schema(1) : draw.scalar() }
  } else if (turn < 0.55) {
    schema.properties = Object.fromEntries(Object.entries(known).filter(([key]) => key !== name))
    schema.required = required.filter((it) => it !== name)
  } else if (known[name] !== undefined)
    schema.required = required.includes(name) ? required.filter((it) => it !== name) : [...required, name]
  else return false
  return true
}

const editList = (draw: Draw, schema: Mutable): boolean => {
  const list = schema.enum
  if (!Array.isArray(list)) return false
  schema.enum =
    draw.chance(0.5) && list.length > 1
      ? list.slice(1)
      : [...new Set([...(list as Json[]), schema.type === 'string' ? draw.pick(words) : draw.below(9)])]
  return true
}

const editWord = (draw: Draw, schema: Mutable): boolean => {
  const word = draw.pick(Object.keys(schema).concat('additionalProperties'))
  if (
    ['type', 'properties', 'required', 'discriminator', '$ref', 'if', 'then', 'else', 'readOnly', 'writeOnly'].includes(
      word,
    )
  )
    return false
  if (schema[word] === undefined) schema[word] = false
  else delete schema[word]
  return true
}

const wrap = (draw: Draw, { owner, key }: Spot): boolean => {
  const place = owner as Mutable
  const schema = place[key] as Mutable
  if (schema.readOnly === true || schema.writeOnly === true) return false
  const ways: readonly Json[] = [
    { allOf: [schema] },
    ...(draw.vocabulary === 'plain'
      ? []
      : [{ oneOf: [schema] }, { anyOf: [schema, draw.object(0)] }, { oneOf: [schema, draw.scalar()] }]),
    draw.schema(1),
    draw.nullable(schema),
  ]
  place[key] = draw.pick(ways)
  return true
}

/** Puts the only branch that stays, or any branch, in the place of a choice. */
const inline = (draw: Draw, { owner, key }: Spot): boolean => {
  const place = owner as Mutable
  const schema = place[key] as Mutable
  const word = ['oneOf', 'anyOf'].find((it) => Array.isArray(schema[it]))
  if (word === undefined || schema.discriminator !== undefined) return false
  place[key] = structuredClone(draw.pick(schema[word] as readonly Json[]))
  return true
}

/** Edits one schema somewhere in `root`, in place; `root` holds schemas by name. */
export const editSchemas = (draw: Draw, root: Mutable): void => {
  for (let tries = 0; tries < 40; tries++) {
    const spots = spotsOf(root)
    if (spots.length === 0) return
    const spot = draw.pick(spots)
    const schema = (spot.owner as Mutable)[spot.key] as Mutable
    const way = draw.below(9)
    const isDone =
      way === 0
        ? wrap(draw, spot)
        : way === 1
          ? inline(draw, spot)
          : [shiftNumber, shiftNumber, editBranches, editNames, editNames, editList, editWord, move][way - 2 + 0]?.(
              draw,
              schema,
            ) === true
    if (isDone) return
  }
}
