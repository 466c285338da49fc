/**
 * Expressions as chains of rules: alternatives of conditions that hold together. A part that would multiply the alternatives is decided
 * once, by rules of its own, and remembered in a variable of the transaction; so the number of rules grows with that of conditions.
 */
import type { Condition, Node } from './node.ts'
import { chain, type Ids, type Link } from './seclang.ts'

const mostAlternatives = 16

type Alternatives = readonly (readonly Link[])[]

/** Without "not" but on conditions. */
type Positive =
  | { readonly and: readonly Positive[] }
  | { readonly or: readonly Positive[] }
  | { readonly condition: Condition; readonly negated: boolean }

function withoutNot(node: Node, negated: boolean): Positive {
  if ('condition' in node) return { condition: node.condition, negated }
  if ('not' in node) return withoutNot(node.not, !negated)
  const parts = ('and' in node ? node.and : node.or).map((it) => withoutNot(it, negated))
  return 'and' in node === negated ? { or: parts } : { and: parts }
}

/** Variables of the transaction: what they begin with, and the number of the next one. */
export interface Flags {
  readonly name: string
  next: number
}

/** Writes the rules that decide an expression. */
export class Decider {
  text = ''
  private readonly ids: Ids
  private readonly flags: Flags

  /** @param flags counts the variables of the file */
  constructor(ids: Ids, flags: Flags) {
    this.ids = ids
    this.flags = flags
  }

  /**
   * The conditions that hold together exactly if the expression holds.
   * @throws OutOfIds
   */
  decide(node: Node): readonly Link[] {
    const found = this.alternatives(withoutNot(node, false))
    const [only] = found
    return found.length === 1 && only !== undefined ? only : [this.remember(found)]
  }

  private alternatives(node: Positive): Alternatives {
    if ('condition' in node) return [[this.link(node.condition, node.negated)]]
    if ('or' in node) return node.or.flatMap((it) => this.alternatives(it))
    return node.and
      .map((it) => this.alternatives(it))
      .reduce((all, more) => {
        if (all.length * more.length <= mostAlternatives) return all.flatMap((a) => more.map((b) => [...a, ...b]))
        const [left, right] =
          all.length >= more.length ? [[[this.remember(all)]], more] : [all, [[this.remember(more)]]]
        if (left.length * right.length <= mostAlternatives) return left.flatMap((a) => right.map((b) => [...a, ...b]))
        return left.flatMap((a) => [[...a, this.remember(right)]])
      })
  }

  private link({ target, operator, opposite, isSingle }: Condition, negated: boolean): Link {
    if (!negated) return { target, operator }
    if (isSingle && opposite !== null) return opposite
    // Of several values none may meet it, and none has to be there.
    const { target: flag } = this.remember([[{ target, operator }]])
    return { target: `&${flag}`, operator: '@eq 0' }
  }

  /** Sets a variable where one of the alternatives holds. */
  private remember(alternatives: Alternatives): Link {
    const name = `${this.flags.name}${this.flags.next++}`
    for (const links of alternatives)
      this.text += chain({
        id: this.ids.take(),
        links,
        actions: ['pass', 'nolog'],
        // The actions of the last link is done only where all of them held.
        then: [`setvar:tx.${name}=1`],
      })
    return { target: `TX:${name}`, operator: '@eq 1' }
  }
}
