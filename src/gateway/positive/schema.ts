/**
 * Schemas of request bodies as the engine checks them: JSON Schema 2020-12, self-contained, expressions in RE2. What is written accepts
 * at least what the document describes; where it accepts more, it is not exact, and is then never written where that would make the whole accept less:
 * below "not", "if", "maxContains", or as one of several branches of which only one may hold.
 */
import { pointerOf, type PlacedValue } from '../../diff/side.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Dialect } from '../../schema/schema-source.ts'
import { Unsent } from '../../schema/unsent.ts'
import { SchemaPart, type Access, type Written } from './schema-part.ts'

/** A schema that a reference leads to, with the properties that are not sent although it asks for them. */
interface Target {
  readonly key: string
  readonly name: string
  readonly place: PlacedValue
  readonly unsent: ReadonlySet<string>
}

/** What is known about a target. */
interface Known extends Written {
  /** All targets that it refers to, and those about the same value. */
  readonly refers: ReadonlySet<string>
  readonly beside: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()
const deepest = 200
const lossless: Written = { schema: true, exact: true, blind: false }
const unknown: Written = { schema: true, exact: false, blind: true }

export interface SchemaSettings {
  readonly dialect: Dialect
  readonly find: (ref: string) => PlacedValue | null
  readonly lose: (path: Path, reason: string) => void
}

/** Writes the schemas of one document: first every body is surveyed, then each is written. */
export class SchemaWriter {
  private readonly settings: SchemaSettings
  private readonly unsent: Unsent
  private readonly targets = new Map<string, Target>()
  private readonly names = new Set<string>()
  private readonly known = new Map<string, Known>()
  private surveying = true
  /** Targets that are not exact, and those that are blind, once everything was surveyed. */
  private inexact: ReadonlySet<string> = none
  private blind: ReadonlySet<string> = none
  /** For each target the number of the circle of targets about the same value that it belongs to. */
  private circles: ReadonlyMap<string, number> = new Map()
  private current: { readonly refers: Set<string>; readonly beside: Set<string>; readonly key: string } = {
    refers: new Set(),
    beside: new Set(),
    key: '',
  }
  private isBeside = true

  constructor(settings: SchemaSettings) {
    this.settings = settings
    const { dialect, find } = settings
    const resolve = (ref: string) => {
      const found = find(ref)
      return found === null ? null : { key: pointerOf(found.path), schema: found.value }
    }
    this.unsent = new Unsent({ dialect, formats: 'asserted', resolve }, 'request')
  }

  /** Reads a body and everything that it refers to. */
  survey(place: PlacedValue): void {
    this.all(this.root(place))
  }

  /** Ends the survey: from now on it is known what is exact. */
  settle(circlesOf: (edges: ReadonlyMap<string, ReadonlySet<string>>) => ReadonlyMap<string, number>): void {
    this.circles = circlesOf(new Map([...this.known].map(([key, it]) => [key, it.beside])))
    const circular = [...this.known].filter(([key, it]) => [...it.beside].some((other) => this.isCircular(key, other)))
    const backwards = (edges: (it: Known) => ReadonlySet<string>, seeds: readonly string[]): ReadonlySet<string> => {
      const sources = new Map<string, string[]>()
      for (const [key, it] of this.known)
        for (const other of edges(it)) sources.set(other, [...(sources.get(other) ?? []), key])
      const found = new Set(seeds)
      for (const key of found) for (const source of sources.get(key) ?? []) found.add(source)
      return found
    }
    const keysOf = (isIn: (it: Known) => boolean): string[] =>
      [...this.known].filter(([, it]) => isIn(it)).map(([key]) => key)
    const cut = circular.map(([key]) => key)
    this.inexact = backwards((it) => it.refers, [...keysOf((it) => !it.exact), ...cut])
    this.blind = backwards((it) => it.beside, [...keysOf((it) => it.blind), ...cut])
    this.surveying = false
    this.known.clear()
  }

