/** Several descriptions as one: every operation means what it meant in its own description. */
import { isEqual } from '../anchors/equal-nodes.ts'
import { visitNodes } from '../document/references-in-document.ts'
import { entriesOf, isObject, listOf, objectOf, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import { componentsUsedBy, keyOf, renamed, type ComponentKey, type Renames } from './renames.ts'

/** A description that is joined: OpenAPI 3, of one document, and what its names get where another description has them too. */
export interface JoinSource {
  readonly name: string
  readonly value: JsonObject
  /** Put ahead of the names of components and operations that mean something else in a description before it. */
  readonly prefix: string
  /** Put ahead of every path: "/shop"; "" for none. */
  readonly pathPrefix: string
}

/** What had the same name in two descriptions and is not the same. */
export interface JoinConflict {
  readonly kind: 'operation' | 'path' | 'webhook' | 'component' | 'operation id' | 'tag' | 'document'
  /** "GET /pets", "schema Pet", "operationId listPets", "tag pets", "jsonSchemaDialect". */
  readonly subject: string
  /** The description that came first, and the one that has something else. */
  readonly first: string
  readonly second: string
  /** The name in the result where that solves it; null where nothing does, or that of the first is kept. */
  readonly renamedTo: string | null
  /** Whether the descriptions cannot be joined because of it. */
  readonly isFatal: boolean
}

/** Several descriptions as one. */
export interface Joined {
  readonly value: JsonObject
  readonly conflicts: readonly JoinConflict[]
  /** Components that several descriptions have, and the result once. */
  readonly shared: readonly ComponentKey[]
}

type Writable = Record<string, Json>

const componentsOf = (value: JsonObject): JsonObject => objectOf(value.components)

function* componentEntries(value: JsonObject): Generator<readonly [section: string, name: string, component: Json]> {
  for (const [section, map] of entriesOf(componentsOf(value)))
    if (isObject(map) && !section.startsWith('x-'))
      for (const [name, it] of Object.entries(map)) yield [section, name, it]
}

const componentAt = (value: JsonObject, section: string, name: string): Json | undefined => {
  const map = componentsOf(value)[section]
  return isObject(map) && Object.hasOwn(map, name) ? map[name] : undefined
}

/** The operations of an object of paths or webhooks, with their places below it. */
function* operationsOf(
  items: Json | undefined,
): Generator<readonly [path: string, method: string, operation: JsonObject]> {
  for (const [path, item] of entriesOf(items)) {
    for (const [method, it] of entriesOf(item)) if (isMethod(method) && isObject(it)) yield [path, method, it]
    for (const [method, it] of entriesOf(objectOf(item).additionalOperations))
      if (isObject(it)) yield [path, method, it]
  }
}

const singular = (section: string): string =>
  section
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace('requestBodie', 'requestBody')

/** Joins descriptions one by one to the first. */
class Join {
  readonly conflicts: JoinConflict[] = []
  readonly shared = new Set<ComponentKey>()
  readonly value: Writable
  readonly #first: JoinSource
  /** Who brought an operationId, a component, a path. */
  readonly #owners = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(first: JoinSource) {
    this.#first = first
    this.value = {
      ...renamed(first.value, { components: new Map(), operationIds: new Map(), pathPrefix: first.pathPrefix }),
    }
    this.#own(first.name, this.value)
  }

  #own(name: string, value: JsonObject): void {
    const add = (key: string): void => void (this.#owners.has(key) || this.#owners.set(key, name))
    for (const [section, component] of componentEntries(value)) add(`component ${keyOf(section, component)}`)
    for (const items of ['paths', 'webhooks'])
      for (const [path, , operation] of operationsOf(value[items])) {
        add(`${items} ${path}`)
        if (typeof operation.operationId === 'string') {
          this.#taken.add(operation.operationId)
          add(`id ${operation.operationId}`)
        }
      }
    for (const tag of listOf(value.tags)) add(`tag ${String(objectOf(tag).name)}`)
  }

  #report(
    second: JoinSource,
    key: string,
    conflict: Pick<JoinConflict, 'kind' | 'subject'> & Partial<JoinConflict>,
  ): void {
    this.conflicts.push({
      first: this.#owners.get(key) ?? this.#first.name,
      second: second.name,
      renamedTo: null,
      isFatal: false,
      ...conflict,
    })
  }

  add(source: JoinSource): void {
    const renames = this.#renamesFor(source)
    const other = renamed(source.value, renames)
    this.#sameKeyword(source, other, 'jsonSchemaDialect')
    this.#pushDown(other)
    this.#identifiers(source, other)
    this.#paths(source, other, 'paths')
    this.#paths(source, other, 'webhooks')
    this.#components(other)
    this.#tags(source, other)
    for (const [key, it] of Object.entries(other))
      if (key.startsWith('x-')) {
        if (!Object.hasOwn(this.value, key)) this.value[key] = it
        else if (!isEqual(this.value[key]!, it)) this.#report(source, key, { kind: 'document', subject: key })
      }
    this.#own(source.name, other)
  }

  /** A component that is the same, and only refers to what is the same, is shared; any other one of a known name gets another. */
  #renamesFor(source: JoinSource): Renames {
    const { value, prefix } = source
    const differing = new Set<ComponentKey>()
    const common = new Map<ComponentKey, readonly [section: string, name: string]>()
    const used = new Map<ComponentKey, ReadonlySet<ComponentKey>>()
    for (const [section, name, component] of componentEntries(value)) {
      const known = componentAt(this.value, section, name)
      if (known === undefined) continue
      const key = keyOf(section, name)
      common.set(key, [section, name])
      used.set(key, componentsUsedBy(value, section, name))
      if (!isEqual(known, component)) differing.add(key)
    }
    // What refers to something that gets another name is not the same either.
    for (let before = -1; before !== differing.size;) {
      before = differing.size
      for (const key of common.keys()) if ([...used.get(key)!].some((it) => differing.has(it))) differing.add(key)
    }
    const components = new Map<ComponentKey, string>()
    for (const [key, [section, name]] of common) {
      if (!differing.has(key)) {
        this.shared.add(key)
        continue
      }
      const isTaken = (it: string): boolean =>
        componentAt(this.value, section, it) !== undefined || componentAt(value, section, it) !== undefined
      const to = freeName(`${prefix}_${name}`, isTaken)
      components.set(key, to)
      this.#report(source, `component ${key}`, {
        kind: 'component',
        subject: `${singular(section)} ${name}`,
        renamedTo: to,
      })
    }
    return { components, operationIds: this.#idsFor(source), pathPrefix: source.pathPrefix }
  }

  #idsFor(source: JoinSource): ReadonlyMap<string, string> {
    const ids = new Map<string, string>()
    const own = new Set<string>()
    const all = ['paths', 'webhooks'].flatMap((items) => [...operationsOf(source.value[items])])
    for (const [, , { operationId }] of all) if (typeof operationId === 'string') own.add(operationId)
    for (const [path, method, operation] of all) {
      const id = operation.operationId
      if (typeof id !== 'string' || !this.#taken.has(id) || ids.has(id)) continue
      // The very same operation, in both: there is no second one to name.
      const known = objectOf(objectOf(this.value.paths)[source.pathPrefix + path])[method]
      if (known !== undefined && isEqual(known, operation)) continue
      const to = freeName(`${source.prefix}_${id}`, (it) => this.#taken.has(it) || own.has(it))
      ids.set(id, to)
      this.#report(source, `id ${id}`, { kind: 'operation id', subject: `operationId ${id}`, renamedTo: to })
    }
    return ids
  }

  #sameKeyword(source: JoinSource, other: JsonObject, keyword: string): void {
    if (!isEqual(this.value[keyword] ?? null, other[keyword] ?? null))
      this.#report(source, keyword, { kind: 'document', subject: keyword, isFatal: true })
  }

  /** What a description says for all of its operations is said by each of them, where the result says something else for all. */
  #pushDown(other: JsonObject): void {
    const servers = other.servers ?? [{ url: '/' }]
    const ownServers = !isEqual(servers, this.value.servers ?? [{ url: '/' }])
    const security = other.security ?? []
    const ownSecurity = !isEqual(security, this.value.security ?? [])
    for (const items of ['paths', 'webhooks'])
      for (const [name, item] of entriesOf(other[items])) {
        if (!isObject(item) || name.startsWith('x-')) continue
        const own: Writable = item
        if (ownServers && items === 'paths' && item.servers === undefined) own.servers = servers
      }
    if (ownSecurity)
      for (const items of ['paths', 'webhooks'])
        for (const [, , operation] of operationsOf(other[items])) {
          const own: Writable = operation
          own.security ??= security
        }
  }

  /** Identifiers and anchors of schemas name one schema in the whole document. */
  #identifiers(source: JoinSource, other: JsonObject): void {
    const known = identifiersIn(this.value)
    for (const [name, schema] of identifiersIn(other)) {
      const before = known.get(name)
      if (before !== undefined && !isEqual(before, schema))
        this.#report(source, name, { kind: 'component', subject: `schema with ${name}`, isFatal: true })
    }
  }

  #paths(source: JoinSource, other: JsonObject, items: 'paths' | 'webhooks'): void {
    if (!isObject(other[items])) return
    const into: Writable = { ...objectOf(this.value[items]) }
    for (const [name, item] of Object.entries(other[items])) {
      const known = into[name]
      const same = known === undefined && items === 'paths' ? sameTemplate(into, name) : undefined
      if (same !== undefined)
        this.#report(source, `paths ${same}`, {
          kind: 'path',
          subject: `${name}, which matches the URLs of ${same}`,
          isFatal: true,
        })
      if (known === undefined) into[name] = item
      else if (isObject(known) && isObject(item)) into[name] = this.#item(source, items, name, known, item)
    }
    this.value[items] = into
  }

  /** A path that both have: their operations, where what they say for all of them is the same. */
  #item(source: JoinSource, items: string, name: string, known: JsonObject, item: JsonObject): JsonObject {
    const key = `${items} ${name}`
    const kind = items === 'paths' ? 'path' : 'webhook'
    // What differs for all operations of the path is said by each of them.
    const differs = itemWords.some((word) => !isEqual(known[word] ?? null, item[word] ?? null))
    const [before, after] = differs ? [spread(known), spread(item)] : [known, item]
    const operations = new Map<string, Json>()
    for (const [word, it] of [...entriesOf(before), ...entriesOf(after)]) {
      const first = operations.get(word)
      if (first === undefined) operations.set(word, it)
      else if (isEqual(first, it)) continue
      else if (isMethod(word) || word === 'additionalOperations')
        this.#report(source, key, {
          kind: kind === 'path' ? 'operation' : kind,
          subject: kind === 'path' ? `${word.toUpperCase()} ${name}` : `webhook ${name}`,
          isFatal: true,
        })
      else this.#report(source, key, { kind, subject: `${word} of ${name}`, isFatal: word === '$ref' })
    }
    return Object.fromEntries(operations)
  }

  #components(other: JsonObject): void {
    const into: Writable = { ...componentsOf(this.value) }
    for (const [section, map] of entriesOf(componentsOf(other))) {
      const own = objectOf(into[section])
      // What is there comes first and stays.
      into[section] = isObject(map) ? { ...own, ...map, ...own } : (into[section] ?? map)
    }
    if (Object.keys(into).length > 0) this.value.components = into
  }

  #tags(source: JoinSource, other: JsonObject): void {
    const tags = [...listOf(this.value.tags)]
    for (const tag of listOf(other.tags)) {
      const name = String(objectOf(tag).name)
      const known = tags.find((it) => String(objectOf(it).name) === name)
      if (known === undefined) tags.push(tag)
      else if (!isEqual(known, tag)) this.#report(source, `tag ${name}`, { kind: 'tag', subject: `tag ${name}` })
    }
    if (tags.length > 0) this.value.tags = tags
  }
}

