/** An exception as the words of its form, and back. */
import { localOf } from '../../../parts/time.ts'
import type { ExceptionCreate, ExceptionDraft, SecurityException } from '../../../../../src/api/gateway-shapes.ts'
import { type GroupId, groupIds, managedGroups } from '../../../../../src/gateway-policy/door.ts'

export const fieldKinds = ['any', 'query', 'header', 'cookie', 'json'] as const
export type FieldKind = (typeof fieldKinds)[number]

/** What the form of an exception holds. */
export interface ExceptionWords {
  readonly by: 'route' | 'path'
  readonly place: string
  readonly method: string
  readonly kind: FieldKind
  readonly field: string
  readonly groups: readonly GroupId[]
  /** One reference in each line. */
  readonly ruleRefs: string
  readonly reason: string
  readonly ticket: string
  /** As an input of date and time has it: local, to the minute. */
  readonly ends: string
}

export const inHours = (hours: number, now: number): string => localOf(now + hours * 3_600_000)

/** The words of a new exception: it ends in 24 hours, which needs no approval for its length. */
export const newWords = (now: number): ExceptionWords => ({
  by: 'route',
  place: '',
  method: '',
  kind: 'any',
  field: '',
  groups: [],
  ruleRefs: '',
  reason: '',
  ticket: '',
  ends: inHours(24, now),
})

/** The words of a draft, or of an exception that is changed or renewed. What ended gets a new end. */
export function wordsOf(draft: ExceptionDraft | SecurityException, now: number): ExceptionWords {
  const { route = null, path = null, method, field } = draft.scope
  const [, kind, name] = /^(query|header|cookie|json):(.*)$/su.exec(field ?? '') ?? []
  const end = draft.expiresAt == null ? Number.NaN : Date.parse(draft.expiresAt)
  return {
    by: route === null && path !== null ? 'path' : 'route',
    place: route ?? path ?? '',
    method: method ?? '',
    kind: fieldKinds.find((one) => one === kind) ?? 'any',
    field: name ?? '',
    groups: groupIds.filter((id) => draft.target.groups?.includes(id)),
    ruleRefs: (draft.target.ruleRefs ?? []).join('\n'),
    reason: draft.reason,
    ticket: draft.ticket ?? '',
    ends: end > now ? localOf(end) : inHours(24, now),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((it) => it.trim())
    .filter(Boolean)

/** What the service is sent. */
export function exceptionBody(words: ExceptionWords): Omit<ExceptionCreate, 'dryRun' | 'approvalId'> {
  const { by, place, method, kind, field, groups, ruleRefs, reason, ticket, ends } = words
  const end = new Date(ends)
  return {
    scope: {
      ...(place.trim() === '' ? {} : { [by]: place.trim() }),
      ...(method.trim() === '' ? {} : { method: method.trim().toUpperCase() }),
      ...(kind === 'any' ? {} : { field: `${kind}:${field}` }),
    },
    target: { groups: [...groups], ruleRefs: linesOf(ruleRefs) },
    reason: reason.trim(),
    ticket: ticket.trim() === '' ? null : ticket.trim(),
    expiresAt: Number.isNaN(end.getTime()) ? null : end.toISOString(),
  }
}

type Scope = SecurityException['scope']
/** Where an exception applies, in one line. */
export const scopeWords = ({ route, path, method, field }: Scope): string =>
  [method ?? 'any method', route ?? path ?? '', field === null ? 'in any field' : `in ${field}`].join(' ')

/** What it exempts from, by names. */
export const targetWords = ({ groups, ruleRefs }: SecurityException['target']): string =>
  [...groups.map((id) => managedGroups.find((it) => it.id === id)?.title ?? id), ...ruleRefs].join(', ')

const dayMs = 86_400_000
/** Whether an active exception ends within a day. */
export const endsSoon = ({ state, expiresAt }: Pick<SecurityException, 'state' | 'expiresAt'>, now: number): boolean =>
  state === 'active' && Date.parse(expiresAt) - now < dayMs
