import type { Operation } from '../model/api.ts'
import { compareAnswers, compareBody } from '../responses/compare.ts'
import type { Context } from '../context.ts'
import { compareServers } from '../document/compare.ts'
import { compareParameters } from '../parameters/compare.ts'
import {
  compareAnnouncement,
  compareStability,
  compareSunset,
  isPastSunset,
  isUnstable,
  sunsetRemark,
} from './lifecycle.ts'
import { tagNames } from '../describe.ts'
import { compareSchemes, compareSecurity, schemesUsed } from '../security/compare.ts'
import { operationsOf, pathsOf, shapeOf, titleOf, webhooksOf } from '../model/openapi.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'
import type { Place } from '../side.ts'

/** Pairs path templates: by their text, then by their shape, because the names of path parameters mean nothing. */
const matchTemplates = (
  base: ReadonlyMap<string, Place>,
  head: ReadonlyMap<string, Place>,
): readonly (readonly [string | null, string | null])[] => {
  const pairs: [string | null, string | null][] = []
  const free = new Set(head.keys())
  const open: string[] = []
  for (const template of [...base.keys()].sort()) {
    if (free.delete(template)) pairs.push([template, template])
    else open.push(template)
  }
  for (const template of open) {
    const other = [...free].sort().find((it) => shapeOf(it) === shapeOf(template))
    if (other !== undefined) free.delete(other)
    pairs.push([template, other ?? null])
  }
  for (const template of [...free].sort()) {
    // A second template of one shape adds no request that the first did not match.
    pairs.push([null, template])
  }
  return pairs
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((it) => b.includes(it)) && b.every((it) => a.includes(it))

/** Compares all operations, webhooks and callbacks; `pause` is called between them. */
export const compareOperations = (context: Context, pause?: () => void): void => {
  const users = new Map<string, Set<string>>()
  const base = pathsOf(context.base)
  const head = pathsOf(context.head)
  for (const [before, after] of matchTemplates(base, head)) {
    const a = before === null ? null : base.get(before)!
    const b = after === null ? null : head.get(after)!
    if (a && b) context.docs(null, a, b)
    const left = a ? operationsOf(context.base, a, before!) : []
    const right = b ? operationsOf(context.head, b, after!) : []
    compareLists(context, left, right, users)
    pause?.()
  }
  compareWebhooks(context, pause)
  compareSchemes(context, users)
}

const compareLists = (
  context: Context,
  base: readonly Operation[],
  head: readonly Operation[],
  users: Map<string, Set<string>>,
): void => {
  for (const a of base) {
    const b = head.find((it) => it.method === a.method)
    if (!b) {
      removed(context, a)
      continue
    }
    for (const name of [...schemesUsed(a), ...schemesUsed(b)]) {
      const set = users.get(name) ?? new Set()
      set.add(titleOf(b))
      users.set(name, set)
    }
    compareOperation(context, a, b, titleOf(b), false)
  }
  for (const b of head) {
    if (base.some((it) => it.method === b.method)) continue
    context.note(titleOf(b), {
      direction: null,
      area: 'operation',
      kind: 'itself',
      action: 'added',
      base: null,
      head: b.place,
      subject: titleOf(b),
      after: titleOf(b),
    })
  }
}

const removed = (context: Context, a: Operation): void => {
  const raw = objectAt(a.place)
  const sunset = raw['x-sunset']
  const remark = sunsetRemark(a.deprecated, sunset)
  context.note(titleOf(a), {
    direction: null,
    area: 'operation',
    kind: 'itself',
    action: 'removed',
    base: a.place,
    head: null,
    subject: titleOf(a),
    before: titleOf(a),
    breaking: true,
    reason: 'whoever calls it gets no answer any more',
    ...(remark === undefined ? {} : { remark }),
    ...(isPastSunset(a.deprecated, sunset, context.asOf)
      ? { policy: 'removed-after-sunset' as const }
      : a.deprecated && sunset === undefined
        ? { policy: 'removed-after-deprecation' as const }
        : isUnstable(a)
          ? { policy: 'removed-while-unstable' as const }
          : {}),
  })
}

/** Compares an operation of both sides. `flipped`: the service calls and the client answers. */
export const compareOperation = (
  context: Context,
  a: Operation,
  b: Operation,
  title: string,
  flipped: boolean,
): void => {
  context.docs(title, a.place, b.place)
  const left = objectAt(a.place)
  const right = objectAt(b.place)
  const common = { direction: null, area: 'operation', base: a.place, head: b.place, subject: title } as const
  if (a.deprecated !== b.deprecated) {
    context.note(title, {
      ...common,
      kind: 'deprecated',
      action: b.deprecated ? 'added' : 'removed',
      before: a.deprecated,
      after: b.deprecated,
    })
  }
  compareSunset(context, a, b, title)
  compareAnnouncement(context, 'operation', a.place, b.place, title, title)
  compareStability(context, a, b, title)
  if (left.operationId !== right.operationId) {
    context.note(title, {
      ...common,
      kind: 'operation-id',
      action: left.operationId === undefined ? 'added' : right.operationId === undefined ? 'removed' : 'changed',
      before: left.operationId ?? null,
      after: right.operationId ?? null,
      breaking: left.operationId !== undefined,
      policy: 'operation-id-changed',
    })
  }
  if (!isSameValue(left.tags, right.tags)) {
    context.note(title, {
      ...common,
      kind: 'tags',
      action: 'changed',
      docs: isSameSet(tagNames(left.tags ?? null), tagNames(right.tags ?? null)),
      before: left.tags ?? null,
      after: right.tags ?? null,
    })
  }
  compareParameters(context, title, a, b, flipped)
  compareBody(context, title, a, b, flipped)
  compareAnswers(context, title, a, b, flipped)
  if (!flipped) {
    compareSecurity(context, title, a, b)
    compareServers(context, title, a.servers, b.servers)
  }
  compareCallbacks(context, a, b, title, flipped)
}

const compareCallbacks = (context: Context, a: Operation, b: Operation, title: string, flipped: boolean): void => {
  for (const name of [...new Set([...a.callbacks.keys(), ...b.callbacks.keys()])].sort()) {
    const before = a.callbacks.get(name)
    const after = b.callbacks.get(name)
    if (!before || !after) {
      context.note(title, {
        direction: null,
        area: 'callback',
        kind: 'itself',
        action: before ? 'removed' : 'added',
        base: before ? a.place : null,
        head: after ? b.place : null,
        subject: `callback \`${name}\``,
        before: before ? name : null,
        after: after ? name : null,
        breaking: before !== undefined,
      })
      continue
    }
    for (const expression of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const left = before.get(expression) ?? []
      const right = after.get(expression) ?? []
      for (const one of left) {
        const other = right.find((it) => it.method === one.method)
        if (other) compareOperation(context, one, other, title, !flipped)
        else
          context.note(title, {
            direction: null,
            area: 'callback',
            kind: 'operation',
            action: 'removed',
            base: one.place,
            head: null,
            subject: `callback \`${name}\` ${titleOf(one)}`,
            breaking: true,
          })
      }
      for (const other of right) {
        if (left.some((it) => it.method === other.method)) continue
        context.note(title, {
          direction: null,
          area: 'callback',
          kind: 'operation',
          action: 'added',
          base: null,
          head: other.place,
          subject: `callback \`${name}\` ${titleOf(other)}`,
        })
      }
    }
  }
}

const compareWebhooks = (context: Context, pause?: () => void): void => {
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
      if (other) compareOperation(context, one, other, title, true)
      else
        context.note(title, {
          direction: null,
          area: 'webhook',
          kind: 'operation',
          action: 'removed',
          base: one.place,
          head: b,
          subject: `webhook \`${name}\` ${one.method.toUpperCase()}`,
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
        subject: `webhook \`${name}\` ${other.method.toUpperCase()}`,
      })
    }
  }
}
