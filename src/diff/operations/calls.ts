import type { Context } from '../context.ts'
import type { Callback, Operation } from '../model/api.ts'
import { operationsOf, titleOf, webhooksOf } from '../model/openapi.ts'

/** Compares an operation of both sides; in what the service calls, the roles are swapped. */
type CompareCall = (a: Operation, b: Operation, title: string) => void

/** A callback without what means nothing: the names of headers have no case (RFC 9110, section 5.1). */
const addressOf = ({ expression }: Callback): string =>
  expression.trim().replaceAll(/\$(request|response)\.header\.[^}\s]*/g, (it) => it.toLowerCase())

const isSameCall = (a: Callback, b: Callback): boolean =>
  addressOf(a) === addressOf(b) && a.operation.method === b.operation.method

/**
 * Compares the callbacks of an operation. A callback is known by its address and method; its key is a name in the document that no
 * request carries, and counts only where two callbacks have one address.
 */
export const compareCallbacks = (
  context: Context,
  a: Operation,
  b: Operation,
  title: string,
  compare: CompareCall,
): void => {
  let free = [...b.callbacks]
  let open = [...a.callbacks]
  const pairs: [Callback, Callback][] = []
  for (const isPair of [(x: Callback, y: Callback) => isSameCall(x, y) && x.key === y.key, isSameCall])
    open = open.filter((one) => {
      const other = free.find((it) => isPair(one, it))
      if (!other) return true
      free = free.filter((it) => it !== other)
      pairs.push([one, other])
      return false
    })
  for (const [one, other] of pairs) compare(one.operation, other.operation, title)
  lost(context, title, open, a.callbacks, b, 'removed')
  lost(context, title, free, b.callbacks, a, 'added')
}

/** Reports the callbacks of one side only: as a whole where nothing of their key is on the other side. */
const lost = (
  context: Context,
  title: string,
  calls: readonly Callback[],
  all: readonly Callback[],
  other: Operation,
  action: 'removed' | 'added',
): void => {
  const gone = action === 'removed'
  const told = new Set<string>()
  for (const { key, operation } of calls) {
    const whole =
      !other.callbacks.some((it) => it.key === key) &&
      all.filter((it) => it.key === key).every((it) => calls.includes(it))
    if (whole && told.has(key)) continue
    told.add(key)
    context.note(title, {
      direction: null,
      area: 'callback',
      kind: whole ? 'itself' : 'operation',
      action,
      base: gone ? operation.place : null,
      head: gone ? null : operation.place,
      subject: whole ? `callback \`${key}\`` : `callback \`${key}\` ${titleOf(operation)}`,
      before: gone && whole ? key : null,
      after: !gone && whole ? key : null,
      breaking: gone,
    })
  }
}

/** Compares the webhooks of both sides, which receivers subscribe to by name. */
export const compareWebhooks = (context: Context, compare: CompareCall, pause?: () => void): void => {
  const base = webhooksOf(context.base)
  const head = webhooksOf(context.head)
  for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const a = base.get(name)
    const b = head.get(name)
    const title = `WEBHOOK ${name}`
    pause?.()
    if (!a || !b) {
      context.note(title, {
        direction: null,
        area: 'webhook',
        kind: 'itself',
        action: a ? 'removed' : 'added',
        base: a ?? null,
        head: b ?? null,
        subject: `webhook \`${name}\``,
        before: a ? name : null,
        after: b ? name : null,
        breaking: a !== undefined,
      })
      continue
    }
    const left = operationsOf(context.base, a, name)
    const right = operationsOf(context.head, b, name)
    for (const one of left) {
      const other = right.find((it) => it.method === one.method)
      if (other) compare(one, other, title)
      else
        context.note(title, {
          direction: null,
          area: 'webhook',
          kind: 'operation',
          action: 'removed',
          base: one.place,
          head: b,
          subject: `webhook \`${name}\` ${one.method}`,
          breaking: true,
        })
    }
    for (const other of right) {
      if (left.some((it) => it.method === other.method)) continue
      context.note(title, {
        direction: null,
        area: 'webhook',
        kind: 'operation',
        action: 'added',
        base: a,
        head: other.place,
        subject: `webhook \`${name}\` ${other.method}`,
      })
    }
  }
}
