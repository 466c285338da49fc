/** Values that are sent by name: what has to be sent, and which texts it has (OpenAPI 3.1, 4.8.12). */
import type { Parameter } from '../../diff/model/api.ts'
import type { PlacedValue } from '../../diff/side.ts'
import { isObject, type Json, type Path } from '../../kernel/json.ts'
import { compilePattern, findString } from '../../schema/pattern.ts'
import type { Context } from './model.ts'
import { asOperand, type Expression } from '../pattern.ts'
import { memberOf, membersFrom, type Condition, type Refusal } from './seclang.ts'
import { partsOf, textOf, typesOf, type Text, type TextContext } from './text.ts'

const collections: Readonly<Record<string, string>> = {
  query: 'ARGS_GET',
  header: 'REQUEST_HEADERS',
  cookie: 'REQUEST_COOKIES',
  form: 'ARGS_POST',
}

/** Whether names that are not declared can be listed. */
const isListed = (where: string): boolean => where === 'query' || where === 'form'

/** What is between the items of a list. */
const separators: Readonly<Record<string, string>> = {
  form: ',',
  simple: '\\x20*,\\x20*',
  spaceDelimited: '\\x20',
  pipeDelimited: '\\|',
  tabDelimited: '\\x09',
}

/** Items of a list that need more than this are not put into one expression. */
const longestItem = 2000

type Kind = 'scalar' | 'array' | 'object' | 'mixed'

/** Parts of a schema with what several of them say about lists and objects. */
export interface Shape {
  readonly kind: Kind
  readonly items: PlacedValue | null
  readonly minItems: number
  readonly maxItems: number | null
  readonly unique: boolean
  readonly properties: readonly { readonly name: string; readonly place: PlacedValue }[]
  readonly required: ReadonlySet<string>
}

function shapeOf(schema: PlacedValue, context: TextContext): Shape {
  const parts = partsOf(schema, context)
  let items: PlacedValue | null = null
  let [minItems, unique]: [number, boolean] = [0, false]
  let maxItems: number | null = null
  const properties = new Map<string, PlacedValue>()
  const required = new Set<string>()
  const types = new Set<string>()
  for (const { value, path } of parts) {
    if (!isObject(value)) continue
    for (const type of typesOf(value, context.dialect) ?? []) if (type !== 'null') types.add(type)
    if (value.items !== undefined && !Array.isArray(value.items))
      items = { value: value.items, path: [...path, 'items'] }
    if (typeof value.minItems === 'number') minItems = Math.max(minItems, value.minItems)
    if (typeof value.maxItems === 'number') maxItems = Math.min(maxItems ?? Infinity, value.maxItems)
    if (value.uniqueItems === true) unique = true
    if (isObject(value.properties))
      for (const [name, it] of Object.entries(value.properties))
        properties.set(name, { value: it, path: [...path, 'properties', name] })
    if (Array.isArray(value.required)) for (const name of value.required as readonly Json[]) required.add(String(name))
    if ((value.anyOf ?? value.oneOf) !== undefined && value.type === undefined) types.add('mixed')
  }
  const scalar = ![...types].some((it) => it === 'array' || it === 'object' || it === 'mixed')
  const only = types.size === 1 ? [...types][0] : undefined
  const kind: Kind = only === 'array' || only === 'object' ? only : scalar ? 'scalar' : 'mixed'
  return {
    kind:
      kind === 'mixed' && types.has('mixed') && types.size === 1 && !properties.size && !items
        ? unionKind(schema, context)
        : kind,
    items,
    minItems,
    maxItems,
    unique,
    properties: [...properties].map(([name, place]) => ({ name, place })),
    required,
  }
}

/** The kind that all branches of a union have. */
function unionKind(schema: PlacedValue, context: TextContext, depth = 0): Kind {
  if (depth > 4) return 'mixed'
  const kinds = new Set<Kind>()
  for (const { value, path } of partsOf(schema, context)) {
    if (!isObject(value)) continue
    for (const word of ['anyOf', 'oneOf'])
      if (Array.isArray(value[word]))
        for (const [i, it] of (value[word] as readonly Json[]).entries())
          kinds.add(shapeOf({ value: it, path: [...path, word, i] }, context).kind)
  }
  return kinds.size === 1 && kinds.has('scalar') ? 'scalar' : 'mixed'
}

/** Whose rules are written, and what they report. */
export interface ValueSettings {
  readonly check: 'parameters' | 'body'
  /** Takes what is checked. */
  readonly write: (conditions: readonly Condition[], refusal: Refusal) => void
}

/** Rules about values with a name: parameters, and the fields of a form. */
export class ValueRules {
  private readonly context: Context
  private readonly settings: ValueSettings
  private readonly text: TextContext
  /** Names that are declared, of the query or of the form; null where any name is. */
  declared: string[] | null = []

  constructor(context: Context, settings: ValueSettings) {
    this.context = context
    this.settings = settings
    this.text = {
      dialect: context.side.dialect,
      alphabet: context.alphabet,
      find: (ref) => context.side.find(ref),
      lose: (path, reason) => this.lose(path, reason),
    }
  }

