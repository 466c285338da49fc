import type { Json, JsonObject } from '../../kernel/json.ts'
import { CyclicMemo } from '../cyclic-memo.ts'
import type { Evaluated } from './evaluated.ts'

/** What the target of a reference says of a value. */
export interface Verdict {
  readonly ok: boolean
  /** What it looked at, where that was asked for. */
  readonly evaluated: Evaluated | null
}

const holds: Verdict = { ok: true, evaluated: null }
const fails: Verdict = { ok: false, evaluated: null }
/** No keyword on the way makes less of more, so it fails whatever was taken to hold. */
const failsSurely: Verdict = { ok: false, evaluated: null }

/** A schema and a value, one object for each pair. */
type Question = object

/**
 * Remembers what the targets of references say of the parts of an instance, so that schemas which refer to each other in
 * many ways are asked once. The same schema on the same instance, inside itself, tells nothing new: it is taken to hold.
 */
export class Targets {
  private readonly plain = new Map<JsonObject, Map<Json, Question>>()
  private readonly evaluating = new Map<JsonObject, Map<Json, Question>>()
  private readonly open = new Set<Question>()
  private readonly memo = new CyclicMemo<Question, Verdict>(
    holds,
    (verdict) => verdict === holds,
    (verdict) => verdict === failsSurely,
  )
  /** Where references lead depends on the way to them ("$dynamicRef"), so answers are no longer remembered. */
  dynamic = false
  /** How many keywords were met whose answer may turn when a part of them holds: "not", "oneOf", "if" and the like. */
  inversions = 0

  /** What a schema says of a value; `work` finds it where that is not known. */
  ask(schema: JsonObject, value: Json, evaluated: Evaluated | null, work: () => boolean): Verdict {
    if (this.dynamic) return { ok: this.follow(schema, value, work), evaluated }
    const question = this.question(evaluated ? this.evaluating : this.plain, schema, value)
    return this.memo.answer(question, () => {
      const before = this.inversions
      const ok = work()
      if (evaluated) return { ok, evaluated }
      return ok ? holds : before === this.inversions ? failsSurely : fails
    })
  }

  /** Whether a schema holds for a value, found by `work` each time. */
  follow(schema: JsonObject, value: Json, work: () => boolean): boolean {
    const question = this.question(this.plain, schema, value)
    if (this.open.has(question)) return true
    this.open.add(question)
    const ok = work()
    this.open.delete(question)
    return ok
  }

  private question(all: Map<JsonObject, Map<Json, Question>>, schema: JsonObject, value: Json): Question {
    let byValue = all.get(schema)
    if (!byValue) all.set(schema, (byValue = new Map()))
    let question = byValue.get(value)
    if (!question) byValue.set(value, (question = {}))
    return question
  }
}
