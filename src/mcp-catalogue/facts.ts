import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { canonicalize } from '../document/serialize.ts'
import { compareSurfaces } from './compare.ts'
import { itemKey, lasting, toolSchema } from './surface.ts'
import { hiddenIn, textsOf } from './texts.ts'
import {
  factOrigins,
  surfaceLists,
  type DeclaredServer,
  type DeclaredTransport,
  type Fact,
  type FactDifference,
  type FactOrigin,
  type ItemDifference,
  type ObservedSurface,
  type Provenance,
  type ServerIdentity,
  type Surface,
  type SurfaceList,
  type SurfaceMatch,
  type Transport,
} from './types.ts'

/** What was observed of an endpoint, and how. */
export interface Observed extends Pick<ObservedSurface, 'identity' | 'surface' | 'fingerprint'> {
  readonly transport: Transport
  readonly address: string | null
  /** When, as an instant in ISO 8601. */
  readonly at: string
}

type Warning = Fact['warnings'][number]

const kinds = { tools: 'tool', resources: 'resource', resourceTemplates: 'template', prompts: 'prompt' } as const

const originOf = (declared: boolean, observed: boolean, isSame: boolean): FactOrigin => {
  if (declared && observed) return isSame ? 'both' : 'conflicts'
  return declared ? 'declared' : 'observed'
}

const present = (identity: ServerIdentity): JsonObject =>
  Object.fromEntries(Object.entries(identity).filter((it): it is [string, string] => it[1] !== null))

