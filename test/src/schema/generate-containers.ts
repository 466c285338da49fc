/** Pairs of schemas of arrays or objects in a world so small that every value of it can be tried. */
import type { Json } from '../../../src/kernel/json.ts'

type Mutable = { [key: string]: Json }

const scalars: readonly Json[] = ['a', 'b', 1]
const names = ['', 'a', 'b'] as const
/** ajv 8 does not find that an empty name is missing. */
const required = ['a', 'b'] as const
const longest = 4

const lists = (): readonly Json[] => {
  let last: readonly (readonly Json[])[] = [[]]
  const all: Json[] = [[]]
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((list) => scalars.map((it) => [...list, it]))
    all.push(...last)
  }
  return all
}

const objects = (): readonly Json[] => {
  let all: readonly Mutable[] = [{}]
  for (const name of names) all = all.flatMap((it) => [it, ...scalars.map((value) => ({ ...it, [name]: value }))])
  return all
}

const allLists = lists()
const allObjects = objects()

/** Makes schemas whose keywords count, name and compare the parts of one value. */
export class Containers {
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  private below(count: number): number {
    return Math.floor(this.random() * count)
  }

  private chance(part: number): boolean {
    return this.random() < part
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  private item(): Json {
    return this.pick<() => Json>([
      () => ({ const: this.pick(scalars) }),
      () => ({ enum: [this.pick(scalars), this.pick(scalars)].filter((it, i, all) => all.indexOf(it) === i) }),
      () => ({ type: this.pick(['string', 'integer']) }),
      () => ({ not: { const: this.pick(scalars) } }),
    ])()
  }

  private maybe(part: number, words: () => Mutable): Mutable {
    return this.chance(part) ? words() : {}
  }

  private list(): Mutable {
    const contains = (): Mutable => ({
      contains: this.item(),
      ...this.maybe(0.5, () => ({ minContains: this.below(4) })),
      ...this.maybe(0.3, () => ({ maxContains: 1 + this.below(3) })),
    })
    return {
      type: 'array',
      ...this.maybe(0.4, () => ({ items: this.chance(0.2) ? false : this.item() })),
      ...this.maybe(0.3, () => ({ prefixItems: Array.from({ length: 1 + this.below(3) }, () => this.item()) })),
      ...this.maybe(0.3, () => ({ minItems: this.below(3) })),
      ...this.maybe(0.4, () => ({ maxItems: 1 + this.below(longest) })),
      ...this.maybe(0.2, () => ({ uniqueItems: true })),
      ...this.maybe(0.5, () => ({ allOf: Array.from({ length: 1 + this.below(2) }, contains) })),
    }
  }

  private rule(): Json {
    return this.pick<() => Json>([
      () => ({ enum: [this.pick(names), this.pick(names)].filter((it, i, all) => all.indexOf(it) === i) }),
      () => ({ not: { const: this.pick(names) } }),
      () => ({ [this.pick(['minLength', 'maxLength'])]: this.below(2) }),
      () => ({ pattern: this.pick(['^a', '^$', 'b', '^[ab]$']) }),
    ])()
  }

  private object(): Mutable {
    return {
      type: 'object',
      ...this.maybe(0.5, () => ({ properties: { [this.pick(names)]: this.item() } })),
      ...this.maybe(0.3, () => ({ patternProperties: { [this.pick(['^a', '^$', 'b', '.'])]: this.item() } })),
      ...this.maybe(0.3, () => ({ additionalProperties: this.chance(0.3) ? false : this.item() })),
      ...this.maybe(0.3, () => ({ propertyNames: this.rule() })),
      ...this.maybe(0.3, () => ({ required: [this.pick(required)] })),
      ...this.maybe(0.3, () => ({ minProperties: this.below(3) })),
      ...this.maybe(0.3, () => ({ maxProperties: 1 + this.below(2) })),
      ...this.maybe(0.2, () => ({ dependentRequired: { [this.pick(required)]: [this.pick(required)] } })),
    }
  }

  /** A base, a head that is mostly a choice or an edit of it, and all values that there are. */
  pair(): { readonly base: Json; readonly head: Json; readonly values: readonly Json[] } {
    const isList = this.chance(0.5)
    const values = isList ? allLists : allObjects
    const make = (): Mutable => (isList ? this.list() : this.object())
    const base = make()
    const some = (): Json[] => Array.from({ length: 2 + this.below(2) }, make)
    const head = this.pick<() => Mutable>([
      () => ({ anyOf: some() }),
      () => ({ ...base, anyOf: some() }),
      () => ({ ...base, ...make() }),
      () => ({ ...base, not: make() }),
      () => ({ oneOf: [base, ...some()] }),
      () => ({ ...base, not: { enum: [this.pick(values), this.pick(values), this.pick(values)] } }),
      () => ({ enum: Array.from({ length: 1 + this.below(6) }, () => this.pick(values)) }),
    ])()
    return { base, head, values }
  }
}
