/**
 * Commands of one call. What the contract says of an operation is not said again: a derived command takes from it the summary, what is
 * required, choices, bounds and defaults, where each value goes in the request, and the schema of its data. The declaration
 * adds what the contract cannot know: the words of the command line, and how a person reads the answer.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { Endpoint, Input, Output } from '../src/api/endpoint.ts'
import { ValidationError } from '../src/api/wire.ts'
import type { ExitCode } from '../src/errors.ts'
import type { Command, Invocation, Result } from './declare.ts'
import type { Argument, Option, Options } from './options.ts'
import { moreOf } from './paging.ts'
import { inCommandWords, wordOf } from './request-words.ts'
import { renderTable } from './table.ts'

interface Field {
  /** The field of the request, where it is not called like the argument or option; null where none takes it. */
  readonly field?: string | null
  /** Makes the value of the request from the text of the command line, from each text, or where the option is switched on. */
  readonly read?: (text: string, from: Invocation) => unknown
}

/** An argument; the contract says whether it is required, and its choices. `id` is the last parameter of the path. */
export type DerivedArgument = Argument & Field

/** An option whose type, choices, bounds and default are those of the field. */
interface FieldOption extends Field {
  readonly type?: undefined
  readonly summary: string
  readonly placeholder?: string
  readonly required?: boolean
}

type DerivedOption = FieldOption | (Option & Field)

type RowOf<E extends Endpoint, K> =
  Output<E> extends readonly (infer R)[]
    ? R
    : K extends keyof Output<E>
      ? Output<E>[K] extends readonly (infer R)[]
        ? R
        : never
      : never

/** What the command line gave. */
interface From<A extends readonly DerivedArgument[]> {
  readonly args: { readonly [K in A[number]['name']]: string }
  readonly options: Readonly<Record<string, unknown>>
}

interface Declared<E extends Endpoint, A extends readonly DerivedArgument[], K, D> {
  /** One line, without a full stop; that of the operation where it is left out. */
  readonly summary?: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly arguments?: A
  readonly options?: Readonly<Record<string, DerivedOption>>
  /** Fields of the request that no one has to give: their values, or what reads them; an option of the same field comes first. */
  readonly sends?: Readonly<Record<string, unknown>>
  /** The property of the answer that is the data, or what makes the data; the whole answer where it is left out. */
  readonly data?: D | ((answer: Output<E>, from: From<A>) => unknown)
  /** Numbers of the answer, or else options, that the summary of the envelope has: total, limit, offset. */
  readonly counts?: readonly string[]
  /** The property of the answer with the rows of the table; the data where it is left out. */
  readonly rows?: K
  /** The cell of a row below each header. */
  readonly columns?: Readonly<Record<string, (row: RowOf<E, K extends string ? K : D>) => string>>
  /** The text where there are no rows, with its line feed; otherwise the table has its header alone. */
  readonly empty?: string
  /** The line below the table: true for how many rows follow. */
  readonly more?: true | ((answer: Output<E>, from: From<A>) => string)
  /** The text where it is not a table. */
  readonly text?: (answer: Output<E>, from: From<A>) => string
  readonly exitCode?: (answer: Output<E>, from: From<A>) => ExitCode
}

const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

const propertiesOf = (schema: TSchema | undefined): Readonly<Record<string, TSchema>> =>
  (schema as TObject | undefined)?.properties ?? {}

/** Where a value goes, and what the contract says of it. */
interface Target {
  readonly part: Part
  readonly field: string
  readonly schema: TSchema
  readonly required: boolean
}

/**
 * The field that an argument or option gives: called like it, in snake or camel case, or a parameter with `_ref` or `_id` behind it.
 * @throws Error where there is none
 */
function targetOf(endpoint: Endpoint, name: string, named: string | undefined): Target {
  const snake = name.replaceAll('-', '_')
  const camel = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const names = named === undefined ? [snake, camel, `${snake}_ref`, `${snake}_id`] : [named]
  if (name === 'id' && named === undefined) names.push(endpoint.path.match(/.*\{(\w+)\}/)?.[1] ?? '')
  for (const part of parts) {
    const schemas = propertiesOf(endpoint[part])
    const field = names.find((it) => schemas[it] !== undefined)
    const schema = schemas[field ?? '']
    if (field === undefined || schema === undefined) continue
    return { part, field, schema, required: (endpoint[part] as TObject).required?.includes(field) === true }
  }
  throw new Error(`${endpoint.id} has no field for "${name}" of its command: name it, or say field: null`)
}