/** "com.example/orders" is the name in a registry of what calls itself "orders". */
const isSameMember = (key: string, a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (key === 'name' && typeof a === 'string' && a.split('/').at(-1) === b)

/** What the server says it is: both sides conflict only in what both say. */
function identityFact(declared: ServerIdentity | null, observed: Observed | null): Fact[] {
  const [a, b] = [declared === null ? {} : present(declared), observed === null ? {} : present(observed.identity)]
  const [hasA, hasB] = [Object.keys(a).length > 0, Object.keys(b).length > 0]
  if (!hasA && !hasB) return []
  const isSame = Object.keys(a).every((key) => b[key] === undefined || isSameMember(key, a[key], b[key]))
  const hidden = hiddenIn(Object.values({ ...a, ...b }).join('\n'))
  return [
    {
      kind: 'identity',
      key: 'server',
      origin: originOf(hasA, hasB, isSame),
      ...(hasA ? { declared: a } : {}),
      ...(hasB ? { observed: b, observedAt: observed?.at ?? '' } : {}),
      warnings: hidden.length === 0 ? [] : [hiddenWarning('Its name or description', hidden)],
    },
  ]
}

const wayOf = ({ type, address }: { readonly type: Transport; readonly address: string | null }): JsonObject =>
  address === null ? { type } : { type, address }

function transportFacts(declared: readonly DeclaredTransport[], observed: Observed | null): Fact[] {
  const seen = observed === null ? null : { type: observed.transport, address: observed.address }
  const isSeen = (it: DeclaredTransport): boolean => seen !== null && it.address === seen.address
  const matched = declared.find((it) => isSeen(it) && it.type === seen?.type) ?? declared.find(isSeen)
  const facts = declared.map((entry): Fact => {
    const isMatched = seen !== null && entry === matched
    const warnings: Warning[] =
      entry.variables.length === 0
        ? []
        : [
            {
              code: 'template-address',
              message: `The address has variables (${entry.variables.join(', ')}): it cannot be observed until they are filled in.`,
            },
          ]
    return {
      kind: 'transport',
      key: entry.address ?? entry.type,
      origin: originOf(true, isMatched, entry.type === seen?.type),
      declared: wayOf(entry),
      ...(isMatched ? { observed: wayOf(seen), observedAt: observed?.at ?? '' } : {}),
      warnings,
    }
  })
  if (seen === null || matched !== undefined) return facts
  return [
    ...facts,
    {
      kind: 'transport',
      key: seen.address ?? seen.type,
      origin: 'observed',
      observed: wayOf(seen),
      observedAt: observed?.at ?? '',
      warnings: [],
    },
  ]
}

const isPinned = (version: string | null): boolean =>
  version !== null && !/^(?:latest|next|\*|x)$|[\^~<>*|]/i.test(version)

const packageFacts = (packages: DeclaredServer['packages']): Fact[] =>
  packages.map((entry) => ({
    kind: 'package',
    key: `${entry.registry}:${entry.identifier}`,
    origin: 'declared',
    declared: { registry: entry.registry, identifier: entry.identifier, version: entry.version },
    warnings:
      isPinned(entry.version) || entry.registry === 'mcpb' || /[:@][^/]+$/.test(entry.identifier.replace(/^@/, ''))
        ? []
        : [
            {
              code: 'package-not-pinned',
              message: 'The package has no exact version: what runs is not what was reviewed.',
            },
          ],
  }))

const hiddenWarning = (what: string, hidden: readonly string[]): Warning => ({
  code: 'hidden-text',
  message: `${what} contains ${hidden.join(', ')}.`,
})

/** What hides in the texts of an item, and in its name. */
function hiddenWarnings(item: JsonObject): Warning[] {
  return [...textsOf(item)]
    .map(([pointer, text]) => [pointer, hiddenIn(text)] as const)
    .filter(([, hidden]) => hidden.length > 0)
    .slice(0, 5)
    .map(([pointer, hidden]) => hiddenWarning(`\`${pointer}\``, hidden))
}

/** What a manifest without schemas says of a tool; the same part of what was observed. */
function outline(tool: JsonObject): JsonObject {
  const input = toolSchema(tool, 'input')
  const properties = isObject(input) && isObject(input.properties) ? Object.keys(input.properties).sort() : null
  const names = Array.isArray(tool.arguments)
    ? (tool.arguments as readonly Json[]).map((it) => (isObject(it) ? String(it.name) : String(it))).sort()
    : null
  return {
    ...(tool.name === undefined ? {} : { name: tool.name }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(names === null && properties === null ? {} : { arguments: names ?? properties ?? [] }),
  }
}

/** Both forms of a tool, reduced to what an incomplete declaration says. */
function outlines(declared: JsonObject, observed: JsonObject): readonly [JsonObject, JsonObject] {
  const [a, b] = [outline(declared), outline(observed)]
  const common = (it: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(it).filter(([key]) => Object.hasOwn(a, key)))
  return [a, common(b)]
}

const mostChanges = 10

const differenceOf = ({ severity, changes }: ItemDifference): FactDifference => ({
  severity,
  changes: changes.slice(0, mostChanges),
  witness: changes.find((it) => it.witness !== null)?.witness ?? null,
})

const annotationWarnings = (item: ItemDifference | undefined): Warning[] =>
  (item?.changes ?? [])
    .filter((it) => it.id === 'tool-annotation-changed')
    .map((it) => ({ code: 'annotation-changed', message: `${it.message}.` }))

const isSameText = (a: JsonObject, b: JsonObject): boolean => canonicalize(a) === canonicalize(b)

/** The last of several items of one name, and the names that are there several times. */
function byKey(list: SurfaceList, surface: Surface | null) {
  const items = new Map<string, JsonObject>()
  const repeated = new Set<string>()
  for (const item of surface?.[list] ?? []) {
    const key = itemKey(list, item)
    if (items.has(key)) repeated.add(key)
    items.set(key, item)
  }
  return { items, repeated }
}

/** The surfaces of both sides as far as they can be compared: tools that are declared without a schema are reduced. */
function comparable(declared: Surface, observed: Surface): readonly [Surface, Surface] {
  const known = byKey('tools', declared).items
  const pairs = observed.tools.map((tool): readonly [JsonObject | null, JsonObject] => {
    const other = known.get(itemKey('tools', tool))
    if (other === undefined) return [null, tool]
    return isObject(toolSchema(other, 'input')) ? [other, tool] : outlines(other, tool)
  })
  const seen = byKey('tools', observed).items
  const kept = declared.tools.filter((it) => !seen.has(itemKey('tools', it)))
  return [
    { ...declared, tools: [...pairs.flatMap(([a]) => (a === null ? [] : [a])), ...kept] },
    { ...observed, tools: pairs.map(([, b]) => b) },
  ]
}

function itemFacts(declared: DeclaredServer | null, observed: Observed | null): Fact[] {
  const [a, b] = [declared?.surface ?? null, observed?.surface ?? null]
  const [left, right] = a !== null && b !== null ? comparable(a, b) : [a, b]
  const compared = left === null || right === null ? null : compareSurfaces(left, right, Number.POSITIVE_INFINITY)
  const differences = new Map((compared?.items ?? []).map((it) => [`${it.kind} ${it.key}`, it]))
  return surfaceLists.flatMap((list) => {
    const [x, y] = [byKey(list, a), byKey(list, b)]
    const [reducedX, reducedY] = [byKey(list, left).items, byKey(list, right).items]
    return [...new Set([...x.items.keys(), ...y.items.keys()])].sort().map((key): Fact => {
      const [one, other] = [x.items.get(key), y.items.get(key)]
      const [p, q] = [reducedX.get(key), reducedY.get(key)]
      const isSame = p !== undefined && q !== undefined && isSameText(lasting(list, p), lasting(list, q))
      const difference = isSame ? undefined : differences.get(`${kinds[list]} ${key}`)
      const isConflict = one !== undefined && other !== undefined && !isSame
      const repeated = x.repeated.has(key) || y.repeated.has(key)
      const shown = other ?? one
      return {
        kind: kinds[list],
        key,
        origin: originOf(one !== undefined, other !== undefined, isSame),
        ...(one === undefined ? {} : { declared: one }),
        ...(other === undefined ? {} : { observed: other, observedAt: observed?.at ?? '' }),
        ...(isConflict && difference !== undefined ? { difference: differenceOf(difference) } : {}),
        warnings: [
          ...(shown === undefined ? [] : hiddenWarnings(shown)),
          ...(isConflict ? annotationWarnings(difference) : []),
          ...(repeated
            ? [{ code: 'duplicate-name', message: 'There are several of this name; the last one is shown.' }]
            : []),
        ],
      }
    })
  })
}

function matchOf(declared: DeclaredServer | null, observed: Observed | null, isSame: boolean): SurfaceMatch {
  if (declared === null) return observed === null ? 'none' : 'observed_only'
  if (observed === null) return 'declared_only'
  if (declared.surface === null) return 'observed_only'
  return isSame ? 'identical' : 'divergent'
}

/**
 * Where what is known of a server comes from: its identity first, then transports, packages, tools, resources,
 * templates and prompts. A fact whose declared and observed values differ reads `conflicts` and has both, with what changed between
 * them. The match compares tools, resources and prompts alone: the name of the server does not make it divergent.
 *
 * @param declared the declaration that is not superseded; null for none
 * @param observed the last observation; null for none
 */
export function factsOf(declared: DeclaredServer | null, observed: Observed | null): Provenance {
  const facts = [
    ...identityFact(declared?.identity ?? null, observed),
    ...transportFacts(declared?.transports ?? [], observed),
    ...packageFacts(declared?.packages ?? []),
    ...itemFacts(declared, observed),
  ]
  const declaredFingerprint = declared?.fingerprint?.wire ?? null
  const observedFingerprint = observed?.fingerprint.wire ?? null
  const fingerprintsMatch = declaredFingerprint !== null && declaredFingerprint === observedFingerprint
  const originCounts = Object.fromEntries(
    factOrigins.map((origin) => [origin, facts.filter((it) => it.origin === origin).length]),
  ) as Record<FactOrigin, number>
  return {
    surfaceMatch: matchOf(declared, observed, fingerprintsMatch),
    declaredFingerprint,
    observedFingerprint,
    fingerprintsMatch,
    originCounts,
    conflictCount: originCounts.conflicts,
    facts,
  }
}

/** How many tools, resources, templates and prompts are declared otherwise than observed: what makes an endpoint `conflicting`. */
export const surfaceConflicts = ({ facts }: Pick<Provenance, 'facts'>): number =>
  facts.filter((it) => it.origin === 'conflicts' && !['identity', 'transport', 'package'].includes(it.kind)).length