  lose(path: Path, reason: string): void {
    const { check } = this.settings
    if (this.context.mode(check) !== 'off') this.context.losses.add(check, path, reason)
  }

  refuse(conditions: readonly Condition[], message: string): void {
    const { check, write } = this.settings
    const mode = this.context.mode(check)
    if (mode !== 'off') write(conditions, { check, mode, status: 400, message, isSparable: true })
  }

  declare(where: string, name: string): void {
    if (isListed(where)) this.declared?.push(name)
  }

  /** A parameter that is sent by its name. */
  named(parameter: Parameter): void {
    const collection = collections[parameter.in]
    const { name, place } = parameter
    if (collection === undefined || name === '' || typeof (place.value as { $ref?: Json }).$ref === 'string') {
      if (isListed(parameter.in) || collection === undefined) this.declared = null
      this.lose(place.path, 'It cannot be resolved.')
      return
    }
    const { schema } = parameter
    if (schema === null) {
      this.declare(parameter.in, name)
      this.requireOne(parameter, memberOf(collection, name, this.text.alphabet))
      if (parameter.content.size > 0) this.lose(place.path, 'Its value is a document of a media type within a text.')
      return
    }
    const shape = shapeOf(schema, this.text)
    if (shape.kind === 'object' || (shape.kind === 'mixed' && shape.properties.length > 0)) {
      this.objectParameter(parameter, collection, shape)
      return
    }
    this.declare(parameter.in, name)
    if (parameter.style === 'deepObject') {
      this.declare(parameter.in, `${name}[`)
      this.requireDeep(parameter, collection)
      this.lose(schema.path, 'What "deepObject" writes of a value that is not an object is not defined.')
      return
    }
    this.requireOne(parameter, memberOf(collection, name, this.text.alphabet))
    if (shape.kind === 'mixed')
      this.lose(schema.path, 'It is a list or another value, whose texts cannot be distinguished.')
    else if (shape.kind === 'array') this.arrayParameter(parameter, collection, shape)
    else this.values(parameter, memberOf(collection, name, this.text.alphabet), textOf(schema, this.text), name)
  }

  private requireOne({ required, in: where, name }: Parameter, variables: string): void {
    if (required)
      this.refuse([{ variables: `&${variables}`, operator: '@eq 0' }], `The ${where} parameter ${name} is required.`)
  }

