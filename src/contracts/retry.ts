import type { Unresolved } from './contract.ts'
import { lookField, type BodyOf } from './look-up.ts'
import { matchPath } from './match-path.ts'
import { answerFor, parameterFor, type Specification } from './specification.ts'

/** What became of the items that could not be resolved when a contract was written. */
export interface Retried {
  /** Still missing: the consumer uses it and the specification does not contain it. */
  readonly missing: readonly Unresolved[]
  /** What it means cannot be said, there or here. */
  readonly undecided: readonly Unresolved[]
}

const unclear = new Set(['unsupported-interaction', 'ambiguous-path', 'body-not-json', 'body-schema-missing'])

const isThere = (specification: Specification, unresolved: Unresolved): boolean => {
  const { method, path } = unresolved
  if (method === null || path === null) return false
  const named = specification.find(method, path).found
  const match = named ? null : matchPath(specification, method, path)
  const operation = named ?? (match?.kind === 'operation' ? match.operation : null)
  if (!operation) return false
  if (unresolved.location === 'parameter') return parameterFor(operation, unresolved.field ?? '', null) !== null
  if (unresolved.location === 'response' && unresolved.field === null)
    return unresolved.status !== null && answerFor(operation, unresolved.status) !== null
  if (unresolved.location === null || unresolved.field === null) return true
  const body: BodyOf =
    unresolved.location === 'request'
      ? { location: 'request' }
      : { location: 'response', status: unresolved.status ?? '' }
  return lookField(specification, operation, body, unresolved.field).found !== null
}

/** Looks for what a contract names and could not be found, in a specification that may have it. */
export const retryUnresolved = (specification: Specification, items: readonly Unresolved[]): Retried => ({
  missing: items.filter((it) => !unclear.has(it.reason) && !isThere(specification, it)),
  // An event message is not a request, so omitting it does not affect this API.
  undecided: items.filter((it) => unclear.has(it.reason) && it.reason !== 'unsupported-interaction'),
})
