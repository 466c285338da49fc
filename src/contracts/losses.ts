import type { Operation } from '../diff/model/api.ts'
import type { Contract, ReasonCode, Unresolved, UsedOperation } from './contract.ts'
import { lookField, pointersIn, type BodyOf } from './look-up.ts'
import { answerFor, parameterFor, type Specification } from './specification.ts'

/** A part of a contract in words that mean the same for every consumer, so that it is looked up once for all of them. */
export type UsedPart =
  | { readonly kind: 'operation' }
  | {
      readonly kind: 'status'
      readonly status: string
      /** It was declared by itself or by its range, not by the default alone. */
      readonly sure: boolean
    }
  | {
      readonly kind: 'field'
      readonly body: BodyOf
      /** As for its status. */
      readonly sure: boolean
      readonly field: string
      /** How surely the specification had it where the contract was declared. */
      readonly certainty: Certainty
    }
  | { readonly kind: 'parameter'; readonly name: string; readonly in: string; readonly position: number }

/** How a field is there: 2 by its own name, 1 as a value of a map, 0 within an object of anything. */
type Certainty = 0 | 1 | 2

const certaintyOf = (pointers: readonly string[]): Certainty => {
  if (pointers.some((it) => /\/(?:properties|patternProperties|parameters|items|prefixItems)(?:\/[^/]*)?$/.test(it)))
    return 2
  return pointers.some((it) => it.endsWith('/additionalProperties')) ? 1 : 0
}

/** Everything that a contract says about one operation, the operation itself first. */
export function* partsOf(used: UsedOperation): Generator<UsedPart> {
  yield { kind: 'operation' }
  for (const { name, in: place } of used.parameters) {
    const names = [...used.path.matchAll(/\{([^}]*)\}/g)].map((it) => it[1])
    yield { kind: 'parameter', name, in: place, position: place === 'path' ? names.indexOf(name) : -1 }
  }
  for (const it of used.request)
    yield {
      kind: 'field',
      body: { location: 'request' },
      sure: true,
      field: it.field,
      certainty: certaintyOf(it.pointers),
    }
  for (const { status, declared, fields } of used.responses) {
    const sure = declared !== 'default'
    yield { kind: 'status', status, sure }
    for (const it of fields)
      yield {
        kind: 'field',
        body: { location: 'response', status },
        sure,
        field: it.field,
        certainty: certaintyOf(it.pointers),
      }
  }
}

/** The key of a part within its operation. */
export const keyOf = (part: UsedPart): string => {
  switch (part.kind) {
    case 'operation':
      return 'operation'
    case 'status':
      return `${part.sure ? '' : 'perhaps '}status ${part.status}`
    case 'parameter':
      return part.position >= 0 ? `parameter path ${part.position}` : `parameter ${part.in} ${part.name}`
    case 'field':
      return `${part.sure ? '' : 'perhaps '}${part.certainty} ${part.body.location === 'request' ? 'request' : `response ${part.body.status}`} ${part.field}`
  }
}

const prepared = new WeakMap<UsedOperation, readonly (readonly [string, UsedPart])[]>()

/** The parts of an operation with their keys, made once. */
export const keyedParts = (used: UsedOperation): readonly (readonly [string, UsedPart])[] => {
  const known = prepared.get(used)
  if (known) return known
  const made = [...partsOf(used)].map((part) => [keyOf(part), part] as const)
  prepared.set(used, made)
  return made
}

/** The parameter that a part means; path parameters by their position, because clients do not send their names. */
export const parameterOf = (operation: Operation, part: Extract<UsedPart, { kind: 'parameter' }>) =>
  part.position >= 0
    ? (operation.parameters.get(`path ${part.position}`) ?? null)
    : parameterFor(operation, part.name, part.in)

/** A status that was declared explicitly counts as removed if only the default response covers it. */
const hasAnswer = (
  operation: Operation,
  { status, sure }: { readonly status: string; readonly sure: boolean },
): boolean => {
  const answer = answerFor(operation, status)
  return answer !== null && !(sure && answer.status === 'DEFAULT')
}