  private requireDeep({ required, in: where, name }: Parameter, collection: string): void {
    if (!required) return
    const none = '@eq 0'
    this.refuse(
      [
        { variables: `&${membersFrom(collection, `${name}[`, this.text.alphabet)}`, operator: none },
        { variables: `&${memberOf(collection, name, this.text.alphabet)}`, operator: none },
      ],
      `The ${where} parameter ${name} is required.`,
    )
  }

  /** Members that an object has to have, where it is there. */
  private requireMembers({ in: where, name }: Parameter, shape: Shape, collection: string): void {
    const present = { variables: `&${membersFrom(collection, `${name}[`, this.text.alphabet)}`, operator: '@gt 0' }
    for (const property of shape.properties.filter((it) => shape.required.has(it.name))) {
      const member = `${name}[${property.name}]`
      this.refuse(
        [present, { variables: `&${memberOf(collection, member, this.text.alphabet)}`, operator: '@eq 0' }],
        `The ${where} parameter ${member} is required.`,
      )
    }
  }

  /** Each value has to match each expression. */
  private values(
    parameter: Pick<Parameter, 'in' | 'allowEmptyValue'>,
    variables: string,
    text: Text,
    name: string,
  ): void {
    for (const expression of text) {
      const operand = asOperand(expression)
      // An escape in a cookie may be any character: the engine leaves it as it is.
      const also = `${parameter.in === 'cookie' ? '|\\x25' : ''}${parameter.allowEmptyValue ? '|\\A\\z' : ''}`
      const operator = `!@rx ${also === '' ? operand : `(?:${operand})${also}`}`
      this.refuse(
        [{ variables, operator }],
        `A value of the ${parameter.in} parameter ${name} is not what the document declares.`,
      )
    }
  }

  private arrayParameter(parameter: Parameter, collection: string, shape: Shape): void {
    const { name, schema, explode, style } = parameter
    const variables = memberOf(collection, name, this.text.alphabet)
    const path = schema?.path ?? []
    if (shape.unique) this.lose([...path, 'uniqueItems'], 'Equal items of a list cannot be found by an expression.')
    if (isListed(parameter.in) && explode && style === 'form') {
      if (shape.items)
        this.values({ ...parameter, allowEmptyValue: true }, variables, textOf(shape.items, this.text), name)
      const message = `The query parameter ${name} has more or fewer items than the document declares.`
      if (shape.maxItems !== null)
        this.refuse([{ variables: `&${variables}`, operator: `@gt ${shape.maxItems}` }], message)
      if (shape.minItems > 1)
        this.refuse(
          [
            { variables: `&${variables}`, operator: '@gt 0' },
            { variables: `&${variables}`, operator: `@lt ${shape.minItems}` },
          ],
          message,
        )
      return
    }
    if (parameter.in === 'cookie' && explode)
      this.lose(path, 'How lists are written into cookies differs between clients.')
    else this.joined(parameter, shape, path, (text) => this.values(parameter, variables, text, name))
  }

  /** A list that is one text. */
  joined(parameter: Pick<Parameter, 'style'>, shape: Shape, path: Path, use: (text: Text) => void): void {
    const separator = separators[parameter.style]
    if (separator === undefined || !shape.items) {
      if (separator === undefined)
        this.lose(path, `How "${parameter.style}" writes a list cannot be said by an expression.`)
      return
    }
    const [item, ...others] = textOf(shape.items, this.text)
    const counts = shape.minItems > 1 || shape.maxItems !== null
    if (others.length > 0)
      this.lose(
        [...path, 'items'],
        'Of each item one condition is checked: an expression cannot ask for several at once.',
      )
    if (item === undefined || !item.whole || item.body.length > longestItem) {
      if (item !== undefined)
        this.lose([...path, 'items'], 'Its items cannot be separated within the text of the list.')
      if (counts) this.lose(path, 'Its items cannot be counted within the text of the list.')
      return
    }
    // Where an item may hold what separates items, they cannot be counted.
    const countable = counts && separates(item, separator) && (shape.maxItems ?? shape.minItems) <= 200
    if (counts && !countable) this.lose(path, 'Its items cannot be counted within the text of the list.')
    const most = countable && shape.maxItems !== null ? String(Math.max(0, shape.maxItems - 1)) : ''
    const least = countable ? Math.max(0, shape.minItems - 1) : 0
    const more = `(?:${separator}(?:${item.body}))${least === 0 && most === '' ? '*' : `{${least},${most}}`}`
    const body = `(?:${item.body})${more}`
    use([{ body: shape.minItems > 0 ? body : `(?:${body})?`, whole: true, exact: false }])
  }

  private objectParameter(parameter: Parameter, collection: string, shape: Shape): void {
    const { name, schema, style, explode, required } = parameter
    const path = schema?.path ?? []
    const inQuery = isListed(parameter.in)
    if (inQuery && style === 'deepObject') {
      this.declared?.push(`${name}[`)
      this.requireDeep(parameter, collection)
      this.requireMembers(parameter, shape, collection)
      if (!this.isFree(schema)) this.lose(path, 'Members that the object does not list are not refused.')
      for (const property of shape.properties)
        this.property(parameter, property, `${name}[${property.name}]`, collection)
      return
    }
    if (parameter.in === 'query' && style === 'form' && explode) {
      const names = shape.properties.map((it) => it.name)
      if (this.isFree(schema)) this.declared = null
      else this.declared?.push(...names)
      for (const property of shape.properties) {
        if (required && shape.required.has(property.name))
          this.refuse(
            [{ variables: `&${memberOf(collection, property.name, this.text.alphabet)}`, operator: '@eq 0' }],
            `The query parameter ${property.name} is required.`,
          )
        this.property(parameter, property, property.name, collection)
      }
      return
    }
    this.declare(parameter.in, name)
    if (!(explode && parameter.in === 'cookie'))
      this.requireOne(parameter, memberOf(collection, name, this.text.alphabet))
    this.lose(path, 'An object within one text is not checked.')
  }

  /** Whether an object may have properties that it does not list. */
  isFree(schema: PlacedValue | null): boolean {
    const parts = schema === null ? [] : partsOf(schema, this.text)
    return !parts.some(({ value }) => isObject(value) && value.additionalProperties === false)
  }

  private property(
    parameter: Parameter,
    property: { readonly name: string; readonly place: PlacedValue },
    name: string,
    collection: string,
  ): void {
    const { kind } = shapeOf(property.place, this.text)
    if (kind === 'scalar')
      this.values(parameter, memberOf(collection, name, this.text.alphabet), textOf(property.place, this.text), name)
    else this.lose(property.place.path, 'How lists and objects are written within an object is not defined.')
  }

  /** What kind of value a schema describes, and what it says about lists and objects. */
  shapeOf(schema: PlacedValue): Shape {
    return shapeOf(schema, this.text)
  }

  textOf(schema: PlacedValue): Text {
    return textOf(schema, this.text)
  }
}

/** Whether no item holds the separator. */
const separates = ({ body }: Expression, separator: string): boolean => {
  const written = body.replaceAll('(?s:.)', '[^]').replaceAll(/\\x\{([0-9a-f]+)\}/g, '\\u{$1}')
  const [item, sign] = [compilePattern(`^(?:${written})$`), compilePattern(separator.replaceAll('\\x20*', ''))]
  return (
    item !== null &&
    sign !== null &&
    findString({ all: [item, sign], none: [], min: 0, max: 200 }, () => {}, 5000) === null
  )
}
