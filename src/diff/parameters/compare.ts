import { isObject } from '../../kernel/json.ts'
import { typeBit } from '../../schema/node.ts'
import type { Operation, Parameter } from '../model/api.ts'
import { templateNames } from '../model/openapi.ts'
import { compareContent } from '../content/compare.ts'
import type { Context, Note } from '../context.ts'
import { compareAnnouncement, isEarlier, isPastSunset, sunsetRemark } from '../operations/lifecycle.ts'
import type { TopicIn } from '../rules.ts'
import type { Use } from '../schema/use.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import { viewOf } from '../view.ts'
import { schemaOf, spellingOf, textOf } from '../wire/described.ts'
import { differingType } from '../wire/forms.ts'

type ParameterNote = TopicIn<'parameter'> & Partial<Omit<Note, 'area' | 'kind' | 'action'>>

const subjectOf = (parameter: Parameter): string => `${parameter.in} parameter \`${parameter.name}\``

const hasDefault = (side: Side, parameter: Parameter): boolean =>
  parameter.schema !== null && viewOf(side, [parameter.schema]).words.has('default')

/** Compares the parameters of an operation. */
export const compareParameters = (
  context: Context,
  operation: string,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  for (const key of [...new Set([...base.parameters.keys(), ...head.parameters.keys()])].sort()) {
    const a = base.parameters.get(key)
    const b = head.parameters.get(key)
    if (a && b) compareParameter(context, operation, a, b, flipped)
    else if (b && isImplied(base, key, b))
      declared(context, operation, { parameter: b, implied: base, side: 'head', flipped })
    else if (a && isImplied(head, key, a))
      declared(context, operation, { parameter: a, implied: head, side: 'base', flipped })
    else if (a) removed(context, operation, a, head, flipped)
    else if (b) added(context, operation, b, base, flipped)
  }
}

/** Whether a variable of the path template has no parameter: any text may be there, as `simple` writes it. */
const isImplied = ({ template, parameters }: Operation, key: string, { style, content }: Parameter): boolean => {
  const position = /^path (\d+)$/.exec(key)?.[1]
  const isThere = position !== undefined && Number(position) < templateNames(template).length
  return isThere && !parameters.has(key) && style === 'simple' && content.size === 0
}

// What may be in a variable that has no parameter.
const anyText = ({ place }: Operation): PlacedValue => ({ value: { type: 'string' }, path: place.path })

/** A parameter that one side declares for a variable that the path of the other, `implied`, has without a declaration. */
const declared = (
  context: Context,
  operation: string,
  {
    parameter,
    implied,
    side,
    flipped,
  }: { parameter: Parameter; implied: Operation; side: 'base' | 'head'; flipped: boolean },
): void => {
  const isNew = side === 'head'
  context.note(operation, {
    direction: 'request',
    area: 'parameter',
    kind: 'itself',
    action: isNew ? 'added' : 'removed',
    base: isNew ? implied.place : parameter.place,
    head: isNew ? parameter.place : implied.place,
    subject: subjectOf(parameter),
    ...(isNew ? { after: parameter.name } : { before: parameter.name }),
    docs: true,
  })
  const schema = schemaOf(parameter)
  if (schema === null) return
  const use: Use = {
    direction: 'request',
    fromClient: !flipped,
    ...textOf(parameter, parameter),
    textual: true,
    always: true,
  }
  const [before, after] = isNew ? [anyText(implied), schema] : [schema, anyText(implied)]
  context.collector.take(context.schemas.compare([before], [after], use), operation)
}

const removed = (context: Context, operation: string, a: Parameter, head: Operation, flipped: boolean): void => {
  const sunset = objectAt(a.place)['x-sunset']
  const past = isPastSunset(a.deprecated, sunset, context.asOf)
  const remark = sunsetRemark(a.deprecated, sunset)
  context.note(operation, {
    direction: 'request',
    area: 'parameter',
    kind: 'itself',
    action: 'removed',
    base: a.place,
    head: head.place,
    subject: subjectOf(a),
    before: a.name,
    ...(remark === undefined ? {} : { remark }),
    breaking: flipped ? a.required : a.in === 'path',
    ...(flipped ? {} : { policy: past ? ('removed-after-sunset' as const) : ('request-parameter-removed' as const) }),
  })
}

const added = (context: Context, operation: string, b: Parameter, base: Operation, flipped: boolean): void => {
  const breaking = b.required && !flipped
  context.note(operation, {
    direction: 'request',
    area: 'parameter',
    kind: 'itself',
    action: 'added',
    base: base.place,
    head: b.place,
    subject: subjectOf(b),
    after: b.name,
    breaking,
    ...(breaking ? { reason: 'requests without it were valid' } : {}),
    ...(breaking && hasDefault(context.head, b) ? { policy: 'required-with-default' as const } : {}),
  })
}

