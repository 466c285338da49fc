import Ajv2020 from 'ajv/dist/2020.js'
import { diff } from '../../../src/diff/diff.ts'
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

type Fields = { readonly [key: string]: Json }
interface Property {
  readonly schema: Fields
  readonly required: boolean
  readonly sent: 'always' | 'readOnly' | 'writeOnly'
}
interface Kind {
  readonly [name: string]: Property
}
/**
 * Kinds of objects, how they are chosen from, and the discriminator values where one chooses: `picked` is a `oneOf` with a
 * discriminator, `children` are schemas that extend a parent.
 */
interface Model {
  readonly kinds: Readonly<Record<string, Kind>>
  readonly choice: 'oneOf' | 'anyOf' | 'picked' | 'children'
  /** A kind by each discriminator value. */
  readonly mapping: Readonly<Record<string, string>>
  /** Whether values that are the name of their kind are written out. */
  readonly explicit: boolean
  /** What the parent of children asks, or what stands beside the choice. */
  readonly shared: Kind
  /** Whether each kind lists its own discriminator values. */
  readonly listed: boolean
}

const isTagged = ({ choice }: Model): boolean => choice === 'children' || choice === 'picked'

const names = ['a', 'b', 'c']
const kindNames = ['Cat', 'Dog', 'Eel']
const schemas: readonly Fields[] = [
  { type: 'string' },
  { type: 'string', maxLength: 1 },
  { type: 'integer' },
  { type: 'number' },
  { type: 'string', enum: ['x', 'y'] },
  { type: 'boolean' },
]
const scalars: readonly Json[] = ['x', 'y', 'long', '', 1, 1.5, true]

class Maker {
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!
  }

  private property(): Property {
    const sent = this.chance(0.4) ? this.pick(['readOnly', 'writeOnly'] as const) : 'always'
    return { schema: this.pick(schemas), required: this.chance(0.5), sent }
  }

  private kind(): Kind {
    return Object.fromEntries(names.filter(() => this.chance(0.6)).map((name) => [name, this.property()]))
  }

  model(): Model {
    const kinds = Object.fromEntries(
      kindNames.slice(0, 2 + Number(this.chance(0.4))).map((name) => [name, this.kind()]),
    )
    const mapping = Object.fromEntries(
      Object.keys(kinds).map((name) => [this.chance(0.4) ? name.toLowerCase() : name, name]),
    )
    const choice = this.pick(['oneOf', 'anyOf', 'picked', 'picked', 'children', 'children'] as const)
    const shared = choice === 'children' && this.chance(0.5) ? { p: this.property() } : {}
    return { kinds, choice, mapping, explicit: this.chance(0.5), shared, listed: this.chance(0.3) }
  }

  /** The model with one difference. */
  edited(model: Model): Model {
    const name = this.pick(Object.keys(model.kinds))
    const kind = model.kinds[name]!
    const turn = this.random()
    if (turn < 0.2 && !isTagged(model)) return { ...model, choice: model.choice === 'oneOf' ? 'anyOf' : 'oneOf' }
    if (turn < 0.1 && isTagged(model)) return { ...model, explicit: !model.explicit }
    if (turn < 0.2 && isTagged(model)) return { ...model, listed: !model.listed }
    if (turn < 0.3 && model.shared.p) return { ...model, shared: { p: this.property() } }
    if (turn < 0.35 && isTagged(model)) {
      const [value, target] = this.pick(Object.entries(model.mapping))
      const { [value]: _, ...rest } = model.mapping
      return { ...model, mapping: { ...rest, [value === target ? value.toLowerCase() : target]: target } }
    }
    const key = this.pick(names)
    const { [key]: known, ...others } = kind
    if (known && this.chance(0.2)) return { ...model, kinds: { ...model.kinds, [name]: others } }
    const fresh = this.property()
    const changed: Property = known
      ? { ...known, ...this.pick([{ schema: fresh.schema }, { required: !known.required }, { sent: fresh.sent }]) }
      : fresh
    return { ...model, kinds: { ...model.kinds, [name]: { ...kind, [key]: changed } } }
  }

  /** What a sender may send: properties that one of the kinds lists, and that are sent in the direction. */
  value(model: Model, unsent: Property['sent']): Fields {
    const [tag, name] = this.pick(Object.entries(model.mapping))
    const found: Record<string, Json> = isTagged(model) ? { t: tag } : {}
    for (const [key, { sent, schema, required }] of Object.entries({ ...model.shared, ...model.kinds[name]! })) {
      if (sent === unsent || (!required && this.chance(0.4))) continue
      const fitting = scalars.filter((it) => fitsSchema(schema, it))
      found[key] = this.pick(fitting)
    }
    return found
  }
}