/** The kinds of a value that may be null, without null. */
const kindsOf = (schema: TSchema): readonly TSchema[] =>
  ((schema['anyOf'] as TSchema[] | undefined) ?? [schema]).flatMap((it) => {
    if (it === schema) return [it]
    if (it['anyOf'] === undefined) return it['type'] === 'null' ? [] : [it]
    return kindsOf(it)
  })

const isNullable = (schema: TSchema): boolean =>
  ((schema['anyOf'] as TSchema[] | undefined) ?? []).some((it) => it['type'] === 'null')

const choicesOf = (schema: TSchema): { readonly choices?: readonly string[] } => {
  const words = kindsOf(schema).map((it) => it['const'] as unknown)
  return words.every((it) => typeof it === 'string') ? { choices: words } : {}
}

/** An option as the parser takes it: what it does not say is said by its field. */
function optionOf(name: string, own: Omit<FieldOption, keyof Field>, { schema, required }: Target): Option {
  const [kind = schema] = kindsOf(schema)
  const { minimum: min, maximum: max, default: preset } = { ...kind, ...schema } as { [K in string]?: number }
  if (kind['type'] === 'boolean') return { ...own, type: 'boolean' }
  const needed = required && preset === undefined && !isNullable(schema) ? { required } : {}
  if (kind['type'] === 'integer') {
    const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
    return { ...needed, ...bounds, ...(preset !== undefined && { default: preset }), ...own, type: 'integer' }
  }
  return { placeholder: name.toUpperCase(), ...needed, ...choicesOf(schema), ...own, type: 'string' }
}

/** A value of the command line with the field that it gives. */
interface Slot extends Target {
  readonly from: 'args' | 'options'
  readonly name: string
  readonly read: Field['read']
  /** Whether "no" is a value too, as of `--approved` and `--no-approved`. */
  readonly either: boolean
}

type Words = Pick<Declared<Endpoint, readonly DerivedArgument[], unknown, unknown>, 'arguments' | 'options' | 'sends'>

/** The arguments and options as the parser takes them, and the fields that they give. */
function wordsOf(endpoint: Endpoint, { arguments: ordered = [], options: named = {}, sends = {} }: Words) {
  const slots: Slot[] = []
  const args = ordered.map(({ field, read, ...argument }): Argument => {
    if (field === null) return argument
    const target = targetOf(endpoint, argument.name, field)
    slots.push({ ...target, from: 'args', name: argument.name, read, either: false })
    return { required: target.required, ...choicesOf(target.schema), ...argument }
  })
  const options: Record<string, Option> = {}
  for (const [name, { field, read, ...declared }] of Object.entries(named)) {
    if (field === null) {
      if (declared.type === undefined) throw new Error(`The option "${name}" of ${endpoint.id} needs a type`)
      options[name] = declared
      continue
    }
    const target = targetOf(endpoint, name, field)
    const required = target.required && sends[target.field] === undefined
    const option = declared.type === undefined ? optionOf(name, declared, { ...target, required }) : declared
    options[name] = option
    slots.push({ ...target, from: 'options', name, read, either: option.type === 'boolean' && option.default === null })
  }
  return { slots, args, options: options as Options }
}

async function valueOf(value: unknown, { read }: Slot, from: Invocation): Promise<unknown> {
  if (read === undefined) return value
  if (!Array.isArray(value)) return read(String(value), from)
  const made: unknown[] = []
  for (const text of value) made.push(await read(String(text), from))
  return made
}

/** Whether a value is sent: an option that is not given is left out, and so is one that is off, which is what leaving it out means. */
const isSent = (value: unknown, { either, required }: Slot): boolean =>
  value !== undefined &&
  value !== null &&
  (value !== false || either || required) &&
  !(Array.isArray(value) && value.length === 0)

