import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import type { Server, Servers } from './api.ts'
import { normalUrl } from './url.ts'

/** More combinations of listed values than this are not written out. */
const manyUrls = 256

const fill = (url: string, values: ReadonlyMap<string, string>): string =>
  url.replaceAll(/\{([^}]*)\}/g, (all, name: string) => values.get(name) ?? all)

const variablesOf = (
  place: PlacedValue,
): ReadonlyMap<string, { readonly fallback: string; readonly values: readonly string[] }> => {
  const { variables } = objectAt(place)
  if (!isObject(variables)) return new Map()
  return new Map(
    Object.entries(variables).map(([name, it]) => {
      const raw = isObject(it) ? it : {}
      const listed = Array.isArray(raw.enum) ? raw.enum.map(String) : []
      const fallback = raw.default === undefined ? (listed[0] ?? '') : String(raw.default)
      // A default that is not listed is sent anyway, where a client says nothing else.
      return [name, { fallback, values: listed.length === 0 ? [] : [...new Set([fallback, ...listed])] }]
    }),
  )
}

const serverOf = (place: PlacedValue): Server => {
  const written = typeof objectAt(place).url === 'string' ? String(objectAt(place).url) : '/'
  const used = [...variablesOf(place)].filter(([name]) => written.includes(`{${name}}`))
  const free = used.filter(([, it]) => it.values.length === 0)
  let combinations: ReadonlyMap<string, string>[] = [new Map(used.map(([name, it]) => [name, it.fallback]))]
  for (const [name, { values }] of used) {
    if (values.length === 0 || combinations.length * values.length > manyUrls) continue
    combinations = values.flatMap((value) => combinations.map((it) => new Map([...it, [name, value]])))
  }
  return {
    place,
    written,
    urls: [...new Set(combinations.map((it) => normalUrl(fill(written, it))))],
    open: free.length === 0 ? null : normalUrl(fill(written, new Map(free.map(([name]) => [name, '{*}'])))),
  }
}

const nowhere: PlacedValue = { value: { url: '/' }, path: [] }

/** No servers, or an empty list, is one server with the URL `/` (OpenAPI Object, `servers`). */
const listAt = (place: PlacedValue | null): Servers | null => {
  const list = place && Array.isArray(place.value) ? (place.value as readonly Json[]) : []
  if (!place || list.length === 0) return null
  return { place, list: list.map((value, i) => serverOf({ value, path: [...place.path, i] })) }
}

/** Host, base path and schemes of Swagger 2.0 as servers; without a host they are relative to the document. */
const swaggerServers = (side: Side, schemes: Json | undefined): Servers => {
  const root = objectAt(side.at([]))
  const host = typeof root.host === 'string' ? root.host : null
  const path = typeof root.basePath === 'string' ? root.basePath : '/'
  const names = Array.isArray(schemes) && schemes.length > 0 && host !== null ? schemes.map(String) : ['']
  const value = names.map((scheme) => ({
    url: `${scheme === '' ? '' : `${scheme}:`}${host === null ? '' : `//${host}`}${path}`,
  }))
  return { place: { value, path: [] }, list: value.map((it) => serverOf({ value: it, path: [] })) }
}

const roots = new WeakMap<Side, Servers>()

/** The servers of the document as a whole. */
export const rootServers = (side: Side): Servers => {
  const known = roots.get(side)
  if (known) return known
  const made =
    side.dialect === 'swagger-2.0'
      ? swaggerServers(side, objectAt(side.at([])).schemes)
      : (listAt(side.at(['servers'])) ?? { place: null, list: [serverOf(nowhere)] })
  roots.set(side, made)
  return made
}

/** The servers that hold for the owners, the nearest first: an operation, its path item; else those of the document. */
export const serversOf = (side: Side, owners: readonly PlacedValue[]): Servers => {
  for (const owner of owners) {
    const raw = objectAt(owner)
    if (side.dialect === 'swagger-2.0') {
      if (Array.isArray(raw.schemes) && raw.schemes.length > 0) return swaggerServers(side, raw.schemes)
      continue
    }
    const own = raw.servers === undefined ? null : listAt({ value: raw.servers, path: [...owner.path, 'servers'] })
    if (own) return own
  }
  return rootServers(side)
}
