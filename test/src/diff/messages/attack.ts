/**
 * Attacks comparisons of whole API descriptions of every version: parameters of every place and style, bodies of every media
 * type, headers, statuses, references, choices and conditions. An interpreter of messages that shares nothing with the engine
 * checks every counterexample, and tries messages against every safe verdict.
 */
import { diff } from '../../../../src/diff/diff.ts'
import type { Change } from '../../../../src/diff/change.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import type { Random } from '../mutations.ts'
import { untrue } from './claims.ts'
import { drawOperation, editOperation, versions, vocabularyOf, writeDocument } from './draw-messages.ts'
import { Draw } from './draw-schemas.ts'
import { Interpreter } from './interpreter.ts'
import type { Part } from './interpreter.ts'
import { Sampler } from './sample.ts'
import { secondOpinion } from './validator.ts'
import type { Direction } from './validator.ts'

export interface MessagesTally {
  readonly safe: number
  readonly breaking: number
  readonly unknown: number
  /** Breaking without a counterexample, and no message that was tried is refused. */
  readonly unproven: number
}

/** A verdict that did not survive, with what is needed to see it again. */
export interface RefutedMessages {
  readonly why: string
  readonly base: Json
  readonly head: Json
  readonly profile: string
  readonly value: Json
  readonly changes: readonly string[]
}

type Side = 'base' | 'head'
type Sides = Readonly<Record<Side, Interpreter>>

export interface AttackOptions {
  /** Whether Python's `jsonschema` is asked before a verdict counts as refuted. */
  readonly python?: boolean
  /** How many messages are tried for each pair. */
  readonly tries?: number
}

const senderOf = (direction: Direction): Side => (direction === 'request' ? 'base' : 'head')
const other = (side: Side): Side => (side === 'base' ? 'head' : 'base')

/** A pair of documents: mostly of one version, the second one an edit of the first. */
export const drawPair = (draw: Draw): { readonly base: Json; readonly head: Json } => {
  const version = draw.pick(versions)
  const described = drawOperation(draw, version)
  const edited = structuredClone(described)
  for (let edits = 1 + draw.below(2); edits > 0; edits--) editOperation(draw, edited, version === '2.0')
  const later = versions.filter(
    (it) => vocabularyOf(it) !== 'plain' && versions.indexOf(it) > versions.indexOf(version),
  )
  const next = version !== '2.0' && later.length > 0 && draw.chance(0.15) ? draw.pick(later) : version
  const [base, head] = [writeDocument(described, version), writeDocument(edited, next)]
  return draw.chance(0.5) ? { base, head } : { base: head, head: base }
}

/** Tries what one side sends on the other one. */
class Trial {
  private readonly sides: Sides
  private readonly loose: Sides
  private readonly draw: Draw
  private readonly options: AttackOptions

  constructor(base: Json, head: Json, draw: Draw, options: AttackOptions) {
    this.sides = { base: new Interpreter(base), head: new Interpreter(head) }
    this.loose = { base: new Interpreter(base, 'either'), head: new Interpreter(head, 'either') }
    this.draw = draw
    this.options = options
  }

  /** Whether a value is a counterexample of some part in that direction; null where no part has a text for it. */
  isProof(value: Json, direction: Direction): boolean | null {
    const [from, to] = [this.sides[senderOf(direction)], this.sides[other(senderOf(direction))]]
    const results = from.pairsWith(to, direction).flatMap(([part, reader]) => {
      if (!this.agree(from, part, value, true)) return [false]
      const sent = from.write(part, value)
      if (sent === null) return [null]
      return [sent.is === 'json' ? this.agree(to, reader, value, false) : !to.isRead(reader, sent)]
    })
    return results.includes(true) ? true : results.includes(null) ? null : results.length > 0 ? false : null
  }

  /** Whether a validator answers `expected`; where it does not, the second one is asked. */
  private agree(side: Interpreter, part: Part, value: Json, expected: boolean): boolean {
    if (side.isValid(part, value) === expected) return true
    return this.options.python === true && secondOpinion([side.modern(part)], value)?.[0] === expected
  }

  /** A value that one side sends and the other refuses, of those that are tried; undefined where there is none. */
  lost(chosen: boolean): { readonly value: Json; readonly where: string } | undefined {
    for (const direction of ['request', 'response'] as const) {
      const found = this.lostIn(direction, chosen)
      if (found) return found
    }
    return undefined
  }