async function requestOf(endpoint: Endpoint, slots: readonly Slot[], sends: object, from: Invocation) {
  const request: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(sends)) {
    const { part, field } = targetOf(endpoint, name, name)
    request[part][field] = typeof value === 'function' ? await (value as (from: Invocation) => unknown)(from) : value
  }
  for (const slot of slots) {
    const { part, field } = slot
    const value = from[slot.from][slot.name]
    if (isSent(value, slot)) request[part][field] = await valueOf(value, slot, from)
    else if (slot.required && isNullable(slot.schema)) request[part][field] ??= null
  }
  const { tenant } = await from.connection()
  if (propertiesOf(endpoint.params)['tenant_slug'] !== undefined) request.params['tenant_slug'] ??= await tenant()
  // Environments are not below an organization in the path: the query says which one a person means that belongs to several.
  if (propertiesOf(endpoint.query)['tenantSlug'] !== undefined) request.query['tenantSlug'] ??= await tenant()
  const hasBody =
    endpoint.body !== undefined && (endpoint.bodyOptional !== true || Object.keys(request.body).length > 0)
  return {
    ...(endpoint.params && { params: request.params }),
    ...(endpoint.query && { query: request.query }),
    ...(hasBody && { body: request.body }),
  }
}

/** A property of an answer, or all of it. */
const within = (answer: unknown, property: unknown): unknown =>
  typeof property === 'string' ? (answer as Readonly<Record<string, unknown>>)[property] : answer

function tableOf<E extends Endpoint, A extends readonly DerivedArgument[], K, D>(
  { columns = {}, rows: property, data, empty, more }: Declared<E, A, K, D>,
  answer: Output<E>,
  from: From<A>,
): string {
  const rows = within(answer, property ?? data) as readonly RowOf<E, K extends string ? K : D>[]
  const below = typeof more === 'function' ? more(answer, from) : ''
  if (rows.length === 0 && empty !== undefined) return empty + below
  const cells = Object.values(columns)
  const table = renderTable(
    Object.keys(columns),
    rows.map((row) => cells.map((cell) => cell(row))),
  )
  if (more !== true) return table + below
  const { limit, offset } = from.options
  return (
    table +
    moreOf({ items: rows, total: Number(within(answer, 'total')), limit: Number(limit), offset: Number(offset) })
  )
}

const slotWord = (slots: readonly Slot[], field: string): string | null => {
  const slot = slots.find((it) => it.field === field)
  return slot === undefined ? null : wordOf(slot.from, slot.name)
}

const dataSchemaOf = ({ status, response }: Endpoint, data: unknown): object | undefined => {
  if (status === 204 || typeof data === 'function') return undefined
  return typeof data === 'string' ? propertiesOf(response)[data] : response
}

/**
 * The command that calls an operation.
 * @throws Error when it is loaded, where an argument or option fits no field of the request
 */
export function derive<
  const E extends Endpoint,
  const A extends readonly DerivedArgument[] = readonly [],
  const K extends string | undefined = undefined,
  const D extends string | undefined = undefined,
>(endpoint: E, own: Declared<E, A, K, D>): Command {
  const { slots, args, options } = wordsOf(endpoint, own)
  const { data, counts, text = (answer, from) => tableOf(own, answer, from) } = own
  const dataSchema = dataSchemaOf(endpoint, data)

  async function run(invocation: Invocation): Promise<Result> {
    const input = await requestOf(endpoint, slots, own.sends ?? {}, invocation)
    const { call } = await invocation.connection()
    // Each value was read as its field has it; the service checks the request again.
    const answer = await call(endpoint, input as unknown as Input<E>).catch((error: unknown) => {
      throw error instanceof ValidationError ? inCommandWords(error, (field) => slotWord(slots, field)) : error
    })
    const from = invocation as unknown as From<A>
    const whole = endpoint.status === 204 ? null : within(answer, data)
    return {
      data: typeof data === 'function' ? data(answer, from) : whole,
      ...(counts && {
        summary: Object.fromEntries(
          counts.map((name) => [name, within({ ...invocation.options, ...(answer as object) }, name)]),
        ),
      }),
      ...(own.exitCode && { exitCode: own.exitCode(answer, from) }),
      text: () => text(answer, from),
    }
  }

  return {
    summary: own.summary ?? endpoint.summary,
    ...(own.description !== undefined && { description: own.description }),
    examples: own.examples,
    arguments: args,
    options,
    // What is read may be a file.
    ...(slots.some((it) => it.read !== undefined) && { isBounded: true }),
    ...(dataSchema && { dataSchema }),
    run,
  }
}
