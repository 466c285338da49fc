import type { Context } from '../context.ts'
import type { Operation } from '../model/api.ts'
import type { Use } from '../schema/use.ts'
import { compareContent } from './compare.ts'

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
      reason: flipped ? 'the service no longer sends it' : 'the service no longer reads what clients send',
    })
  } else if (b) {
    context.note(operation, {
      ...common,
      kind: 'itself',
      action: 'added',
      base: base.place,
      head: b.place,
      breaking: b.required && !flipped,
      ...(b.required && !flipped ? { reason: 'requests without a body were valid' } : {}),
    })
  }
}
