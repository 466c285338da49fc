import type { ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import type { SurfaceOperation } from './queries.ts'

/** Where of an operation a name is used: "request", "response 200", "parameter query". */
export type Where = 'request' | `response ${string}` | `parameter ${string}`

/** What is chosen: by operation ("GET /pets"), by where, the names. An operation may be chosen with no name of it. */
export type Picks = ReadonlyMap<string, ReadonlyMap<Where, readonly string[]>>

export const operationKey = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path}`

export const namesAt = (picks: Picks, operation: string, where: Where): readonly string[] =>
  picks.get(operation)?.get(where) ?? []

/** Chooses exactly these names there; the operation is chosen with them. */
export const setNames = (picks: Picks, operation: string, where: Where, names: readonly string[]): Picks => {
  const own = new Map(picks.get(operation))
  if (names.length === 0) own.delete(where)
  else own.set(where, [...new Set(names)])
  return new Map(picks).set(operation, own)
}

export const toggleName = (picks: Picks, operation: string, where: Where, name: string): Picks => {
  const names = namesAt(picks, operation, where)
  const next = names.includes(name) ? names.filter((it) => it !== name) : [...names, name]
  return setNames(picks, operation, where, next)
}

/** Chooses an operation, or lets go of it with all that is chosen of it. */
export const toggleOperation = (picks: Picks, operation: string): Picks => {
  const next = new Map(picks)
  if (!next.delete(operation)) next.set(operation, new Map())
  return next
}

/** What a consumer contract names, as the start of an edit; includes unresolved items that a person chose. */
export const picksOf = (contract: ConsumerContractRecord | null): Picks => {
  let picks: Picks = new Map()
  for (const it of contract?.operations ?? []) {
    const key = operationKey(it)
    picks = new Map(picks).set(key, picks.get(key) ?? new Map())
    const add = (where: Where, names: readonly string[]): void => {
      picks = setNames(picks, key, where, [...namesAt(picks, key, where), ...names])
    }
    add(
      'request',
      it.request.map((one) => one.field),
    )
    for (const answer of it.responses)
      add(
        `response ${answer.status}`,
        answer.fields.map((one) => one.field),
      )
    for (const one of it.parameters) add(`parameter ${one.in}`, [one.name])
  }
  if (contract?.source !== 'selection') return picks
  for (const { method, path, location, status, field } of contract.unresolved) {
    if (method === null || path === null) continue
    const key = operationKey({ method, path })
    picks = new Map(picks).set(key, picks.get(key) ?? new Map())
    if (field === null || location === 'parameter') continue
    const where: Where = location === 'response' ? `response ${status ?? 'default'}` : 'request'
    picks = setNames(picks, key, where, [...namesAt(picks, key, where), field])
  }
  return picks
}

/** The body of a declaration. */
export const selectionOf = (picks: Picks) => ({
  operations: [...picks].map(([operation, wheres]) => {
    const at = operation.indexOf(' ')
    const responses: Record<string, string[]> = {}
    const parameters: { name: string; in: 'query' | 'header' | 'path' | 'cookie' }[] = []
    for (const [where, names] of wheres) {
      const [kind, place = ''] = where.split(' ')
      if (kind === 'response') responses[place] = [...names]
      if (kind === 'parameter')
        for (const name of names) parameters.push({ name, in: place as (typeof parameters)[number]['in'] })
    }
    return {
      method: operation.slice(0, at),
      path: operation.slice(at + 1),
      request: [...(wheres.get('request') ?? [])],
      responses,
      parameters,
    }
  }),
})

export const countPicks = (picks: Picks): { operations: number; fields: number; parameters: number } => {
  const counts = { operations: picks.size, fields: 0, parameters: 0 }
  for (const wheres of picks.values())
    for (const [where, names] of wheres)
      counts[where.startsWith('parameter ') ? 'parameters' : 'fields'] += names.length
  return counts
}

/** A name that can be chosen. */
export interface Offer {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string | null
  /** Its depth in the body. */
  readonly depth: number
}

/** The steps of a data path before its last: dots within names are escaped. */
const depthOf = (field: string): number => field.replaceAll(/\\./g, '_').split('.').length - 1

/** What an operation offers, in the order in which it is shown. */
export const offersOf = (operation: SurfaceOperation): ReadonlyMap<Where, readonly Offer[]> => {
  const offers = new Map<Where, readonly Offer[]>()
  const fields = (list: SurfaceOperation['request']): Offer[] =>
    list.map(({ field, ...more }) => ({ name: field, depth: depthOf(field), ...more }))
  for (const it of operation.parameters) {
    const where: Where = `parameter ${it.in}`
    offers.set(where, [...(offers.get(where) ?? []), { ...it, description: null, depth: 0 }])
  }
  if (operation.request.length > 0) offers.set('request', fields(operation.request))
  for (const { status, fields: list } of operation.responses) offers.set(`response ${status}`, fields(list))
  return offers
}

/** Whether a version has a field: it is offered, or it contains an offered one ("lines[]" of "lines[].price"). */
const isOffered = (offers: readonly Offer[], name: string): boolean =>
  offers.some((it) => it.name === name || it.name.startsWith(`${name}.`) || it.name.startsWith(`${name}[`))

/** What is chosen of an operation and not offered by it: the service looks it up, and might not find it. */
export const unoffered = (
  picks: Picks,
  operation: string,
  offers: ReadonlyMap<Where, readonly Offer[]>,
): { readonly where: Where; readonly name: string }[] =>
  [...(picks.get(operation) ?? [])].flatMap(([where, names]) =>
    // The items of an array of plain values have no name that could be offered.
    names.filter((name) => name !== '[]' && !isOffered(offers.get(where) ?? [], name)).map((name) => ({ where, name })),
  )

const whereNames: Record<string, string> = {
  'parameter query': 'Query parameters',
  'parameter path': 'Path parameters',
  'parameter header': 'Header parameters',
  'parameter cookie': 'Cookies',
  request: 'Fields of the request',
}
export const whereWords = (where: Where): string =>
  whereNames[where] ?? `Fields of the response ${where.slice('response '.length)}`