const compareParameter = (context: Context, operation: string, a: Parameter, b: Parameter, flipped: boolean): void => {
  const common = {
    direction: 'request',
    base: a.place,
    head: b.place,
    subject: subjectOf(a),
  } as const
  const note = (rest: ParameterNote): void => context.note(operation, { ...common, ...rest, area: 'parameter' })
  if (a.place.value !== b.place.value) context.docs(operation, a.place, b.place)
  if (a.name !== b.name)
    note({
      kind: 'name',
      action: 'changed',
      before: a.name,
      after: b.name,
      breaking: a.in !== 'path' && a.name.toLowerCase() !== b.name.toLowerCase(),
    })
  if (a.required !== b.required) {
    const breaking = b.required !== flipped
    note({
      kind: 'required',
      action: b.required ? 'added' : 'removed',
      before: a.required,
      after: b.required,
      breaking,
      ...(breaking ? { reason: flipped ? 'it can be missing now' : 'requests without it were valid' } : {}),
      ...(breaking && !flipped && hasDefault(context.head, b) ? { policy: 'required-with-default' as const } : {}),
    })
  }
  if (a.deprecated !== b.deprecated)
    note({ kind: 'deprecated', action: b.deprecated ? 'added' : 'removed', before: a.deprecated, after: b.deprecated })
  compareSunset(context, operation, a, b)
  compareAnnouncement(context, 'parameter', a.place, b.place, subjectOf(a), operation)
  if (a.allowEmptyValue !== b.allowEmptyValue && a.in === 'query') {
    note({
      kind: 'empty-value',
      action: b.allowEmptyValue ? 'added' : 'removed',
      before: a.allowEmptyValue,
      after: b.allowEmptyValue,
      breaking: b.allowEmptyValue === flipped,
    })
  }
  if (a.allowReserved !== b.allowReserved && escapes(context, b)) {
    const narrowed = b.allowReserved === flipped
    const plain = [a, b].some((it, i) => isPlain(i === 0 ? context.base : context.head, it))
    note({
      kind: 'reserved-characters',
      action: b.allowReserved ? 'added' : 'removed',
      before: a.allowReserved,
      after: b.allowReserved,
      breaking: narrowed && !plain,
    })
  }
  compareSerialisation(context, a, b, note)
  compareNested(context, a, b, note)
  const use: Use = { direction: 'request', fromClient: !flipped }
  if (a.content.size > 0 && b.content.size > 0) compareContent(context, operation, a.content, b.content, use)
  else {
    const [left, right] = [schemaOf(a), schemaOf(b)]
    const always = a.required || b.required
    if (left && right)
      context.collector.take(
        context.schemas.compare([left], [right], {
          ...use,
          ...textOf(a, b),
          textual: true,
          ...(always ? { always } : {}),
        }),
        operation,
      )
  }
}

/** Where `allowReserved` says something: in queries, since OpenAPI 3.2 wherever values are escaped. */
const escapes = (context: Context, { in: where, style }: Parameter): boolean =>
  where === 'query' ||
  (/^3\.[2-9]/.test(context.head.document.format?.version ?? '') && where !== 'header' && style !== 'cookie')

/** Whether no value of a parameter has a character to escape: numbers and booleans, and listed texts without one. */
const isPlain = (side: Side, parameter: Parameter): boolean => {
  const schema = schemaOf(parameter)
  if (schema === null) return false
  const { mask, words } = viewOf(side, [schema])
  const listed = words.get('enum')?.value
  if (Array.isArray(listed)) return listed.every((it) => typeof it === 'string' && /^[\w.~-]*$/.test(it))
  return (mask & ~(typeBit.number | typeBit.boolean | typeBit.null)) === 0
}

const compareSunset = (context: Context, operation: string, a: Parameter, b: Parameter): void => {
  const before = objectAt(a.place)['x-sunset']
  const after = objectAt(b.place)['x-sunset']
  if (before === after || typeof before !== 'string') return
  const earlier = isEarlier(before, after)
  context.note(operation, {
    direction: 'request',
    area: 'parameter',
    kind: 'sunset',
    action: typeof after === 'string' ? 'changed' : 'removed',
    base: a.place,
    head: b.place,
    subject: subjectOf(a),
    before,
    after: typeof after === 'string' ? after : null,
    breaking: earlier && b.deprecated,
  })
}

/** The styles that are defined for a place (OpenAPI 3.2, section 4.12.3). */
const stylesIn: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

/** How lists within lists are written in Swagger 2.0, from the outside in; OpenAPI 3 says nothing about them. */
const nestedFormats = (side: Side, { place }: Parameter): string | null => {
  if (side.dialect !== 'swagger-2.0') return null
  const formats: string[] = []
  let at = objectAt(place).items
  while (isObject(at) && at.type === 'array' && formats.length < 50) {
    formats.push(typeof at.collectionFormat === 'string' ? at.collectionFormat : 'csv')
    at = at.items
  }
  return formats.length === 0 ? null : formats.join(', ')
}

const compareNested = (context: Context, a: Parameter, b: Parameter, note: (rest: ParameterNote) => void): void => {
  const [before, after] = [nestedFormats(context.base, a), nestedFormats(context.head, b)]
  if (before === null || after === null || before === after) return
  const reason = 'lists within lists are written as another text'
  note({ kind: 'serialisation', action: 'changed', before, after, breaking: true, reason })
}

const compareSerialisation = (
  context: Context,
  a: Parameter,
  b: Parameter,
  note: (rest: ParameterNote) => void,
): void => {
  const [before, after] = [spellingOf(a), spellingOf(b)]
  if (before.media !== null && after.media !== null) return
  if (before.media === after.media && a.style === b.style && a.explode === b.explode) return
  const type = differingType(
    { side: context.base, schema: schemaOf(a), spelling: before },
    { side: context.head, schema: schemaOf(b), spelling: after },
  )
  const known = after.media !== null || (stylesIn[b.in]?.includes(b.style) ?? true)
  const reason = known
    ? type === null
      ? {}
      : { reason: `${type}s are written as another text` }
    : { reason: `style ${b.style} is not defined for ${b.in} parameters` }
  const verdict = { breaking: type !== null || (!known && a.style !== b.style), ...reason }
  if (before.media !== after.media)
    note({
      kind: 'serialisation',
      action: 'changed',
      before: before.media === null ? 'schema' : 'content',
      after: after.media === null ? 'schema' : 'content',
      ...verdict,
    })
  else if (a.style !== b.style) note({ kind: 'style', action: 'changed', before: a.style, after: b.style, ...verdict })
  else if (a.explode !== b.explode)
    note({ kind: 'explode', action: 'changed', before: a.explode, after: b.explode, ...verdict })
}
