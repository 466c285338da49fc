/** The named shapes of the published description. */

type Plain = Record<string, unknown>

const isName = (title: unknown): title is string => typeof title === 'string' && /^[A-Z]\w*$/.test(title)

/**
 * Collects shapes that have a name, so that each is described once and referred to elsewhere.
 * A shape's name is its `title` (`titled` of src/api/shapes.ts).
 */
export class Components {
  readonly schemas: Record<string, Plain> = {}

  /**
   * A shape as the description refers to it.
   * @param schema a TypeBox schema; symbols that TypeBox keeps beside the keywords are dropped
   * @param name what it is called where it has no name of its own; without it, it stays where it is
   * @throws Error where two different shapes have one name
   */
  refer(schema: object, name?: string): Plain {
    const plain = JSON.parse(JSON.stringify(schema)) as Plain
    if (name !== undefined && plain['title'] === undefined && plain['type'] === 'object') plain['title'] = name
    return this.#place(plain) as Plain
  }

  #place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((it) => this.#place(it))
    if (value === null || typeof value !== 'object') return value
    const { title, ...rest } = value as Plain
    const placed = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, this.#place(part)]))
    const body = this.#merged(plainConst(shortened(placed)))
    if (!isName(title)) return title === undefined ? body : { title: this.#place(title), ...body }
    const known = this.schemas[title]
    if (known === undefined) this.schemas[title] = { title, ...body }
    else if (shapeOf(known) !== shapeOf({ title, ...body }))
      throw new Error(`Two different shapes are called ${title}.`)
    const $ref = `#/components/schemas/${title}`
    const { description } = body
    return known === undefined || description === undefined || description === known['description']
      ? { $ref }
      : { $ref, description }
  }

  /**
   * A union with an array among its branches as generators of clients read it: that of openapi-generator for Java makes names of its
   * branches, and none of `List<…>`; those for Python and oapi-codegen none of several types. It accepts the same values: beside a named
   * shape a condition tells the branches apart, and of plain types it says which are refused.
   */
  #merged(schema: Plain): Plain {
    const { anyOf, ...rest } = schema
    if (!Array.isArray(anyOf)) return schema
    const branches = anyOf as Plain[]
    const list = branches.find((it) => it['type'] === 'array')
    const [other, more] = branches.filter((it) => it !== list)
    if (list === undefined || other === undefined) return schema
    if ('$ref' in other && more === undefined)
      return { if: { type: 'array', items: {} }, then: list, else: other, ...rest }
    if (!branches.every(isPlainType)) return schema
    const taken = new Set(branches.map((it) => it['type']))
    return { not: { type: plainTypes.filter((it) => !taken.has(it)) }, ...rest }
  }
}

const plainTypes = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** Whether a shape says no more than its type. */
const isPlainType = ({ type, properties = {}, items = {}, additionalProperties = true, ...more }: Plain): boolean =>
  plainTypes.includes(type as string) &&
  Object.keys(properties as Plain).length + Object.keys(items as Plain).length + Object.keys(more).length === 0 &&
  additionalProperties === true

/**
 * A constant in the form that generators of clients understand: of a list of one truth value they make a type that cannot be written,
 * and a number without a fraction is no decimal.
 */
function plainConst(schema: Plain): Plain {
  const { const: value, ...rest } = schema
  if (typeof value === 'boolean') return { ...rest, not: { const: !value } }
  return Number.isInteger(value) ? { ...schema, type: 'integer' } : schema
}

const isWord = (it: Plain): boolean => it['type'] === 'string' && typeof it['const'] === 'string'

/**
 * A union in the form that generators of clients understand: words as `enum`, and what may be null as `type: [T, "null"]`. A named
 * shape that may be null stays a union, which they all read.
 */
function shortened(schema: Plain): Plain {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const branches = anyOf as Plain[]
  const values = branches.filter((it) => it['type'] !== 'null')
  const isNullable = values.length < branches.length
  if (values.length > 0 && values.every(isWord)) {
    const words = values.map((it) => it['const'])
    return isNullable
      ? { type: ['string', 'null'], enum: [...words, null], ...rest }
      : { type: 'string', enum: words, ...rest }
  }
  const [value] = values
  if (!isNullable || values.length !== 1 || typeof value?.['type'] !== 'string') return schema
  const choices = value['enum'] as unknown[] | undefined
  return { ...value, type: [value['type'], 'null'], ...(choices && { enum: [...choices, null] }), ...rest }
}

/** What makes a shape itself: where it is used it may have a description of its own. */
const shapeOf = (shape: Plain): string => JSON.stringify({ ...shape, description: undefined })
