/** Checks the certificates of cases, by validators of others and the interpreter of messages. */
import { readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import {
  isCounterexample,
  isObject,
  senderOf,
  type Case,
  type Counterexample,
  type Json,
  type JsonObject,
  type MadeCase,
  type Side,
  type StoredCase,
} from '../case.ts'
import { readApi } from '../interpreter/api.ts'
import type { Api } from '../interpreter/model.ts'
import { standalone, type Sent } from '../interpreter/dialect.ts'
import { MessageDrawer } from '../interpreter/draw.ts'
import { onlyBody, refusalOf, type Judge } from '../interpreter/read.ts'
import { Drawer } from './draw.ts'
import { ajvFor, dialectOf, type Standalone, type Validate } from './validators.ts'

export type Documents = Pick<MadeCase, Side>

/** What ajv said to one question, for a second validator to say as well. */
export interface Judgement extends Standalone {
  readonly value: Json
  readonly isValid: boolean
}

export interface Checked {
  readonly id: string
  /** What is wrong with the certificate; null where it is right. */
  readonly problem: string | null
  /** Instances that were drawn, and how many of them the sending side accepts. */
  readonly drawn: number
  readonly accepted: number
  readonly judgements: readonly Judgement[]
}

/** The documents of a stored case. @throws Error where one is no JSON or YAML. */
export function documentsOf(stored: StoredCase): Documents {
  const read = (path: string) => parseYaml(readFileSync(path, 'utf8'), { maxAliasCount: -1 }) as JsonObject
  return { base: read(stored.base), head: read(stored.head) }
}

const other = (side: Side): Side => (side === 'base' ? 'head' : 'base')

/** ajv's validators by schema: the same one is asked many times. */
class Judges {
  readonly #known = new Map<Standalone, Validate>()
  readonly judgements: Judgement[] = []
  isRecording = false

  readonly judge: Judge = (schema, value) => {
    const known = this.#known.get(schema) ?? ajvFor(schema)
    this.#known.set(schema, known)
    const isValid = known(value)
    if (this.isRecording) this.judgements.push({ ...schema, value, isValid })
    return isValid
  }
}

/** What decides whether a side accepts a value, prepared once. */
function valueJudge(
  documents: Documents,
  direction: Case['direction'],
  judges: Judges,
): (side: Side, value: Json) => boolean {
  const prepared = new Map<Side, Standalone>()
  const schemaOf = (side: Side): Standalone => {
    const found = prepared.get(side) ?? standaloneOf(documents[side], direction)
    prepared.set(side, found)
    return found
  }
  return (side, value) => judges.judge(schemaOf(side), value)
}

function standaloneOf(document: JsonObject | boolean, direction: Case['direction']): Standalone {
  if (direction === 'schema') return { dialect: dialectOf(document), schema: document }
  if (!isObject(document)) throw new Error('An API description is an object')
  const api = readApi(document)
  const sent = direction === 'response' ? 'response' : 'request'
  return standalone(api, onlyBody(api, sent), sent)
}

const apiOf = (document: JsonObject | boolean): Api => {
  if (!isObject(document)) throw new Error('An API description is an object')
  return readApi(document)
}

function counterexampleProblem(
  certificate: Counterexample,
  documents: Documents,
  direction: Case['direction'],
  judges: Judges,
): string | null {
  const { accepts, refuses, value, message } = certificate
  if (refuses !== other(accepts)) return 'the certificate does not name both sides'
  if (direction !== 'both' && accepts !== senderOf(direction))
    return `of ${direction} the ${senderOf(direction)} has to accept it`
  judges.isRecording = true
  if (message !== undefined) {
    const sent = 'request' in message ? 'request' : 'response'
    if (direction !== 'both' && direction !== sent) return `a ${sent} proves nothing of a ${direction}`
    if ((sent === 'response' ? 'head' : 'base') !== accepts) return `a ${sent} comes from the other side`
    const refusal = refusalOf(apiOf(documents[accepts]), message, judges.judge)
    if (refusal !== null) return `the ${accepts} refuses the message: ${refusal}`
    return refusalOf(apiOf(documents[refuses]), message, judges.judge) === null
      ? `the ${refuses} accepts the message`
      : null
  }
  if (value === undefined) return 'the certificate has neither a value nor a message'
  const accepted = valueJudge(documents, direction, judges)
  if (!accepted(accepts, value)) return `the ${accepts} refuses the value`
  return accepted(refuses, value) ? `the ${refuses} accepts the value` : null
}

interface Draws {
  readonly drawn: number
  readonly accepted: number
  readonly refutation: string | null
}

/** Draws values of the sending side; a refutation is one that the other side refuses. */
function drawValues(made: Case, documents: Documents, judges: Judges, count: number): Draws {
  const accepted = valueJudge(documents, made.direction, judges)
  const sender = senderOf(made.direction)
  const root = standaloneOf(documents[sender], made.direction).schema
  const drawer = new Drawer(made.id, root, [documents[other(sender)]])
  let valid = 0
  for (let at = 0; at < count; at++) {
    const value = drawer.draw()
    if (!accepted(sender, value)) continue
    valid++
    if (!accepted(other(sender), value)) return { drawn: at + 1, accepted: valid, refutation: JSON.stringify(value) }
  }
  return { drawn: count, accepted: valid, refutation: null }
}

/** Whether a case is about what a service sends by itself, so that values are drawn and no messages. */
const isOutgoing = (made: Case, documents: Documents): boolean =>
  made.direction !== 'schema' && apiOf(documents.base).outgoing.length > 0

function drawMessages(id: string, documents: Documents, sent: Sent, judges: Judges, count: number): Draws {
  const [sender, receiver] = sent === 'request' ? [documents.base, documents.head] : [documents.head, documents.base]
  const [from, to] = [apiOf(sender), apiOf(receiver)]
  const drawer = new MessageDrawer(`${id}/${sent}`, from, to)
  let valid = 0
  for (let at = 0; at < count; at++) {
    const message = drawer.draw(sent)
    if (refusalOf(from, message, judges.judge) !== null) continue
    // What the operation of the other side is not there for is no response of it.
    valid++
    const refusal = refusalOf(to, message, judges.judge)
    if (refusal !== null)
      return { drawn: at + 1, accepted: valid, refutation: `${JSON.stringify(message)}: ${refusal}` }
  }
  return { drawn: count, accepted: valid, refutation: null }
}

function drawsOf(made: Case, documents: Documents, judges: Judges, count: number): Draws {
  if (made.direction === 'schema' || isOutgoing(made, documents)) return drawValues(made, documents, judges, count)
  const directions: Sent[] = made.direction === 'both' ? ['request', 'response'] : [made.direction]
  let sum: Draws = { drawn: 0, accepted: 0, refutation: null }
  for (const sent of directions) {
    const { drawn, accepted, refutation } = drawMessages(
      made.id,
      documents,
      sent,
      judges,
      Math.ceil(count / directions.length),
    )
    sum = { drawn: sum.drawn + drawn, accepted: sum.accepted + accepted, refutation: sum.refutation ?? refutation }
  }
  return sum
}

/**
 * Checks the certificate of a case: a counterexample by both sides, a reason by `samples` drawn instances. Cases without a label
 * have nothing to check.
 */
export function checkCase(made: Case, documents: Documents, samples: number): Checked {
  const judges = new Judges()
  const result = (problem: string | null, drawn = 0, accepted = 0): Checked => ({
    id: made.id,
    problem,
    drawn,
    accepted,
    judgements: judges.judgements,
  })
  try {
    if (made.verdict === 'policy' || made.verdict === 'undecidable') return result(null)
    const { certificate } = made
    if (made.verdict === 'breaking') {
      if (!isCounterexample(certificate)) return result('a breaking case needs a counterexample')
      return result(counterexampleProblem(certificate, documents, made.direction, judges))
    }
    if (isCounterexample(certificate)) return result('a safe case needs a reason')
    const draws = drawsOf(made, documents, judges, Math.min(samples, certificate.samples))
    if (draws.refutation !== null) return result(`refuted by ${draws.refutation}`, draws.drawn, draws.accepted)
    const isEmpty = draws.accepted === 0 && draws.drawn >= 1000
    return result(isEmpty ? 'no instance that was drawn is valid' : null, draws.drawn, draws.accepted)
  } catch (error) {
    return result(error instanceof Error ? error.message : String(error))
  }
}
