import { typeBit } from '../../schema/node.ts'
import type { Operation, Parameter } from '../model/api.ts'
import { compareContent } from '../content/compare.ts'
import type { Context, Note } from '../context.ts'
import { compareAnnouncement, isEarlier, isPastSunset, sunsetRemark } from '../operations/lifecycle.ts'
import type { TopicIn } from '../rules.ts'
import type { Use } from '../schemas.ts'
import { objectAt } from '../side.ts'
import type { Side } from '../side.ts'
import { viewOf } from '../view.ts'

type ParameterNote = TopicIn<'parameter'> & Partial<Omit<Note, 'area' | 'kind' | 'action'>>

/** Headers that OpenAPI says are described elsewhere: a parameter of that name is ignored. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

const subjectOf = (parameter: Parameter): string => `${parameter.in} parameter \`${parameter.name}\``

const isIgnored = (parameter: Parameter): boolean =>
  parameter.in === 'header' && ignoredHeaders.has(parameter.name.toLowerCase())

const hasDefault = (side: Side, parameter: Parameter): boolean =>
  parameter.schema !== null && viewOf(side, [parameter.schema]).words.has('default')

/** Style and explode say nothing about a single value. */
const isScalar = (side: Side, parameter: Parameter): boolean =>
  parameter.schema !== null && (viewOf(side, [parameter.schema]).mask & (typeBit.array | typeBit.object)) === 0

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
    else if (a) removed(context, operation, a, base, head, flipped)
    else if (b) added(context, operation, b, base, head, flipped)
  }
}

const removed = (
  context: Context,
  operation: string,
  a: Parameter,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  const sunset = objectAt(a.place)['x-sunset']
  const past = isPastSunset(a.deprecated, sunset, context.asOf)
  const remark = sunsetRemark(a.deprecated, sunset)
  const ignored = isIgnored(a)
  context.note(operation, {
    direction: 'request',
    area: 'parameter',
    kind: 'itself',
    action: 'removed',
    base: a.place,
    head: head.place,
    subject: subjectOf(a),
    before: a.name,
    ...(remark === undefined || ignored ? {} : { remark }),
    breaking: !ignored && (flipped ? a.required : a.in === 'path'),
    ...(ignored || flipped
      ? {}
      : { policy: past ? ('removed-after-sunset' as const) : ('request-parameter-removed' as const) }),
  })
  void base
}

const added = (
  context: Context,
  operation: string,
  b: Parameter,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  const breaking = b.required && !flipped && !isIgnored(b)
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
    ...(breaking ? { reason: 'a request without it was complete before' } : {}),
    ...(breaking && hasDefault(context.head, b) ? { policy: 'required-with-default' as const } : {}),
  })
  void head
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
      ...(breaking
        ? { reason: flipped ? 'it may be missing from now on' : 'a request without it was complete before' }
        : {}),
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
  if (a.allowReserved !== b.allowReserved && a.in === 'query') {
    note({
      kind: 'reserved-characters',
      action: b.allowReserved ? 'added' : 'removed',
      before: a.allowReserved,
      after: b.allowReserved,
      breaking: b.allowReserved === flipped,
    })
  }
  compareSerialisation(context, a, b, note)
  const lists = b.in === 'query' && b.style === 'form' && b.explode
  const use: Use = { direction: 'request', fromClient: !flipped, textual: true, lists }
  if (a.schema && b.schema) context.collector.take(context.schemas.compare([a.schema], [b.schema], use), operation)
  else if (a.content.size > 0 && b.content.size > 0)
    compareContent(context, operation, a.content, b.content, { direction: 'request', fromClient: !flipped })
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
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

const compareSerialisation = (
  context: Context,
  a: Parameter,
  b: Parameter,
  note: (rest: ParameterNote) => void,
): void => {
  const byContent = (it: Parameter): boolean => it.content.size > 0
  if (byContent(a) !== byContent(b)) {
    note({
      kind: 'serialisation',
      action: 'changed',
      before: byContent(a) ? 'content' : 'schema',
      after: byContent(b) ? 'content' : 'schema',
      breaking: true,
      reason: 'the value is written in another way',
    })
    return
  }
  if (byContent(a)) return
  const scalar = isScalar(context.base, a) && isScalar(context.head, b)
  const known = stylesIn[b.in]?.includes(b.style) ?? true
  if (a.style !== b.style)
    note({
      kind: 'style',
      action: 'changed',
      before: a.style,
      after: b.style,
      breaking: !scalar || a.in === 'path' || !known,
      ...(!known
        ? { reason: `the style ${b.style} says nothing about values in ${b.in}` }
        : scalar
          ? {}
          : { reason: 'lists and objects are written in another way' }),
    })
  else if (a.explode !== b.explode)
    note({
      kind: 'explode',
      action: 'changed',
      before: a.explode,
      after: b.explode,
      breaking: !scalar,
      ...(scalar ? {} : { reason: 'lists and objects are written in another way' }),
    })
}
