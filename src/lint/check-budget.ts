/** Bounds the checks of values against schemas, which can take more steps than any document is worth. */
import type { Json } from '../kernel/json.ts'
import { Exhausted } from '../schema/effort.ts'
import { validate, type ValidateOptions, type ValidationError } from '../schema/validate.ts'

/** Descriptions of several megabytes in use take less than a twentieth of it. */
const most = 1_500_000

/** What is said of a value that was not checked to the end. */
export const notChecked = 'was not checked: that takes too many steps with this schema'

/**
 * The steps of all checks of one run. A step is one schema that is looked at for one part of a value; steps are counted and
 * never timed, so that the same document gets the same findings on every machine.
 */
export class CheckBudget {
  #left: number

  constructor(steps = most) {
    this.#left = steps
  }

  /** How many steps are left. */
  get left(): number {
    return this.#left
  }

  /** As `validate`; null where it would take more than a quarter of the steps that are left. */
  validate(schema: Json, value: Json, options: Omit<ValidateOptions, 'spend'>): ValidationError[] | null {
    const end = this.#left - Math.ceil(this.#left / 4)
    const spend = (): void => {
      if (this.#left <= end) throw new Exhausted()
      this.#left--
    }
    try {
      return validate(schema, value, { ...options, spend })
    } catch (thrown) {
      if (thrown instanceof Exhausted) return null
      throw thrown
    }
  }
}
