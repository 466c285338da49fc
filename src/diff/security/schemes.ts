import { isObject } from '../../kernel/json.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { normalUrl } from '../model/url.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** The URLs of a flow, or of a scheme, where clients get tokens. */
export const endpoints = [
  'authorizationUrl',
  'tokenUrl',
  'refreshUrl',
  'deviceAuthorizationUrl',
  'openIdConnectUrl',
] as const

export interface Scheme {
  readonly key: string
  /** Null where a requirement names a scheme that is not declared. */
  readonly place: PlacedValue | null
  readonly raw: JsonObject
  /** What the credentials are on the wire, and where they come from: equal for schemes that callers cannot tell apart. */
  readonly wire: string
}

/** A scheme as OpenAPI 3 writes it: what Swagger 2.0 calls `basic` is one of HTTP's own. */
const inOpenApi3 = (place: PlacedValue): JsonObject => {
  const raw = objectAt(place)
  return raw.type === 'basic' ? { ...raw, type: 'http', scheme: 'basic' } : raw
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** The flows of an OAuth scheme by name; any other scheme has its URLs at its own level, under the name "". */
export const flowsOf = (scheme: JsonObject): Readonly<Record<string, JsonObject>> => {
  if (isObject(scheme.flows))
    return Object.fromEntries(
      Object.entries(scheme.flows)
        .filter(([key]) => !key.startsWith('x-'))
        .map(([key, it]) => [key, isObject(it) ? it : {}]),
    )
  // In Swagger 2.0 a scheme has one flow, under names of its own.
  const names: Readonly<Record<string, string>> = { accessCode: 'authorizationCode', application: 'clientCredentials' }
  if (typeof scheme.flow === 'string') return { [names[scheme.flow] ?? scheme.flow]: scheme }
  return { '': scheme }
}

const wireOf = (key: string, raw: JsonObject): string => {
  switch (raw.type) {
    case 'apiKey': {
      const name = textOf(raw.name)
      return `apiKey ${textOf(raw.in)} ${raw.in === 'header' ? name.toLowerCase() : name}`
    }
    case 'http':
      return `http ${textOf(raw.scheme).toLowerCase()}`
    case 'mutualTLS':
      return 'mutualTLS'
    case 'oauth2':
    case 'openIdConnect': {
      const flows = Object.entries(flowsOf(raw)).map(([name, flow]) =>
        [name, ...endpoints.map((it) => normalUrl(textOf(flow[it])))].join(' '),
      )
      return `${raw.type} ${flows.sort().join(', ')}`
    }
    default:
      return `unknown ${key}`
  }
}

/** The security schemes that a document declares, by key. */
export const schemesOf = (side: Side): ReadonlyMap<string, Scheme> => {
  const place = side.at(side.dialect === 'swagger-2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'])
  return new Map(
    side.members(place).map(([key, it]) => {
      const raw = inOpenApi3(it)
      return [key, { key, place: it, raw, wire: wireOf(key, raw) }]
    }),
  )
}

const within = '#/components/securitySchemes/'

/** The key of the scheme that a requirement names, which since OpenAPI 3.2 can be by its URI ("Security Requirement Object"). */
export const schemeKey = (schemes: ReadonlyMap<string, Scheme>, name: string): string => {
  if (schemes.has(name) || !name.startsWith(within)) return name
  const key = name.slice(within.length).replaceAll('~1', '/').replaceAll('~0', '~')
  return schemes.has(key) ? key : name
}

/**
 * What the schemes of both documents are called in a comparison. A scheme that kept its key and its form keeps its name. Where a key is
 * gone or new, schemes with the same wire form have one name, and so has a scheme that kept its key while its form changed.
 */
export class SchemeNames {
  private readonly base: ReadonlyMap<string, Scheme>
  private readonly head: ReadonlyMap<string, Scheme>
  private readonly counterparts = new Map<string, Scheme>()
  private readonly matched = new Set<Scheme>()
  /** The first scheme of the base of each wire form. */
  private readonly baseByWire: ReadonlyMap<string, Scheme>
  /** Of the head the first one of each wire form whose key is new, else the first one. */
  private readonly headByWire = new Map<string, Scheme>()

  constructor(base: ReadonlyMap<string, Scheme>, head: ReadonlyMap<string, Scheme>) {
    this.base = base
    this.head = head
    this.baseByWire = new Map([...base.values()].toReversed().map((it) => [it.wire, it]))
    for (const it of head.values()) {
      const known = this.headByWire.get(it.wire)
      if (known === undefined || (base.has(known.key) && !base.has(it.key))) this.headByWire.set(it.wire, it)
    }
    const renamed = this.renamedFlows()
    for (const scheme of base.values()) {
      const other = this.find(scheme) ?? renamed.get(String(scheme.raw.type)) ?? null
      if (other === null) continue
      this.counterparts.set(scheme.key, other)
      this.matched.add(other)
    }
  }

  /** The scheme of the head that corresponds to one of the base; null where there is none. */
  counterpart(key: string): Scheme | null {
    return this.counterparts.get(key) ?? null
  }

  ofBase(key: string): string {
    return this.counterparts.get(key)?.key ?? (this.base.has(key) ? `${key} of the base` : key)
  }

  ofHead(key: string): string {
    const scheme = this.head.get(key)
    if (!scheme || this.matched.has(scheme)) return key
    const same = this.baseByWire.get(scheme.wire)
    return same ? this.ofBase(same.key) : key
  }

  private find(scheme: Scheme): Scheme | null {
    const own = this.head.get(scheme.key)
    if (own?.wire === scheme.wire) return own
    const same = this.headByWire.get(scheme.wire)
    if (same !== undefined) return same
    return own && !this.baseByWire.has(own.wire) ? own : null
  }

  /** The scheme of OAuth and that of OpenID Connect that has another key and other URLs, where only one comes into question. */
  private renamedFlows(): ReadonlyMap<string, Scheme> {
    const found = new Map<string, Scheme>()
    for (const type of ['oauth2', 'openIdConnect']) {
      const candidates = [...this.head.values()].filter(
        (it) => it.raw.type === type && !this.baseByWire.has(it.wire) && !this.base.has(it.key),
      )
      const rivals = [...this.base.values()].filter((it) => it.raw.type === type && !this.head.has(it.key))
      if (candidates.length === 1 && rivals.length === 1) found.set(type, candidates[0]!)
    }
    return found
  }
}
