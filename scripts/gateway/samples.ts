/** Values that a schema describes, and values beside them that it does not. */
import { pointerOf, type PlacedValue, type Side } from '../../src/diff/side.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../src/kernel/json.ts'
import { formatSamples } from '../../src/schema/accepts.ts'
import { Effort } from '../../src/schema/effort.ts'
import { NodeFactory } from '../../src/schema/node.ts'
import { Normaliser } from '../../src/schema/normalise.ts'
import { compilePattern, findString } from '../../src/schema/pattern.ts'
import type { SchemaSource } from '../../src/schema/schema-source.ts'
import { Solver } from '../../src/schema/solver.ts'
import { Unsent } from '../../src/schema/unsent.ts'
import { isValid, type Dialect } from '../../src/schema/validate.ts'

const deepest = 4

const dialects: Readonly<Record<string, Dialect>> = { 'swagger-2.0': 'openapi-2.0', 'openapi-3.0': 'openapi-3.0' }

/** Samples of the schemas of one document, as a request sends them. */
export class Samples {
  private readonly side: Side
  private readonly unsent: Unsent
  private readonly source: SchemaSource

  constructor(side: Side) {
    this.side = side
    const resolve = (ref: string) => {
      const found = side.find(ref)
      return found === null ? null : { key: pointerOf(found.path), schema: found.value }
    }
    this.source = { dialect: side.dialect, formats: 'asserted', resolve }
    this.unsent = new Unsent(this.source, 'request')
  }

  /** Whether a request may send the value. */
  isValid(schema: Json, value: Json): boolean {
    const dialect = dialects[this.side.dialect] ?? (this.side.dialect as Dialect)
    return isValid(schema, value, { root: this.side.root, dialect, mode: 'request', ...linkedOf(this.side) })
  }

  /** A value of the schema with as much in it as is easily found; undefined where none was found. */
  of({ value: schema }: PlacedValue): Json | undefined {
    for (const full of [true, false]) {
      const made = this.make(schema, 0, full)
      if (made !== undefined && this.isValid(schema, made)) return made
    }
    return this.solved(schema)
  }

  private solved(schema: Json): Json | undefined {
    const factory = new NodeFactory()
    const normaliser = new Normaliser(factory, this.source, 'request', (key) => key)
    const resolve = (key: string) => normaliser.node(normaliser.targets.get(key))
    const answer = new Solver(factory, resolve, 'yes', new Effort(20_000)).ask([normaliser.node(schema).id])
    return answer.is === 'found' && this.isValid(schema, answer.value) ? answer.value : undefined
  }

  private partsOf(schema: Json, depth = 0): JsonObject[] {
    if (!isObject(schema) || depth > 12) return []
    const target = typeof schema.$ref === 'string' ? this.side.find(schema.$ref) : null
    const all = Array.isArray(schema.allOf) ? (schema.allOf as readonly Json[]) : []
    return [
      ...(target ? this.partsOf(target.value, depth + 1) : []),
      ...all.flatMap((it) => this.partsOf(it, depth + 1)),
      schema,
    ]
  }

  private make(schema: Json, depth: number, full: boolean): Json | undefined {
    if (schema === false) return undefined
    const parts = this.partsOf(schema)
    for (const part of parts)
      for (const it of [
        part.const,
        part.example,
        part.default,
        ...(Array.isArray(part.examples) ? part.examples : []),
        ...(Array.isArray(part.enum) ? part.enum : []),
      ] as (Json | undefined)[])
        if (it !== undefined && this.isValid(schema, it)) return it
    for (const part of parts)
      for (const word of ['oneOf', 'anyOf'])
        if (Array.isArray(part[word]) && part.type !== 'object' && part.properties === undefined)
          for (const branch of part[word] as readonly Json[]) {
            const made = this.make(branch, depth + 1, full)
            if (made !== undefined && this.isValid(schema, made)) return made
          }
    const types = parts.flatMap((it) => (Array.isArray(it.type) ? (it.type as readonly Json[]) : [it.type ?? '']))
    const type = types.find((it) => it !== '' && it !== 'null') ?? (parts.some((it) => it.properties) ? 'object' : '')
    return this.typed(String(type), schema, parts, depth, full)
  }

  private typed(
    type: string,
    schema: Json,
    parts: readonly JsonObject[],
    depth: number,
    full: boolean,
  ): Json | undefined {
    switch (type) {
      case 'object':
        return this.object(parts, depth, full)
      case 'array':
        return this.array(parts, depth, full)
      case 'boolean':
        return true
      case 'integer':
      case 'number':
        return this.first(schema, [
          1,
          0,
          10,
          100,
          2,
          5,
          60,
          1000,
          ...parts.flatMap((it) => [it.minimum, it.maximum, it.multipleOf].filter((one) => typeof one === 'number')),
        ])
      default:
        return this.text(schema, parts)
    }
  }

  private first(schema: Json, candidates: readonly Json[]): Json | undefined {
    return candidates.find((it) => this.isValid(schema, it))
  }

  private text(schema: Json, parts: readonly JsonObject[]): Json | undefined {
    const formats = parts.flatMap((it) => formatSamples.get(String(it.format)) ?? [])
    const patterns = parts
      .flatMap((it) => (typeof it.pattern === 'string' ? [compilePattern(it.pattern)] : []))
      .filter((it) => it !== null)
    const lengths = parts.map((it) => (typeof it.minLength === 'number' ? it.minLength : 0))
    const least = Math.max(0, ...lengths)
    const most = Math.min(200, ...parts.map((it) => (typeof it.maxLength === 'number' ? it.maxLength : 200)))
    const found =
      patterns.length === 0
        ? null
        : findString({ all: patterns, none: [], min: least, max: Math.max(least, most) }, () => {})
    return this.first(schema, [
      'a',
      'ab',
      'abc',
      ...formats,
      ...(typeof found === 'string' ? [found] : []),
      'a'.repeat(least),
      '',
    ])
  }