/** Another path that matches the same URLs. */
function sameTemplate(paths: JsonObject, name: string): string | undefined {
  const shape = (it: string): string => it.replaceAll(/\{[^}]*\}/g, '{}')
  return name.includes('{') ? Object.keys(paths).find((it) => it !== name && shape(it) === shape(name)) : undefined
}

/** What a path item says for all of its operations. */
const itemWords = ['servers', 'parameters'] as const

/** The parameters of an operation with those of its path that it does not have itself. */
function withParameters(own: readonly Json[], shared: readonly Json[]): readonly Json[] {
  const nameOf = (it: Json): string =>
    JSON.stringify([objectOf(it).in ?? null, objectOf(it).name ?? null, objectOf(it).$ref ?? null])
  const known = new Set(own.map(nameOf))
  return [...own, ...shared.filter((it) => !known.has(nameOf(it)))]
}

/** A path item whose operations say themselves what it says for all of them. */
function spread(item: JsonObject): JsonObject {
  const { servers, parameters, ...others } = item
  const entries = Object.entries(others).map(([word, it]): [string, Json] => {
    if (!isMethod(word) || !isObject(it)) return [word, it]
    const all = withParameters(listOf(it.parameters), listOf(parameters))
    return [
      word,
      {
        ...it,
        ...(it.servers === undefined && servers !== undefined ? { servers } : {}),
        ...(all.length === 0 ? {} : { parameters: all }),
      },
    ]
  })
  return Object.fromEntries(entries)
}

