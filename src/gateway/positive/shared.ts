import type { Condition } from './seclang.ts'

/** What many operations share: written once, behind a variable that the rules of each operation set. */
export class Shared<Value> {
  private readonly known = new Map<string, { readonly number: number; readonly value: Value }>()
  private readonly variable: string

  constructor(variable: string) {
    this.variable = variable
  }

  /** What the rules of an operation set, as "tx.svc_types=2". */
  mark(key: string, value: Value): string {
    const entry = this.known.get(key) ?? { number: this.known.size + 1, value }
    this.known.set(key, entry)
    return `tx.${this.variable}=${entry.number}`
  }

  /** Each with the condition under which it is asked for. */
  get all(): readonly { readonly value: Value; readonly when: Condition }[] {
    return [...this.known.values()].map(({ number, value }) => ({
      value,
      when: { variables: `TX:${this.variable}`, operator: `@streq ${number}` },
    }))
  }
}