const ajv = new Ajv2020({ strict: false, logger: false })
const answers = new Map<Fields, Map<Json, boolean>>()

/** Whether a scalar fits one of the schemas, by ajv; asked once for each pair. */
const fitsSchema = (schema: Fields, value: Json): boolean => {
  const known = answers.get(schema) ?? new Map<Json, boolean>()
  answers.set(schema, known)
  const answer = known.get(value) ?? ajv.validate(schema, value)
  if (known.size < 1000) known.set(value, answer)
  return answer
}

const objectOf = (kind: Kind, more: Fields = {}, always: readonly string[] = []): Fields => ({
  type: 'object',
  properties: {
    ...more,
    ...Object.fromEntries(
      Object.entries(kind).map(([name, { schema, sent }]) => [
        name,
        sent === 'always' ? schema : { ...schema, [sent]: true },
      ]),
    ),
  },
  required: [...always, ...Object.keys(kind).filter((name) => kind[name]!.required)],
})

/** An OpenAPI 3.0 description whose only body is the model. */
const describe = (model: Model, direction: 'request' | 'response'): Json => {
  const ref = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` })
  const isParent = model.choice === 'children'
  const written = Object.entries(model.mapping).filter(([tag, name]) => model.explicit || tag !== name)
  const discriminator: Fields = {
    propertyName: 't',
    ...(written.length > 0
      ? { mapping: Object.fromEntries(written.map(([tag, name]) => [tag, ref(name).$ref!])) }
      : {}),
  }
  const parent: Fields = { ...objectOf(model.shared, { t: { type: 'string' } }, ['t']), discriminator }
  const tagOf = (name: string): Fields => ({
    type: 'string',
    ...(model.listed ? { enum: Object.keys(model.mapping).filter((tag) => model.mapping[tag] === name) } : {}),
  })
  const kindOf = (name: string, kind: Kind): Json => {
    if (isParent) return { allOf: [ref('Parent'), objectOf(kind, model.listed ? { t: tagOf(name) } : {})] }
    return model.choice === 'picked' ? objectOf(kind, { t: tagOf(name) }, ['t']) : objectOf(kind)
  }
  const kinds = Object.entries(model.kinds).map(([name, kind]): [string, Json] => [name, kindOf(name, kind)])
  const branches = Object.keys(model.kinds).map(ref)
  const schema: Json = isParent
    ? ref('Parent')
    : model.choice === 'picked'
      ? { oneOf: branches, discriminator }
      : { [model.choice]: branches }
  const content: Json = { 'application/json': { schema } }
  const ok: Fields = { description: 'ok', ...(direction === 'response' ? { content } : {}) }
  return {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        post: {
          ...(direction === 'request' ? { requestBody: { required: true, content } } : {}),
          responses: { '200': ok },
        },
      },
    },
    components: {
      schemas: Object.fromEntries([...kinds, ...(isParent ? [['Parent', parent] as [string, Json]] : [])]),
    },
  }
}

/**
 * Whether a value is one of the model, by a reading of its own: a discriminator picks the kind by its value or name. Who sends
 * a value does not send a name for which the mapping has another value.
 */
const accepts = (model: Model, value: Json, unsent: Property['sent'], isSender: boolean): boolean => {
  if (!isObject(value)) return false
  const fits = (kind: Kind): boolean =>
    Object.entries(kind).every(([name, { schema, required, sent }]) =>
      sent === unsent ? true : value[name] === undefined ? !required : fitsSchema(schema, value[name]),
    )
  if (isTagged(model)) {
    const { t } = value
    if (typeof t !== 'string') return false
    const isMapped = Object.hasOwn(model.mapping, t)
    const name = isMapped ? model.mapping[t]! : t
    if (!isMapped && (isSender || model.listed)) return false
    return Object.hasOwn(model.kinds, name) && fits(model.kinds[name]!) && fits(model.shared)
  }
  const count = Object.values(model.kinds).filter(fits).length
  return model.choice === 'oneOf' ? count === 1 : count > 0
}

/** Every object of the properties and scalars there are, with every discriminator value of a model. */
function* everyValue(model: Model): Generator<Fields> {
  const keys = [...names, ...(model.shared.p ? ['p'] : [])]
  const fill = function* (at: number, value: Fields): Generator<Fields> {
    const key = keys[at]
    if (key === undefined) {
      yield value
      return
    }
    yield* fill(at + 1, value)
    for (const it of scalars) yield* fill(at + 1, { ...value, [key]: it })
  }
  for (const tag of isTagged(model) ? Object.keys(model.mapping) : [null])
    yield* fill(0, tag === null ? {} : { t: tag })
}

interface RefutedModel {
  readonly base: Json
  readonly head: Json
  readonly value: Json
  readonly why: string
}

/** Compares descriptions with discriminators, `readOnly`, `writeOnly` and choices, and tries messages on both sides. */
export const attackModels = (
  pairs: number,
  random: () => number,
): {
  readonly tally: { readonly safe: number; readonly breaking: number; readonly unproven: number }
  readonly refuted: RefutedModel | null
} => {
  const maker = new Maker(random)
  const tally = { safe: 0, breaking: 0, unproven: 0 }
  for (let done = 0; done < pairs; done++) {
    const direction = maker.chance(0.5) ? 'request' : 'response'
    const unsent = direction === 'request' ? 'readOnly' : 'writeOnly'
    const before = maker.model()
    const after = maker.edited(before)
    const [base, head] = [describe(before, direction), describe(after, direction)]
    const [sender, reader] = direction === 'request' ? [before, after] : [after, before]
    const { changes } = diff(
      parseDocument(JSON.stringify(base), { source: 'base.json' }),
      parseDocument(JSON.stringify(head), { source: 'head.json' }),
    )
    const breaking = changes.filter((it) => it.classification !== 'safe')
    const isSafe = breaking.length === 0
    // Objects of a `oneOf` in a response are those of one branch, whatever others allow besides.
    const chosen = direction === 'response' && before.choice === 'oneOf' && after.choice === 'oneOf'
    const [sends, reads] = chosen
      ? [
          { ...sender, choice: 'anyOf' as const },
          { ...reader, choice: 'anyOf' as const },
        ]
      : [sender, reader]
    // What a kind makes of a property that is not sent in its direction, but by another kind, is nowhere said.
    const isClear = (value: Fields): boolean =>
      ![before, after].some(({ kinds, shared }) =>
        [...Object.values(kinds), shared].some((kind) => Object.keys(value).some((it) => kind[it]?.sent === unsent)),
      )
    const isLost = (value: Fields): boolean =>
      isClear(value) && accepts(sends, value, unsent, true) && !accepts(reads, value, unsent, false)
    // A counterexample is one by the letter: in a `oneOf` it fits exactly one branch, or none or several on the other side.
    const isProof = (value: Fields): boolean =>
      accepts(sender, value, unsent, true) && !accepts(reader, value, unsent, false)
    for (const { witness, message } of breaking) {
      const value = witness?.value
      if (value === undefined || !isObject(value) || !isClear(value) || isProof(value)) continue
      return { tally, refuted: { base, head, value, why: `"${message}" has a counterexample that is none` } }
    }
    let lost: Json | undefined
    for (let tries = 0; tries < 40 && lost === undefined; tries++) {
      const value = maker.value(sender, unsent)
      if (isLost(value)) lost = value
    }
    if (isSafe && lost !== undefined)
      return { tally, refuted: { base, head, value: lost, why: 'safe, and yet this value is refused' } }
    // What a switch decides, or what a value of a discriminator means, is no matter of values alone.
    const byValues = breaking.filter((it) => it.policy === undefined && !it.id.startsWith('schema-discriminator'))
    const isWhole = [before, after].every(({ kinds, shared }) =>
      [...Object.values(kinds), shared].every((kind) => Object.values(kind).every((it) => it.sent !== unsent)),
    )
    if (!isSafe && lost === undefined && isWhole && byValues.length === breaking.length) {
      for (const value of everyValue(sender)) if (isLost(value)) lost = value
      if (lost === undefined && breaking.every((it) => it.witness))
        return {
          tally,
          refuted: { base, head, value: null, why: `${breaking[0]!.message}: and yet no value is refused` },
        }
    }
    tally[isSafe ? 'safe' : lost === undefined ? 'unproven' : 'breaking']++
  }
  return { tally, refuted: null }
}