function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  const name = wanted.replaceAll(/[^\w.-]/g, '_')
  let free = name
  for (let at = 2; isTaken(free); at++) free = `${name}_${at}`
  return free
}

/** The schemas of a document that have an identifier or an anchor, by what they are called. */
function identifiersIn(value: JsonObject): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>()
  visitNodes(value, (node: JsonObject, _: Path, at) => {
    if (typeof node.$id === 'string') found.set(`$id ${node.$id}`, node)
    if (at.up !== null) return
    for (const word of ['$anchor', '$dynamicAnchor'])
      if (typeof node[word] === 'string') found.set(`${word} ${node[word]}`, node)
  })
  return found
}

/**
 * Joins descriptions of one version of OpenAPI 3, each of one document: paths, webhooks and components of all, and the title, servers and security
 * of the first. Components that are the same are there once; others of the same name get the prefix of their description. What one
 * description says for all of its operations is written to each of them where the first says something else.
 * @param sources at least one; the first is what the others are joined to
 * @returns the description, with what was in conflict: those that are fatal leave no description in which every operation means the same
 */
export function joinDescriptions(sources: readonly [JoinSource, ...JoinSource[]]): Joined {
  const [first, ...others] = sources
  const join = new Join(first)
  for (const it of others) join.add(it)
  return { value: join.value, conflicts: join.conflicts, shared: [...join.shared] }
}