  /** The schema of a body with everything that it refers to; null where it accepts any value. */
  write(place: PlacedValue): JsonObject | null {
    const root = this.root(place)
    const { schema } = this.all(root)
    if (schema === true || (isObject(schema) && Object.keys(schema).length === 0)) return null
    const reached = new Set<string>()
    const queue = [...(this.known.get(root.key)?.refers ?? [])]
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      if (reached.has(key)) continue
      reached.add(key)
      queue.push(...(this.known.get(key)?.refers ?? []))
    }
    const definitions = [...reached]
      .map((key): [string, Json] => [this.targets.get(key)?.name ?? '', this.known.get(key)?.schema ?? true])
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const own = isObject(schema) ? schema : { not: {} }
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...own,
      ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
    }
  }

  private root(place: PlacedValue): Target {
    return { key: `root ${pointerOf(place.path)}`, name: '', place, unsent: none }
  }

  /** A target and all targets that it leads to, without recursion over references: chains have any length. */
  private all(first: Target): Known {
    const queue = [first]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (this.known.has(next.key)) continue
      const known = this.one(next)
      this.known.set(next.key, known)
      for (const key of known.refers) {
        const target = this.targets.get(key)
        if (target) queue.push(target)
      }
    }
    return this.known.get(first.key) as Known
  }

  private one(target: Target): Known {
    this.current = { refers: new Set(), beside: new Set(), key: target.key }
    this.isBeside = true
    const written = this.schema(target.place.value, target.place.path, target.unsent, 0)
    return { ...written, refers: this.current.refers, beside: this.current.beside }
  }

  private isCircular(from: string, to: string): boolean {
    const own = this.circles.get(from)
    return own !== undefined && own === this.circles.get(to)
  }

  private lose(path: Path, reason: string): void {
    if (!this.surveying) this.settings.lose(path, reason)
  }

  /** A schema about another value than the one around it. */
  private inner(schema: Json | undefined, path: Path, depth: number): Written {
    const before = this.isBeside
    this.isBeside = false
    const written = this.schema(schema, path, none, depth + 1)
    this.isBeside = before
    return written
  }

  /** A schema about the same value. */
  private part(schema: Json | undefined, path: Path, unsent: ReadonlySet<string>, depth: number): Written {
    const named = unsent.size === 0 || schema === undefined ? unsent : this.unsent.within(schema, unsent)
    return this.schema(schema, path, named, depth + 1)
  }

  private schema(schema: Json | undefined, path: Path, outer: ReadonlySet<string>, depth: number): Written {
    if (schema === true || schema === undefined) return lossless
    if (schema === false) return { ...lossless, schema: false }
    if (!isObject(schema) || depth > deepest) {
      this.lose(path, 'It is not a schema that can be read.')
      return unknown
    }
    const own = this.unsent.namesOf(schema)
    const unsent = outer.size === 0 ? own : new Set([...outer, ...own])
    return new SchemaPart(this.access, schema, path, unsent, depth).write()
  }

  /** What the keywords of one schema need of the whole. */
  private readonly access: Access = {
    dialect: () => this.settings.dialect,
    lose: (path, reason) => this.lose(path, reason),
    inner: (schema, path, depth) => this.inner(schema, path, depth),
    part: (schema, path, unsent, depth) => this.part(schema, path, unsent, depth),
    reference: (ref, path, unsent) => this.reference(ref, path, unsent),
  }

  private reference(ref: string, path: Path, unsent: ReadonlySet<string>): Written {
    const place = this.settings.find(ref)
    if (place === null) {
      this.lose(path, `Its reference "${ref}" cannot be resolved.`)
      return unknown
    }
    const names = unsent.size === 0 ? none : this.unsent.within(place.value, unsent)
    const key = [pointerOf(place.path), ...[...names].sort()].join(' ')
    const target = this.targets.get(key) ?? { key, name: this.nameOf(place), place, unsent: names }
    this.targets.set(key, target)
    if (!this.surveying && this.isBeside && this.isCircular(this.current.key, key)) {
      this.lose(path, 'It refers to itself about the same value, which the engine would follow without end.')
      return unknown
    }
    this.current.refers.add(key)
    if (this.isBeside) this.current.beside.add(key)
    return { schema: { $ref: `#/$defs/${target.name}` }, exact: !this.inexact.has(key), blind: this.blind.has(key) }
  }

  private nameOf({ path }: PlacedValue): string {
    const plain = String(path.at(-1) ?? 'root').replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = plain
    for (let i = 2; this.names.has(name); i++) name = `${plain}_${i}`
    this.names.add(name)
    return name
  }
}
