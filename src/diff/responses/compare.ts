import type { Answer, Header, Operation } from '../model/api.ts'
import { compareContent } from '../content/compare.ts'
import type { Context } from '../context.ts'
import { isSameValue } from '../sameness.ts'
import type { Use } from '../schemas.ts'
import { objectAt } from '../side.ts'

const isSuccess = (status: string): boolean =>
  status.startsWith('2') || status.startsWith('3') || status.startsWith('1')
const rangeOf = (status: string): string => `${status[0] ?? ''}XX`

/** Compares the request body of an operation. */
export const compareBody = (
  context: Context,
  operation: string,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  const a = base.body
  const b = head.body
  const use: Use = { direction: 'request', fromClient: !flipped }
  const common = { direction: 'request', area: 'body', subject: 'the request body' } as const
  if (a && b) {
    context.docs(operation, a.place, b.place)
    if (a.required !== b.required) {
      const breaking = b.required !== flipped
      context.note(operation, {
        ...common,
        kind: 'required',
        action: b.required ? 'added' : 'removed',
        base: a.place,
        head: b.place,
        before: a.required,
        after: b.required,
        breaking,
      })
    }
    compareContent(context, operation, a.content, b.content, use)
  } else if (a) {
    context.note(operation, {
      ...common,
      kind: 'itself',
      action: 'removed',
      base: a.place,
      head: head.place,
      breaking: true,
      reason: flipped ? 'it no longer arrives' : 'what a client sends is no longer read',
    })
  } else if (b) {
    context.note(operation, {
      ...common,
      kind: 'itself',
      action: 'added',
      base: base.place,
      head: b.place,
      breaking: b.required && !flipped,
      ...(b.required && !flipped ? { reason: 'a request without a body was complete before' } : {}),
    })
  }
}

/** Compares the answers of an operation, status by status. */
export const compareAnswers = (
  context: Context,
  operation: string,
  base: Operation,
  head: Operation,
  flipped: boolean,
): void => {
  for (const status of [...base.answers.keys()].sort()) {
    const a = base.answers.get(status)!
    const b = head.answers.get(status)
    if (b) compareAnswer(context, operation, a, b, flipped)
    else {
      const narrowed = status.endsWith('XX')
        ? [...head.answers.keys()].filter((it) => rangeOf(it) === status && it !== status).sort()
        : []
      for (const it of narrowed) compareAnswer(context, operation, a, head.answers.get(it)!, flipped)
      if (narrowed.length > 0) continue
      const success = isSuccess(status)
      context.note(operation, {
        direction: 'response',
        area: 'status',
        kind: success ? 'success' : 'failure',
        action: 'removed',
        base: a.place,
        head: head.place,
        subject: `status ${status}`,
        before: status,
        breaking: success,
        ...(success
          ? { reason: 'clients wait for this status' }
          : { policy: 'response-non-success-status-removed' as const }),
      })
    }
  }
  for (const status of [...head.answers.keys()].sort()) {
    if (base.answers.has(status)) continue
    const covered = base.answers.has(rangeOf(status))
    const success = isSuccess(status)
    context.note(operation, {
      direction: 'response',
      area: 'status',
      kind: success ? 'success' : 'failure',
      action: 'added',
      base: base.place,
      head: head.answers.get(status)!.place,
      subject: `status ${status}`,
      after: status,
      ...(success && !covered ? { policy: 'response-success-status-added' as const } : {}),
    })
  }
}

const compareAnswer = (context: Context, operation: string, a: Answer, b: Answer, flipped: boolean): void => {
  context.docs(operation, a.place, b.place)
  if (context.sameness.same(a.place.value, b.place.value)) return
  compareContent(context, operation, a.content, b.content, { direction: 'response', fromClient: flipped })
  for (const name of [...new Set([...a.headers.keys(), ...b.headers.keys()])].sort()) {
    compareHeader(context, operation, a, b, name, flipped)
  }
  for (const name of [...new Set([...a.links.keys(), ...b.links.keys()])].sort()) {
    const left = a.links.get(name)
    const right = b.links.get(name)
    if (isSameValue(left?.value, right?.value)) continue
    context.note(operation, {
      direction: 'response',
      area: 'link',
      kind: 'itself',
      action: left ? (right ? 'changed' : 'removed') : 'added',
      base: left ?? a.place,
      head: right ?? b.place,
      subject: `link \`${name}\` of status ${a.status}`,
      before: left?.value ?? null,
      after: right?.value ?? null,
    })
  }
}

const compareHeader = (
  context: Context,
  operation: string,
  base: Answer,
  head: Answer,
  name: string,
  flipped: boolean,
): void => {
  const a = base.headers.get(name)
  const b = head.headers.get(name)
  const common = {
    direction: 'response',
    area: 'header',
    subject: `header \`${(a ?? b)!.name}\` of status ${base.status}`,
  } as const
  if (!a || !b) {
    const gone = a !== undefined
    context.note(operation, {
      ...common,
      kind: 'itself',
      action: gone ? 'removed' : 'added',
      base: a?.place ?? base.place,
      head: b?.place ?? head.place,
      before: a?.name ?? null,
      after: b?.name ?? null,
      breaking: gone ? a.required : b!.required && flipped,
      ...(gone && !a.required ? { policy: 'response-optional-header-removed' as const } : {}),
    })
    return
  }
  compareHeaderPair(context, operation, a, b, flipped, common)
}

const compareHeaderPair = (
  context: Context,
  operation: string,
  a: Header,
  b: Header,
  flipped: boolean,
  common: { readonly direction: 'response'; readonly area: 'header'; readonly subject: string },
): void => {
  context.docs(operation, a.place, b.place)
  if (a.required !== b.required) {
    context.note(operation, {
      ...common,
      kind: 'required',
      action: b.required ? 'added' : 'removed',
      base: a.place,
      head: b.place,
      before: a.required,
      after: b.required,
      breaking: b.required === flipped,
    })
  }
  const deprecated = [objectAt(a.place).deprecated === true, objectAt(b.place).deprecated === true] as const
  if (deprecated[0] !== deprecated[1]) {
    context.note(operation, {
      ...common,
      kind: 'deprecated',
      action: deprecated[1] ? 'added' : 'removed',
      base: a.place,
      head: b.place,
    })
  }
  const use: Use = { direction: 'response', fromClient: flipped, textual: true }
  if (a.schema && b.schema) context.collector.take(context.schemas.compare([a.schema], [b.schema], use), operation)
  else if (a.content.size > 0 && b.content.size > 0)
    compareContent(context, operation, a.content, b.content, { direction: 'response', fromClient: flipped })
}