  private array(parts: readonly JsonObject[], depth: number, full: boolean): Json | undefined {
    const items = parts.find((it) => it.items !== undefined)?.items
    const least = Math.max(
      full && depth < deepest ? 1 : 0,
      ...parts.map((it) => (typeof it.minItems === 'number' ? it.minItems : 0)),
    )
    const item = this.make(items ?? true, depth + 1, full)
    return item === undefined ? [] : Array.from({ length: Math.min(least, 50) }, () => item)
  }

  private object(parts: readonly JsonObject[], depth: number, full: boolean): Json {
    const required = new Set(
      parts.flatMap((it) => (Array.isArray(it.required) ? (it.required as readonly Json[]).map(String) : [])),
    )
    const made: Record<string, Json> = {}
    for (const part of parts) {
      const unsent = this.unsent.namesOf(part)
      for (const [name, it] of Object.entries(isObject(part.properties) ? part.properties : {})) {
        if (unsent.has(name) || this.unsent.isUnsent(it)) continue
        if (!required.has(name) && (!full || depth >= deepest)) continue
        if (depth > deepest * 2) continue
        const value = this.make(it, depth + 1, full)
        if (value !== undefined && (required.has(name) || this.isValid(it, value))) made[name] = value
      }
      // A branch adds what it asks for.
      for (const word of ['oneOf', 'anyOf'])
        for (const branch of (Array.isArray(part[word]) ? (part[word] as readonly Json[]) : []).slice(0, 1)) {
          const value = this.make(branch, depth + 1, full)
          if (isObject(value)) Object.assign(made, value)
        }
    }
    return made
  }

  /** Values beside one that the schema does not describe, at most so many. */
  beside({ value: schema }: PlacedValue, sample: Json, most: number): Json[] {
    const found = new Map<string, Json>()
    for (const path of pathsIn(sample).slice(0, 60))
      for (const changed of changesAt(sample, path)) {
        if (found.size >= most) return [...found.values()]
        const key = JSON.stringify(changed)
        if (!found.has(key) && !this.isValid(schema, changed)) found.set(key, changed)
      }
    return [...found.values()]
  }

  /** The places of everything that a schema consists of. */
  reachOf(place: PlacedValue): string[] {
    const found = new Map<string, PlacedValue>()
    const queue: PlacedValue[] = [place]
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const key = pointerOf(at.path)
      if (found.has(key)) continue
      found.set(key, at)
      for (const ref of refsIn(at.value)) {
        const target = this.side.find(ref)
        if (target) queue.push(target)
      }
    }
    return [...found.keys()]
  }
}

const linkedOf = (side: Side) => {
  const { linker } = side
  return linker === null ? {} : { linked: linker }
}

function refsIn(value: Json): string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(refsIn)
  if (!isObject(value)) return []
  return [...(typeof value.$ref === 'string' ? [value.$ref] : []), ...Object.values(value).flatMap(refsIn)]
}

const pathsIn = (value: Json, path: Path = []): Path[] => [
  path,
  ...(Array.isArray(value)
    ? (value as readonly Json[]).slice(0, 2).flatMap((it, i) => pathsIn(it, [...path, i]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, it]) => pathsIn(it, [...path, key]))
      : []),
]

/** The whole with another value at a path; undefined removes what is there. */
function withAt(value: Json, path: Path, change: (it: Json) => Json | undefined): Json | undefined {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    const inner = withAt(items[Number(step)] ?? null, rest, change)
    return items.flatMap((it, i) => (i === Number(step) ? (inner === undefined ? [] : [inner]) : [it]))
  }
  if (!isObject(value)) return value
  const inner = withAt(value[step] ?? null, rest, change)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, it]): [string, Json][] =>
      key === step ? (inner === undefined ? [] : [[key, inner]]) : [[key, it]],
    ),
  )
}

function changesAt(sample: Json, path: Path): Json[] {
  const changes: ((it: Json) => Json | undefined)[] = [
    ...(path.length > 0 ? [() => undefined] : []),
    (it) => (typeof it === 'string' ? 12.5 : 'x'),
    () => null,
    (it) => (isObject(it) ? [] : {}),
    (it) => (isObject(it) ? { ...it, 'svc-unknown': 1 } : it),
    (it) => (typeof it === 'string' ? '' : it),
    (it) => (typeof it === 'string' ? `${it}\u0001${'é'.repeat(3000)}` : it),
    (it) => (typeof it === 'number' ? -1e9 - 0.5 : it),
    (it) => (typeof it === 'number' ? 1e12 : it),
    (it) => (Array.isArray(it) ? [...(it as readonly Json[]), ...(it as readonly Json[])] : it),
    (it) => (Array.isArray(it) ? Array.from({ length: 150 }, () => (it as readonly Json[])[0] ?? 0) : it),
    (it) => (Array.isArray(it) ? [] : it),
    () => true,
  ]
  return changes.flatMap((change) => {
    const changed = withAt(sample, path, change)
    return changed === undefined ? [] : [changed]
  })
}
