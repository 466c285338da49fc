import type { Operation, Parameter } from '../diff/model/api.ts'
import { pointerOf, type PlacedValue, type Side } from '../diff/side.ts'
import { parseDataPath } from './data-path.ts'
import { findField, type FieldStep } from './field.ts'
import { parameterOf, type UsedPart } from './losses.ts'
import { bodySchemas } from './look-up.ts'
import { groupOf } from './schema-group.ts'
import { answerFor, type Specification } from './specification.ts'

/** A place in the specification that a consumer depends on. */
export type NodeKind = 'schema' | 'parameter' | 'body' | 'answer'

/**
 * How much of a place is used: `passed` (only something within it is used), `value` (the value itself), `all`
 * (everything below it); or the same `unsaid`: not declared by the consumer, but required.
 */
export type Extent = 'passed' | 'value' | 'all' | 'unsaid'

/** A place of a document that a part of a contract depends on, and the property that is entered from it. */
export interface ReachedNode {
  readonly direction: 'request' | 'response'
  readonly pointer: string
  readonly kind: NodeKind
  readonly enters: string | null
  readonly extent: Extent
}

const node = (
  direction: ReachedNode['direction'],
  place: PlacedValue,
  kind: NodeKind,
  { enters = null, extent = 'passed' }: { readonly enters?: string | null; readonly extent?: Extent } = {},
): ReachedNode => ({ direction, pointer: pointerOf(place.path), kind, enters, extent })

const levelNodes = (direction: ReachedNode['direction'], levels: readonly FieldStep[]): ReachedNode[] =>
  levels.flatMap(({ places, enters }, depth) => {
    const extent = depth === levels.length - 1 ? 'value' : 'passed'
    return places.map((place) => node(direction, place, 'schema', { enters, extent }))
  })

// Consumers cannot name parts of a parameter: the whole value is used.
const parameterNodes = (
  side: Side,
  { place, schema, content }: Parameter,
  extent: 'all' | 'unsaid',
): readonly ReachedNode[] => {
  const schemas = schema ? [schema] : [...content.values()].flatMap((it) => it.schema ?? [])
  const within = groupOf(side, schemas).passed.map((it) => node('request', it, 'schema', { extent }))
  return [node('request', place, 'parameter', { extent }), ...within]
}

/** What every body of these schemas is subject to. Branches are not: only the fields say which of them a consumer uses. */
const surroundings = (
  specification: Specification,
  direction: ReachedNode['direction'],
  schemas: readonly PlacedValue[],
): ReachedNode[] => groupOf(specification.side, schemas).passed.map((place) => node(direction, place, 'schema'))

/** The places of a specification that a part of a contract depends on: what changes elsewhere cannot touch it. */
export const reachedBy = (
  specification: Specification,
  operation: Operation,
  part: UsedPart,
): readonly ReachedNode[] => {
  const { side } = specification
  switch (part.kind) {
    case 'operation':
      // Path parameters and what is required are sent by everyone who calls the operation.
      return [...operation.parameters.values()]
        .filter((it) => it.in === 'path' || it.required)
        .flatMap((it) => parameterNodes(side, it, 'unsaid'))
    case 'parameter': {
      const found = parameterOf(operation, part)
      if (!found) return []
      return parameterNodes(side, found, 'all')
    }
    case 'status': {
      const answer = answerFor(operation, part.status)
      if (!answer) return []
      const schemas = bodySchemas(operation, { location: 'response', status: part.status })
      return [node('response', answer.place, 'answer'), ...surroundings(specification, 'response', schemas)]
    }
    case 'field': {
      const steps = parseDataPath(part.field)
      const found = steps === null ? null : findField(side, bodySchemas(operation, part.body), steps)
      const direction = part.body.location
      const body: PlacedValue | null = direction === 'request' ? (operation.body?.place ?? null) : null
      return [...(body ? [node('request', body, 'body')] : []), ...levelNodes(direction, found?.levels ?? [])]
    }
  }
}

/** The places that sending any body depends on, independent of its fields. */
export const reachedByBody = (specification: Specification, operation: Operation): readonly ReachedNode[] => {
  if (!operation.body) return []
  const schemas = bodySchemas(operation, { location: 'request' })
  return [node('request', operation.body.place, 'body'), ...surroundings(specification, 'request', schemas)]
}
