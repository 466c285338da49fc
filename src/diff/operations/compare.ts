import { notCompared } from '../../schema/effort.ts'
import { compareBody } from '../content/body.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../model/api.ts'
import { operationsOf, partsOf, pathsOf, titleOf } from '../model/openapi.ts'
import { compareParameters } from '../parameters/compare.ts'
import { compareAnswers } from '../responses/compare.ts'
import { tagNames } from '../describe.ts'
import { isSameValue } from '../sameness.ts'
import { SecurityComparer } from '../security/compare.ts'
import { compareServers } from '../servers/compare.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue } from '../side.ts'
import { compareCallbacks, compareWebhooks } from './calls.ts'
import {
  compareAnnouncement,
  compareStability,
  compareSunset,
  isPastSunset,
  isUnstable,
  sunsetRemark,
} from './lifecycle.ts'
import { pairPaths } from './paths.ts'
import { Routes } from './routes.ts'
import type { Rerouted } from './routes.ts'

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).symmetricDifference(new Set(b)).size === 0

/** Compares all operations, webhooks and callbacks; `pause` is called between them. */
export const compareOperations = (context: Context, pause?: () => void): void => {
  const security = new SecurityComparer(context)
  const base = pathsOf(context.base)
  const head = pathsOf(context.head)
  const routes = new Routes(context)
  let compared = 0
  for (const [before, after] of pairPaths(context)) {
    const a = before === null ? null : base.get(before)!
    const b = after === null ? null : head.get(after)!
    if (a && b) compareItemDocs(context, a, b)
    const left = a ? operationsOf(context.base, a, before!) : []
    const right = b ? operationsOf(context.head, b, after!) : []
    compared += compareLists(context, left, right, security, routes)
    pause?.()
  }
  // Without operations that both sides have, the servers are compared on their own.
  if (compared === 0) compareServers(context, null, null, null)
  compareWebhooks(context, (a, b, title) => compareOperation(context, a, b, title, true), pause)
  security.finish()
}

const compareItemDocs = (context: Context, a: PlacedValue, b: PlacedValue): void => {
  const [left, right] = [partsOf(context.base, a), partsOf(context.head, b)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) context.docs(null, left[i]!, right[i]!)
}

/** @returns how many operations both sides have. */
const compareLists = (
  context: Context,
  base: readonly Operation[],
  head: readonly Operation[],
  security: SecurityComparer,
  routes: Routes,
): number => {
  let compared = 0
  for (const a of base) {
    const b = head.find((it) => it.method === a.method)
    if (!b) {
      removed(context, a, routes.after(a))
      continue
    }
    compared++
    security.compare(titleOf(b), a, b)
    compareServers(context, titleOf(b), a, b)
    compareOperation(context, a, b, titleOf(b), false)
  }
  for (const b of head) {
    if (base.some((it) => it.method === b.method)) continue
    added(context, b, routes.before(b))
  }
  return compared
}

const added = (context: Context, b: Operation, { facts, isExhausted }: Rerouted): void => {
  for (const fact of facts) context.collector.add(fact, [titleOf(b)])
  context.note(titleOf(b), {
    direction: null,
    area: 'operation',
    kind: 'itself',
    action: 'added',
    base: null,
    head: b.place,
    subject: titleOf(b),
    after: titleOf(b),
    ...(isExhausted ? { undecided: true, reason: notCompared } : {}),
  })
}

const removed = (context: Context, a: Operation, rerouted: Rerouted | null): void => {
  const isKept = rerouted?.worst === 'safe'
  const raw = objectAt(a.place)
  const sunset = raw['x-sunset']
  const remark = rerouted === null ? sunsetRemark(a.deprecated, sunset) : rerouted.remark
  context.note(titleOf(a), {
    direction: null,
    area: 'operation',
    kind: 'itself',
    action: 'removed',
    base: a.place,
    head: null,
    subject: titleOf(a),
    before: titleOf(a),
    breaking: !isKept,
    ...(isKept ? {} : { reason: 'clients that call it fail' }),
    ...(rerouted?.worst === 'unknown' ? { undecided: true, reason: rerouted.remark } : {}),
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
  compareCallbacks(context, a, b, title, (one, other) => compareOperation(context, one, other, title, !flipped))
}
