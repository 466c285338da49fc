import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { inDialect } from './dialect-words.ts'
import type { Node, NodeFactory } from './node.ts'
import type { SchemaSource } from './schema-source.ts'

/** One way in which the branches of a schema can hold, and the properties and items that count as evaluated then. */
export interface Case {
  readonly when: Node
  readonly names: ReadonlySet<string>
  readonly patterns: ReadonlySet<string>
  /** Every property is evaluated. */
  readonly all: boolean
  /** So many items from the beginning are evaluated. */
  readonly first: number
  /** Items that are one of these are evaluated, wherever they are: `contains` has looked at them. */
  readonly matching: readonly Node[]
  readonly allItems: boolean
}

const most = 48

/** Finds the cases of `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12, core, section 11). */
export class Evaluation {
  private readonly factory: NodeFactory
  private readonly source: SchemaSource
  private readonly node: (schema: Json) => Node

  constructor(factory: NodeFactory, source: SchemaSource, node: (schema: Json) => Node) {
    this.factory = factory
    this.source = source
    this.node = node
  }

  /** The cases of a schema; null where they are too many or cannot be decided. */
  cases(schema: Json, depth = 0): readonly Case[] | null {
    if (!isObject(schema)) return this.without(this.factory.always)
    if (depth > 12) return null
    let result: readonly Case[] | null = [
      {
        when: this.factory.always,
        names: new Set(isObject(schema.properties) ? Object.keys(schema.properties) : []),
        patterns: new Set(isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []),
        all: schema.additionalProperties !== undefined || (depth > 0 && schema.unevaluatedProperties !== undefined),
        ...this.items(schema, depth),
      },
    ]
    for (const part of this.parts(schema, depth)) {
      result = result && part && this.cross(result, part)
      if (!result) return null
    }
    return result
  }

  /** The items that a schema evaluates itself. */
  private items(schema: JsonObject, depth: number): Pick<Case, 'first' | 'matching' | 'allItems'> {
    const isOld = Array.isArray(schema.items)
    const tuple = isOld ? schema.items : inDialect(schema, this.source.dialect).prefixItems
    const rest = isOld ? schema.additionalItems : schema.items
    // In 2019-09 `contains` does not count as evaluating.
    const counts = schema.contains !== undefined && this.source.dialect !== '2019-09'
    return {
      first: Array.isArray(tuple) ? tuple.length : 0,
      matching: counts ? [this.node(schema.contains!)] : [],
      allItems: rest !== undefined || (depth > 0 && schema.unevaluatedItems !== undefined),
    }
  }

  /** The cases that each keyword adds; null where one cannot be decided. */
  private *parts(schema: JsonObject, depth: number): Generator<readonly Case[] | null> {
    if (typeof schema.$ref === 'string') {
      const found = this.source.resolve(schema.$ref)
      yield found ? this.cases(found.schema, depth + 1) : null
    }
    if (Array.isArray(schema.allOf)) for (const it of schema.allOf as readonly Json[]) yield this.cases(it, depth + 1)
    if (Array.isArray(schema.anyOf)) for (const it of schema.anyOf as readonly Json[]) yield this.either(it, depth)
    // Exactly one holds: a branch that holds is the one.
    if (Array.isArray(schema.oneOf)) for (const it of schema.oneOf as readonly Json[]) yield this.either(it, depth)
    if (schema.if !== undefined) yield this.conditional(schema, depth)
    for (const word of ['dependentSchemas', 'dependencies'] as const) {
      const given = schema[word]
      if (!isObject(given)) continue
      for (const [name, it] of Object.entries(given)) {
        if (Array.isArray(it)) continue
        const there = this.guarded(this.factory.required(name), this.cases(it, depth + 1))
        yield there && [...there, ...this.without(this.factory.lacks(name))]
      }
    }
  }

  /** A branch holds and evaluates, or it does not hold. */
  private either(branch: Json, depth: number): readonly Case[] | null {
    const node = this.node(branch)
    const holds = this.guarded(node, this.cases(branch, depth + 1))
    return holds && [...holds, ...this.without(this.factory.not(node))]
  }

  private conditional(schema: JsonObject, depth: number): readonly Case[] | null {
    const node = this.node(schema.if!)
    const condition = this.cases(schema.if!, depth + 1)
    const then = this.cases(schema.then ?? true, depth + 1)
    const otherwise = this.cases(schema.else ?? true, depth + 1)
    const both = condition && then && this.cross(condition, then)
    const yes = this.guarded(node, both)
    const no = this.guarded(this.factory.not(node), otherwise)
    return yes && no && [...yes, ...no]
  }

  private without(when: Node): readonly Case[] {
    if (when.op === 'false') return []
    return [{ when, names: new Set(), patterns: new Set(), all: false, first: 0, matching: [], allItems: false }]
  }

  private guarded(when: Node, cases: readonly Case[] | null): readonly Case[] | null {
    return cases && cases.map((it) => ({ ...it, when: this.factory.all([when, it.when]) }))
  }

  private cross(left: readonly Case[], right: readonly Case[]): readonly Case[] | null {
    if (left.length * right.length > most) return null
    return left.flatMap((a) =>
      right.map((b) => ({
        when: this.factory.all([a.when, b.when]),
        names: new Set([...a.names, ...b.names]),
        patterns: new Set([...a.patterns, ...b.patterns]),
        all: a.all || b.all,
        first: Math.max(a.first, b.first),
        matching: [...a.matching, ...b.matching],
        allItems: a.allItems || b.allItems,
      })),
    )
  }
}