/** Why a part is not in a specification; null where it is. A path parameter that is no longer declared is not a loss. */
export const lossOf = (
  specification: Specification,
  operation: Operation,
  part: UsedPart,
): { reason: ReasonCode; message: string } | null => {
  const what = `${operation.method.toUpperCase()} ${operation.template}`
  if (part.kind === 'status' && !hasAnswer(operation, part)) {
    const rest = operation.answers.has('DEFAULT') ? ', and only the default response applies' : ''
    return { reason: 'status-not-declared', message: `${what} no longer declares the response ${part.status}${rest}.` }
  }
  if (part.kind === 'parameter' && part.in !== 'path' && !parameterOf(operation, part))
    return { reason: 'parameter-not-found', message: `${what} no longer has the ${part.in} parameter "${part.name}".` }
  if (part.kind === 'field') {
    // Where the whole response is gone, that is said once.
    if (part.body.location === 'response' && !hasAnswer(operation, { ...part.body, sure: part.sure })) return null
    const lookup = lookField(specification, operation, part.body, part.field)
    if (lookup.found && certaintyOf(pointersIn(specification.side, lookup.found.places)) >= part.certainty) return null
    if (lookup.found === null && lookup.reason !== 'field-not-found') return lookup
    const where = part.body.location === 'request' ? 'the request' : `the response ${part.body.status}`
    const rest = lookup.found ? ', but additional fields are still allowed' : ''
    return { reason: 'field-removed', message: `${what}: ${where} no longer has the field "${part.field}"${rest}.` }
  }
  return null
}

export const itemOf = (used: UsedOperation, part: UsedPart, reason: ReasonCode, message: string): Unresolved => ({
  reason,
  interaction: null,
  method: used.method,
  path: used.path,
  status:
    part.kind === 'status'
      ? part.status
      : part.kind === 'field' && part.body.location === 'response'
        ? part.body.status
        : null,
  location:
    part.kind === 'field'
      ? part.body.location
      : part.kind === 'parameter'
        ? 'parameter'
        : part.kind === 'status'
          ? 'response'
          : null,
  field: part.kind === 'field' ? part.field : part.kind === 'parameter' ? part.name : null,
  message,
})

/** What is gone as a whole is said once: a body, and a field without those below it. */
export const withoutRepeats = (losses: readonly Unresolved[]): readonly Unresolved[] => {
  const seen = new Set<string>()
  const gone: string[] = []
  return losses.flatMap((loss) => {
    const place = `${loss.method} ${loss.path} ${loss.location} ${loss.status}`
    if (loss.reason === 'body-schema-missing' || loss.reason === 'body-not-json') {
      const key = `${loss.reason} ${place}`
      if (seen.has(key)) return []
      seen.add(key)
      return [{ ...loss, field: null }]
    }
    if (loss.field === null || loss.location === 'parameter') return [loss]
    const field = `${place} ${loss.field}`
    if (gone.some((above) => field.startsWith(`${above}.`) || field.startsWith(`${above}[`))) return []
    gone.push(field)
    return [loss]
  })
}

/** What a specification lacks of what a contract uses: of an operation that is gone, the operation alone. */
export const lossesIn = (specification: Specification, contract: Contract): readonly Unresolved[] =>
  withoutRepeats(
    contract.operations.flatMap((used) => {
      const { found } = specification.find(used.method, used.path)
      if (!found) return [itemOf(used, { kind: 'operation' }, 'operation-retired', goneMessage(used))]
      return keyedParts(used).flatMap(([, part]) => {
        const loss = lossOf(specification, found, part)
        return loss ? [itemOf(used, part, loss.reason, loss.message)] : []
      })
    }),
  )

export const goneMessage = (used: UsedOperation): string => `${used.method} ${used.path} was removed.`