  private lostIn(direction: Direction, chosen: boolean): { readonly value: Json; readonly where: string } | undefined {
    const [from, to] = [this.sides[senderOf(direction)], this.sides[other(senderOf(direction))]]
    const isOld = from.isOld
    for (const [part, reader] of from.pairsWith(to, direction)) {
      const sampler = new Sampler(this.draw, from.resolve, isOld)
      for (let tries = this.options.tries ?? 20; tries > 0; tries--) {
        const value = sampler.value(part.schema)
        if (!isClear(value) || !from.isValid(part, value)) continue
        const sent = from.write(part, value)
        if (sent === null || to.isRead(reader, sent)) continue
        // Who answers with a `oneOf` of objects sends an object of one branch, whatever others accept.
        const isExcused =
          direction === 'response' && chosen && this.loose[other(senderOf(direction))].isRead(reader, sent)
        if (isExcused || (sent.is === 'json' && !this.agree(to, reader, value, false))) continue
        return { value, where: part.key }
      }
    }
    return undefined
  }
}

/** Whether a value has neither the property for requests only nor the one for responses only: no specification says what these mean in the other direction. */
const isClear = (value: Json): boolean => {
  if (Array.isArray(value)) return (value as readonly Json[]).every(isClear)
  return !isObject(value) || (value.r === undefined && value.w === undefined && Object.values(value).every(isClear))
}

const told = (changes: readonly Change[]): readonly string[] =>
  changes.map(
    (it) =>
      `${it.severity} ${it.classification} ${it.id}: ${it.message}${it.policy ? ` [${it.policy}]` : ''}${it.witness ? ` ${JSON.stringify(it.witness.value)}` : ''}`,
  )

/** Compares drawn pairs until one verdict is refuted; null where all hold. */
export const attackMessages = (
  count: number,
  random: Random,
  options: AttackOptions = {},
): { readonly tally: MessagesTally; readonly refuted: RefutedMessages | null } => {
  const draw = new Draw(random)
  const tally = { safe: 0, breaking: 0, unknown: 0, unproven: 0 }
  for (let done = 0; done < count; done++) {
    const { base, head } = drawPair(draw)
    const { verdict, refuted } = judge(base, head, draw, options)
    tally[verdict]++
    if (refuted) return { tally, refuted }
  }
  return { tally, refuted: null }
}

const judge = (
  base: Json,
  head: Json,
  draw: Draw,
  options: AttackOptions,
): { readonly verdict: keyof MessagesTally; readonly refuted: RefutedMessages | null } => {
  const profile = draw.chance(0.3) ? ('strict' as const) : ('standard' as const)
  const [before, after] = [base, head].map((it) => parseDocument(JSON.stringify(it), { source: 'api.json' }))
  const { changes } = diff(before!, after!, { profile })
  const refuse = (why: string, value: Json): RefutedMessages => ({
    why,
    base,
    head,
    profile,
    value,
    changes: told(changes),
  })
  const trial = new Trial(base, head, draw, options)
  const breaking = changes.filter((it) => it.classification !== 'safe')
  for (const { witness, direction, message } of breaking) {
    if (!witness) continue
    if (witness.acceptedBy !== senderOf(direction ?? 'request'))
      return {
        verdict: 'breaking',
        refuted: refuse(`"${message}": the counterexample goes the wrong way`, witness.value),
      }
    if (direction && isClear(witness.value) && trial.isProof(witness.value, direction) === false)
      return { verdict: 'breaking', refuted: refuse(`"${message}": the counterexample is none`, witness.value) }
  }
  for (const change of changes) {
    const why = untrue(change, base, head)
    if (why !== null) return { verdict: 'breaking', refuted: refuse(`"${change.message}", although ${why}`, null) }
  }
  const lost = trial.lost(profile === 'standard')
  if (breaking.length === 0 && lost)
    return { verdict: 'safe', refuted: refuse(`not breaking, but a value of ${lost.where} is refused`, lost.value) }
  if (breaking.length === 0) return { verdict: 'safe', refuted: null }
  if (breaking.every((it) => it.classification === 'unknown')) return { verdict: 'unknown', refuted: null }
  return { verdict: lost || breaking.some((it) => it.witness || it.policy) ? 'breaking' : 'unproven', refuted: null }
}
